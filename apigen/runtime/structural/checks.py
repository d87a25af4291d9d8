"""Validates a whole object by the schema of a CRD, after defaulting. On updates, parts that are unchanged are valid (ratcheting).

The sources are `pkg/validation/validate` of kube-openapi, and `listtype`, `objectmeta` and `validation/ratcheting.go` of
k8s.io/apiextensions-apiserver.
"""

from __future__ import annotations

import ipaddress
import json
import math
import operator
import re
from datetime import date

from ..dataclasses import dataclass
from ..field_paths import ROOT
from ..patterns import PatternError, matches
from ..validation import (
    duplicate,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
    type_invalid,
)
from .nodes import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE

TYPE_CHECKING = False  # as type checkers know the name
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

    from ..field_paths import FieldPath
    from ..validation import FieldError, Shown
    from .nodes import Node, Schema, Shared

    _Old = tuple[Node, object] | None
    """An old value with its schema; None without an old value that the server compares."""


def _parsed(parse: Callable[[str], object]) -> Callable[[str], bool]:
    def holds(text: str) -> bool:
        try:
            parse(text)
        except ValueError:
            return False
        return "%" not in text

    return holds


def _matched(pattern: str) -> Callable[[str], bool]:
    known = re.compile(pattern, re.ASCII)
    return lambda text: known.fullmatch(text) is not None


_HEX: Final = "[0-9a-fA-F]"
FORMATS: Final = {
    "bsonobjectid": _matched(f"{_HEX}{{24}}"),
    "date": _parsed(date.fromisoformat),
    "ipv4": _parsed(ipaddress.IPv4Address),
    "ipv6": _parsed(ipaddress.IPv6Address),
    "hexcolor": _matched(f"#?({_HEX}{{3}}|{_HEX}{{6}})"),
    "password": lambda _text: True,
    "ssn": _matched(r"[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
    **{
        f"uuid{version}": _matched(
            f"{_HEX}{{8}}-?{_HEX}{{4}}-?{third}{_HEX}{{3}}-?{fourth}-?{_HEX}{{12}}"
        )
        for version, third, fourth in (
            ("", _HEX, f"{_HEX}{{4}}"),
            ("3", "3", f"{_HEX}{{4}}"),
            ("4", "4", f"[89abAB]{_HEX}{{3}}"),
            ("5", "5", f"[89abAB]{_HEX}{{3}}"),
        )
    },
}
"""Whether a string is of a format, by its name. Each takes linear time."""


_SAFE_INTEGER = 2**53 - 1


@dataclass(frozen=True, slots=True)
class Violation:
    """An error with the keyword of the schema that causes it."""

    keyword: str
    error: FieldError

    def __str__(self) -> str:
        return str(self.error)


def find_violations(
    node: Node, value: object, old: object, shared: Shared | None = None
) -> list[Violation]:
    """Return the violations of an object, or of the update of `old`; None for a creation. `shared`: the node and the
    values are shared.
    """
    found = _node(node, value, None if old is None else (node, old), ROOT, shared)
    if node.has_embedded:
        found += _embedded(node, value, ROOT)
    lists = _lists(node, value, ROOT, shared)
    if lists and (old is None or not _lists(node, old, ROOT, shared)):
        found += lists
    return found


def _node(
    node: Node, value: object, old: _Old, path: FieldPath, shared: Shared | None
) -> list[Violation]:
    """Return the violations in a value; none if it is equal to its old value."""
    if shared is None:
        found = _checked(node, value, old, path, None)
    else:
        key = id(node), value if isinstance(value, str) else id(value)
        if key in shared.valid:
            return []
        found = _checked(node, value, old, path, shared)
        if not found and old is None and isinstance(value, (str, dict, list)):
            shared.valid.add(key)
    return [] if found and old is not None and _same(value, old) else found


def _checked(
    node: Node, value: object, old: _Old, path: FieldPath, shared: Shared | None
) -> list[Violation]:
    found: list[Violation] = []
    schema, types = node.schema, node.types
    by_format = isinstance(value, (str, list)) and types[:1] == ("string",)
    if by_format and schema.get("format") in FORMATS:
        types = ()  # the server then checks the format of strings, and nothing of lists
    if types and not _is_of(types, value, node.nullable):
        expected = ",".join(types)
        detail = f'{path} in body must be of type {expected}: "{_type(value)}"'
        found.append(Violation("type", type_invalid(path, _shown_value(value), detail)))
    enum = schema.get("enum")
    if isinstance(enum, list) and enum and not _is_in(value, enum):
        names = [each if isinstance(each, str) else json.dumps(each) for each in enum]
        found.append(Violation("enum", not_supported(path, _shown_value(value), names)))
    if value is None:
        return found
    if node.junctors or node.excluded is not None:
        found += _junctors(node, value, path, shared)
    if isinstance(value, str):
        if not node.any_string:
            found += _string(schema, value, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        found += _number(schema, value, path)
    elif isinstance(value, (list, dict)):
        if node.counts:
            found += _counted(schema, value, path)
        items = _old_items(old)
        for step, each, inner in node.described(value):
            if inner.any_string and isinstance(each, str):
                continue
            if inner.any_boolean and isinstance(each, bool):
                continue
            if isinstance(step, int):
                before = items.get(_map_key(old, each)) if items else None
                found += _node(inner, each, before, path.index(step), shared)
            else:
                found += _node(
                    inner, each, _old_field(old, step), path.child(step), shared
                )
    return found


def _junctors(
    node: Node, value: object, path: FieldPath, shared: Shared | None
) -> Iterator[Violation]:
    """Yield the violations of `allOf`, `anyOf`, `oneOf` and `not`. They do not ratchet, as in the server."""
    results = {
        word: [_node(each, value, None, path, shared) for each in nodes]
        for word, nodes in node.junctors.items()
    }
    for found in results.get("allOf", ()):
        yield from found
    valid = {word: sum(not found for found in each) for word, each in results.items()}
    if "allOf" in valid and valid["allOf"] < len(results["allOf"]):
        yield _invalid(
            "allOf", path, "", f'"{path}" must validate all the schemas (allOf)'
        )
    if valid.get("anyOf") == 0:
        yield _invalid(
            "anyOf", path, "", f'"{path}" must validate at least one schema (anyOf)'
        )
        yield from min(results["anyOf"], key=len)
    if valid.get("oneOf", 1) != 1:
        count = (
            f"{valid['oneOf']} valid alternatives" if valid["oneOf"] else "none valid"
        )
        yield _invalid(
            "oneOf",
            path,
            "",
            f'"{path}" must validate one and only one schema (oneOf). Found {count}',
        )
        if not valid["oneOf"]:
            yield from min(results["oneOf"], key=len)
    if node.excluded is not None and not _node(
        node.excluded, value, None, path, shared
    ):
        yield _invalid("not", path, "", f'"{path}" must not validate the schema (not)')


def _string(schema: Schema, value: str, path: FieldPath) -> Iterator[Violation]:
    most, least = schema.get("maxLength"), schema.get("minLength")
    pattern = schema.get("pattern")
    if isinstance(most, int) and len(value) > most:
        yield Violation("maxLength", too_long(path, most))
    elif isinstance(least, int) and len(value) < least:
        yield _invalid(
            "minLength",
            path,
            value,
            f"{path} in body should be at least {least} chars long",
        )
    elif isinstance(pattern, str) and pattern:
        try:
            if not matches(pattern, value):
                yield _invalid(
                    "pattern", path, value, f"{path} in body should match '{pattern}'"
                )
        except PatternError as error:
            yield _invalid(
                "pattern",
                path,
                value,
                f"{path} in body should match '{pattern}': {error}",
            )
    format_ = schema.get("format")
    holds = FORMATS.get(format_) if isinstance(format_, str) else None
    if holds is not None and not holds(value):
        yield _invalid(
            "format",
            path,
            value,
            f'{path} in body must be of type {format_}: "{value}"',
        )


def _number(schema: Schema, value: float, path: FieldPath) -> Iterator[Violation]:
    most, least = schema.get("maximum"), schema.get("minimum")
    factor = schema.get("multipleOf")
    if schema.get("format") == "int32" and not -(2**31) <= value < 2**31:
        yield _invalid(
            "format",
            path,
            value,
            f"Checked value must be of type integer with format int32 in {path}",
        )
    if isinstance(
        value, int
    ):  # the server drops the fraction of a bound before it compares integers
        most, least = (
            int(bound) if isinstance(bound, float) else bound for bound in (most, least)
        )
    for keyword, bound, is_beyond, comparative in (
        ("maximum", most, operator.gt, "less"),
        ("minimum", least, operator.lt, "greater"),
    ):
        if isinstance(bound, (int, float)):
            excludes = schema.get(f"exclusive{keyword.capitalize()}") is True
            if is_beyond(value, bound) or (excludes and value == bound):
                than = "than" if excludes else "than or equal to"
                detail = f"{path} in body should be {comparative} {than} {bound}"
                yield _invalid(keyword, path, value, detail)
    if isinstance(factor, (int, float)) and not _is_multiple(value, factor):
        yield _invalid(
            "multipleOf",
            path,
            value,
            f"{path} in body should be a multiple of {factor}",
        )


def _counted(
    schema: Schema, value: list[object] | dict[str, object], path: FieldPath
) -> Iterator[Violation]:
    unit = "Items" if isinstance(value, list) else "Properties"
    most, least = schema.get(f"max{unit}"), schema.get(f"min{unit}")
    if isinstance(least, int) and len(value) < least:
        detail = f"{path} in body should have at least {least} {unit.lower()}"
        yield _invalid(f"min{unit}", path, len(value), detail)
    if isinstance(most, int) and len(value) > most:
        yield Violation(f"max{unit}", too_many(path, len(value), most))
    if (
        isinstance(value, list)
        and schema.get("uniqueItems") is True
        and len({_text(each) for each in value}) < len(value)
    ):
        yield _invalid(
            "uniqueItems", path, "", f"{path} in body shouldn't contain duplicates"
        )
    names = schema.get("required")
    if isinstance(value, dict) and isinstance(names, list):
        for name in names:
            if name not in value:
                yield Violation("required", required(path.child(name)))


def _old_field(old: _Old, name: str) -> _Old:
    inner = None if old is None else old[0].member(name)
    if (
        old is None
        or inner is None
        or not isinstance(old[1], dict)
        or name not in old[1]
    ):
        return None
    return inner, old[1][name]


def _old_items(old: _Old) -> dict[str, _Old]:
    """The items of an old list map by their keys; empty for other lists, whose items have no old value."""
    items = None if old is None else old[0].items
    if old is None or items is None or not isinstance(old[1], list):
        return {}
    found: dict[str, _Old] = {}
    for item in old[1]:
        key = _map_key(old, item)
        if key:
            found.setdefault(key, (items, item))
    return found


def _map_key(old: _Old, item: object) -> str:
    """The keys of an item of a list map; empty if one is unset or no scalar, or if the list is of another type."""
    is_map = old is not None and old[0].list_type == "map"
    keys = old[0].schema.get(LIST_MAP_KEYS) if old is not None and is_map else None
    if isinstance(keys, list) and isinstance(item, dict):
        found = {name: item[name] for name in keys if name in item}
        if len(found) == len(keys) and not any(
            isinstance(each, (dict, list)) for each in found.values()
        ):
            return _text(found)
    return ""


def _same(value: object, old: _Old) -> bool:
    """Return whether a value is unchanged as the server compares them: list maps by key; fields without schema count as
    changed.
    """
    if old is None:
        return False
    if isinstance(value, dict) and isinstance(old[1], dict):
        return len(value) == len(old[1]) and all(
            _same(each, _old_field(old, name)) for name, each in value.items()
        )
    if (
        isinstance(value, list)
        and isinstance(old[1], list)
        and old[0].list_type == "map"
    ):
        items = _old_items(old)
        return len(value) == len(old[1]) and all(
            _same(each, items.get(_map_key(old, each))) for each in value
        )
    return _text(value) == _text(old[1])


def _key(node: Node, item: object) -> str:
    keys = node.schema.get(LIST_MAP_KEYS)
    if node.list_type == "map" and isinstance(keys, list):
        return _text(
            {name: item[name] for name in keys if name in item}
            if isinstance(item, dict)
            else {}
        )
    return _text(item)


def _lists(
    node: Node, value: object, path: FieldPath, shared: Shared | None
) -> list[Violation]:
    """Yield the repeated items of sets and list maps."""
    found: list[Violation] = []
    place = id(node), id(value)
    if shared is not None and place in shared.distinct:
        return found
    if isinstance(value, list) and node.list_type in ("set", "map"):
        seen: dict[str, int] = {}
        for index, item in enumerate(value):
            key = _key(node, item)
            seen[key] = seen.get(key, 0) + 1
            if seen[key] == 2:  # the server reports the second one only
                found.append(Violation(LIST_TYPE, duplicate(path.index(index), key)))
    for step, each, inner in node.described(value):
        if inner.has_lists and isinstance(each, (dict, list)):
            found += _lists(inner, each, _step(node, path, step), shared)
    if shared is not None and not found:
        shared.distinct.add(place)
    return found


def _embedded(node: Node, value: object, path: FieldPath) -> list[Violation]:
    """Embedded objects without `apiVersion` or `kind`."""
    found: list[Violation] = []
    for step, each, inner in node.described(value):
        at = _step(node, path, step)
        if inner.is_embedded and isinstance(each, dict):
            for name in ("apiVersion", "kind"):
                if name not in each:
                    found.append(Violation(EMBEDDED, required(at.child(name))))
                elif not isinstance(each[name], str) or not each[name]:
                    problem = (
                        "must not be empty" if each[name] == "" else "must be a string"
                    )
                    found.append(
                        _invalid(
                            EMBEDDED, at.child(name), _shown_value(each[name]), problem
                        )
                    )
        if inner.has_embedded:
            found += _embedded(inner, each, at)
    return found


def _step(node: Node, path: FieldPath, step: str | int) -> FieldPath:
    if isinstance(step, int):
        return path.index(step)
    return path.child(step) if step in node.fields else path.key(step)


def _is_of(types: tuple[str, ...], value: object, nullable: bool) -> bool:
    if value is None:
        return nullable
    found = _type(value)
    return (
        found in types
        or (found == "number" and "integer" in types and _is_whole(value))
        or (found == "integer" and "number" in types)
    )


def _type(value: object) -> str:
    """Return the name of the type of a value in errors of the server. Integers of more than 64 bits are floating
    numbers there.
    """
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer" if -(2**63) <= value < 2**63 else "number"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _is_whole(value: object) -> bool:
    return (
        isinstance(value, (int, float))
        and math.isfinite(value)
        and value == int(value)
        and abs(value) <= _SAFE_INTEGER
    )


def _is_multiple(value: float, factor: float) -> bool:
    if isinstance(value, int):
        return int(factor) > 0 and value % int(factor) == 0
    return factor > 0 and _is_whole(
        1 / factor * value if factor < 1 else value / factor
    )


def _is_in(value: object, enum: list[object]) -> bool:
    if isinstance(value, str):
        return value in enum
    return any(_is_listed(value, each) for each in enum)


def _is_listed(value: object, listed: object) -> bool:
    """Return whether a value is that of an `enum`. The server converts numbers to the type of the listed value; null is
    never listed.
    """
    if (
        isinstance(value, bool)
        or isinstance(listed, bool)
        or not isinstance(value, (int, float))
    ):
        return value is not None and _text(value) == _text(listed)
    if isinstance(
        listed, str
    ):  # Go converts an integer to the character with that number
        return isinstance(value, int) and 0 <= value < 0x110000 and chr(value) == listed
    if isinstance(listed, int):
        return math.isfinite(value) and int(value) == listed
    return isinstance(listed, float) and value == listed


def _text(value: object) -> str:
    """The same text for equal JSON values: 1 and true differ, 1 and 1.0 do, too, as in Go."""
    return json.dumps(value, sort_keys=True)


def _invalid(keyword: str, path: FieldPath, value: Shown, detail: str) -> Violation:
    return Violation(keyword, invalid(path, value, detail))


def _shown_value(value: object) -> Shown:
    """Return the JSON text of an object or list; other values unchanged."""
    return (
        value
        if value is None or isinstance(value, (bool, int, float, str))
        else _text(value)
    )
