"""Evaluates an object by the schema of a CRD: prune, nulls, defaults, then validation, on updates with ratcheting.

The results are those of kube-apiserver 1.36 (`tests/runtime/structural` compares them with its packages). The sources are
`pkg/validation/validate` of kube-openapi, and `pruning`, `defaulting`, `listtype`, `objectmeta` (`pkg/apiserver/schema`)
and `validation/ratcheting.go` of k8s.io/apiextensions-apiserver. Not evaluated: the metadata of objects and embedded objects, the cost of rules, and rules that read
a ratcheted value of the wrong type. Rules see a field that is null as unset, also outside of `has`.
"""

from __future__ import annotations

import json
import math
import operator
import re
from functools import cache

from ..dataclasses import dataclass
from ..field_paths import ROOT
from ..patterns import PatternError, matches
from ..rules import (
    ABSENT,
    Rule,
    Ruled,
    RuleEvaluator,
    bare_expression,
    escaped,
    evaluate_rules,
)
from ..schema_formats import check_of
from ..validation import (
    ErrorType,
    duplicate,
    internal_error,
    invalid,
    not_supported,
    required,
    too_long,
    too_many,
    type_invalid,
)
from .nodes import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, Node

TYPE_CHECKING = False  # True for type checkers, which alone need `typing`
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Final

    from ..field_paths import FieldPath
    from ..validation import FieldError, Shown
    from .nodes import Node, Schema, Shared

    _Old = tuple[Node, object] | None
    """An old value with its schema; None without an old value that the server compares."""


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
    if by_format and check_of(schema.get("format")) is not None:
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
    holds = check_of(format_)
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
    if isinstance(value, int):
        # the server drops the fraction of a bound before it compares integers
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
    if isinstance(listed, str):
        # Go converts an integer to the character with that number
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


MOST_DEPTH: Final = 100
"""Maximum nesting of an object; a deeper one is rejected before it is evaluated."""
_OBJECT_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata"})


def is_deeper(value: object, levels: int = MOST_DEPTH) -> bool:
    """Return whether a value has more than this many levels of objects and lists."""
    if not isinstance(value, (dict, list)):
        return False
    if levels == 0:
        return True
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, (dict, list)) and is_deeper(each, levels - 1):
            return True
    return False


def copied(value: object) -> object:
    """Return a deep copy of a JSON value, in a fifth of the time of `copy.deepcopy`."""
    if isinstance(value, dict):
        return {name: copied(each) for name, each in value.items()}
    return [copied(each) for each in value] if isinstance(value, list) else value


def completed(
    node: Node | None,
    value: object,
    shared: Shared | None = None,
    *,
    keeps: bool = False,
    prunes: bool = True,
    fills: bool = True,
) -> object:
    """Return a value as on the server: without the fields that no schema describes, without each null whose schema
    has neither `nullable` nor a default, and with defaults.

    `keeps`: an outer schema preserves unknown fields; `prunes`: unknown fields are dropped; `fills`: nulls are dropped
    and defaults are set. The result is a copy. That of a shared value is shared instead, and computed once.
    """
    if not isinstance(value, (dict, list)):
        return value
    if shared is None:
        return _completed(node, value, None, keeps, prunes, fills)
    key = id(node), id(value), keeps, prunes, fills
    if key not in shared.completed:
        found = _completed(node, value, shared, keeps, prunes, fills)
        shared.completed[key] = shared.interned(found)
    return shared.completed[key]


def _completed(
    node: Node | None,
    value: dict[str, object] | list[object],
    shared: Shared | None,
    keeps: bool,
    prunes: bool,
    fills: bool,
) -> dict[str, object] | list[object]:
    keeps = keeps or (node is not None and node.preserves)
    if isinstance(value, list):
        items = None if node is None else node.items
        return [
            (
                _default(items, shared)
                if fills and each is None and items is not None and not items.nullable
                else completed(
                    items, each, shared, keeps=keeps, prunes=prunes, fills=fills
                )
            )
            for each in value
        ]
    found: dict[str, object] = {}
    is_object = node is not None and node.is_embedded
    keeps_others = node is not None and node.keeps_others
    for name, each in value.items():
        inner = None if node is None else node.member(name)
        if fills and each is None and inner is not None and not inner.nullable:
            if inner.default is not None:
                found[name] = _default(inner, shared)
        elif not prunes or (is_object and name in _OBJECT_FIELDS):
            found[name] = completed(inner, each, shared, prunes=False, fills=fills)
        elif inner is not None or keeps_others:
            found[name] = completed(inner, each, shared, fills=fills)
        elif keeps:
            found[name] = copied(each) if shared is None else each
    for name, _ in node.defaults if fills and node is not None else ():
        if name not in found and node is not None:
            found[name] = _default(node.fields[name], shared)
    return found


def _default(node: Node, shared: Shared | None) -> object:
    """Return a copy of the default of a schema, with the defaults of its fields. Defaults are not pruned."""
    default = node.default if shared is None else shared.value(node.default)
    return completed(node, default, shared, prunes=False)


RULES: Final = "x-kubernetes-validations"
_BLOCKING: Final = frozenset(
    {
        ErrorType.NOT_SUPPORTED,
        ErrorType.REQUIRED,
        ErrorType.TOO_LONG,
        ErrorType.TOO_MANY,
        ErrorType.TYPE_INVALID,
    }
)
"""Errors of these types keep the server from evaluating rules in CEL."""


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The object on the server, and the errors for which it rejects the request."""

    value: Any
    violations: tuple[Violation, ...]


class Structural:
    """The schema of one version of a CRD. The schema is not checked, and must be one that the server accepts.

    `shared` has the results of evaluations, for callers that evaluate many similar objects. Evaluated objects then
    share their parts: do not change them.
    """

    def __init__(self, schema: Schema, shared: Shared | None = None) -> None:
        self.schema: Schema = {**schema, EMBEDDED: True}
        self._node = Node(self.schema) if shared is None else shared.node(self.schema)
        self._ruled = _ruled(self._node, {} if shared is None else shared.ruled)
        self._shared = shared
        self._created: dict[int, tuple[Violation, ...]] = {}

    def shared(self, value: object) -> Any:
        """Return the value with the parts that it shares with others; the value itself if this schema shares nothing."""
        return value if self._shared is None else self._shared.value(value)

    def pruned(self, value: object) -> Any:
        """Return a copy of an object without the fields that no schema describes."""
        return completed(self._node, value, fills=False)

    def completed(self, value: object) -> Any:
        """Return a copy of an object as read from storage: without unknown fields and invalid nulls, and with defaults."""
        return completed(self._node, self.shared(value), self._shared)

    def checked(self, value: object) -> list[Violation]:
        """Return the violations of an unchanged object: no field is dropped or set by default, and rules are not
        evaluated.
        """
        return find_violations(self._node, self.shared(value), None, self._shared)

    def evaluate(self, value: object, old: object = None) -> Evaluated:
        """Evaluate a creation, or the update of the stored object `old`, which is defaulted first."""
        if is_deeper(value) or is_deeper(old):
            problem = f"the object has more than {MOST_DEPTH} levels"
            return Evaluated(value, (Violation("", internal_error(ROOT, problem)),))
        defaulted = self.completed(value)
        before = None if old is None else self.completed(old)
        if self._shared is not None:
            return self._evaluated(self._shared, defaulted, before)
        violations = find_violations(self._node, defaulted, before)
        return Evaluated(
            defaulted, (*violations, *self._by_rules(violations, defaulted, before))
        )

    def _evaluated(
        self, shared: Shared, defaulted: object, before: object
    ) -> Evaluated:
        """Evaluate an object with the cached results of shared values."""
        if before is None and id(defaulted) in self._created:
            return Evaluated(defaulted, self._created[id(defaulted)])
        found = find_violations(self._node, defaulted, before, shared)
        is_plain = shared.is_plain(defaulted) and shared.is_plain(before)
        by_rules = self._by_rules(
            found, defaulted, before, shared if is_plain else None
        )
        violations = (*found, *by_rules)
        if before is None:
            self._created[id(defaulted)] = violations
        return Evaluated(defaulted, violations)

    def _by_rules(
        self,
        violations: list[Violation],
        value: object,
        before: object,
        shared: Shared | None = None,
    ) -> Iterator[Violation]:
        """Yield the violations of rules, which are not evaluated if certain other violations exist. `shared`: the values
        are shared and plain.
        """
        if self._ruled is None or any(
            each.error.type in _BLOCKING for each in violations
        ):
            return
        if shared is not None:
            evaluator = SharedEvaluator(self._ruled, shared)
            before = ABSENT if before is None else before
            evaluator.walk(self._ruled, value, before, ROOT, unchanged=False)
            errors = evaluator.errors
        else:
            value, before = (_as_seen(self._node, each) for each in (value, before))
            types = {"": self._ruled}
            errors = evaluate_rules(types, "", lambda tree: tree, value, before)
        yield from (Violation(RULES, error) for error in errors)


def _as_seen(node: Node | None, value: object) -> object:
    """Return a value without fields that are null: for `has` in a rule, the server treats them as unset."""
    if isinstance(value, list):
        items = None if node is None else node.items
        return [_as_seen(items, each) for each in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _as_seen(None if node is None else node.member(name), each)
        for name, each in value.items()
        if each is not None or node is None or name not in node.fields
    }


def _ruled(node: Node, known: dict[int, Ruled | None]) -> Ruled | None:
    """Return the rules of a schema and of its nested schemas, or `None`; `known` are those of other nodes."""
    if id(node) not in known:
        known[id(node)] = _read_ruled(node, known)
    return known[id(node)]


def _read_ruled(node: Node, known: dict[int, Ruled | None]) -> Ruled | None:
    fields = {}
    for name, inner in node.fields.items():
        found = _ruled(inner, known)
        if found is not None:
            fields[name] = found
    items, values = (
        None if inner is None else _ruled(inner, known)
        for inner in (node.items, node.others)
    )
    schema = node.schema
    written = schema.get(RULES)
    rules = tuple(_rule(each) for each in written) if isinstance(written, list) else ()
    if not (rules or fields or items or values):
        return None
    keys = schema.get(LIST_MAP_KEYS)
    return Ruled(
        rules=rules,
        fields=fields,
        items=items,
        values=values,
        list_keys=tuple(keys) if isinstance(keys, list) else (),
        is_set=node.list_type == "set",
        atomic=schema.get("x-kubernetes-map-type") == "atomic",
    )


def _rule(written: dict[str, object]) -> Rule:
    reason = str(written.get("reason") or "FieldValueInvalid")
    reasons = {
        "FieldValueRequired": ErrorType.REQUIRED,
        "FieldValueForbidden": ErrorType.FORBIDDEN,
        "FieldValueDuplicate": ErrorType.DUPLICATE,
    }
    return Rule(
        rule=str(written.get("rule", "")),
        message=str(written.get("message", "")),
        message_expression=str(written.get("messageExpression", "")),
        reason=reasons.get(reason, ErrorType.INVALID),
        field_path=str(written.get("fieldPath", "")),
        optional_old_self=written.get("optionalOldSelf") is True,
    )


class SharedEvaluator(RuleEvaluator):
    """Evaluates the rules of shared plain values. Results for new values are shared."""

    def __init__(self, ruled: Ruled, shared: Shared) -> None:
        super().__init__({"": ruled})
        self._shared = shared

    def walk(
        self,
        ruled: Ruled,
        value: object,
        old: object,
        path: FieldPath,
        *,
        unchanged: bool,
        skipped: frozenset[str] = frozenset(),
    ) -> None:
        """Evaluate the rules of a value and of the values in it, or take the known result."""
        is_new = (old is ABSENT or old is None) and not unchanged
        if not is_new or not isinstance(value, (str, dict, list)):
            super().walk(ruled, value, old, path, unchanged=unchanged, skipped=skipped)
            return
        key = id(ruled), value if isinstance(value, str) else id(value)
        count, place, errors = self._shared.ruled_errors.get(key, (self.left, "", []))
        if count < self.left and (not errors or place == str(path)):
            self.left -= count
            self.errors += errors
            return
        start, left = len(self.errors), self.left
        super().walk(ruled, value, old, path, unchanged=unchanged, skipped=skipped)
        if self.left > 0:
            errors = self.errors[start:]
            known = left - self.left, str(path) if errors else "", errors
            self._shared.ruled_errors[key] = known

    def evaluate_rule(
        self,
        ruled: Ruled,
        rule: Rule,
        value: object,
        old: object,
        path: FieldPath,
        variables: dict[str, object],
    ) -> None:
        """Evaluate one rule of a value, unless the parts of the value that it reads are known to satisfy it."""
        names = _fields_read(rule.rule)
        if old is not ABSENT or names is None or not isinstance(value, dict):
            super().evaluate_rule(ruled, rule, value, old, path, variables)
            return
        read = {
            name: each
            for name, each in value.items()
            if name in names or escaped(name) in names
        }
        parts = (
            (name, id(each) if isinstance(each, (dict, list)) else (type(each), each))
            for name, each in read.items()
        )
        key = id(ruled), rule, *parts
        if key in self._shared.satisfied:
            return
        before = len(self.errors)
        super().evaluate_rule(ruled, rule, read, old, path, {})
        if len(self.errors) == before:
            self._shared.satisfied.add(key)
            return
        del self.errors[before:]  # its message may read other parts
        super().evaluate_rule(ruled, rule, value, old, path, variables)


_SELF: Final = re.compile(r"\bself\b(?:\s*\.\s*(?P<field>[A-Za-z_]\w*)\b(?!\s*\())?")


@cache
def _fields_read(expression: str) -> frozenset[str] | None:
    """Return the fields of `self` that an expression reads, as it names them; None if it may read all of it."""
    found = [each["field"] for each in _SELF.finditer(bare_expression(expression))]
    return frozenset(found) if all(found) else None
