"""The content of schemas as text of one form, and which schemas exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import combinations
from operator import and_

from apigen.dataclass import dataclass, field
from apigen.files.hashing import sha256
from apigen.inputs.schemas.scope import References
from apigen.inputs.schemas.words import canonical, value_of
from apigen.language.json_values import JsonValue, type_of
from apigen.language.nodes import Node

_MOST_PAIRED = 64
"""Schemas of which each pair is looked at; of more, one member must tell all of them apart."""
_STEPS = 8
_PLAIN = frozenset({"string", "number", "boolean"})
_TYPES = frozenset({"object", "array", "string", "number", "boolean", "null"})


@dataclass(frozen=True, slots=True)
class _Sign:
    """Known properties of the values of a schema: their types, and the constants that a property must have."""

    types: frozenset[str] = _TYPES
    is_integer: bool = False
    members: Mapping[str, frozenset[str]] = field(default_factory=dict)
    values: frozenset[str] | None = None

    def __and__(self, other: _Sign) -> _Sign:
        """Return the sign of the values that match both schemas."""
        common = {name: values & other.members.get(name, values) for name, values in self.members.items()}
        values = (
            self.values if other.values is None else other.values if self.values is None else self.values & other.values
        )
        is_integer = self.is_integer or other.is_integer
        return _Sign(self.types & other.types, is_integer, {**other.members, **common}, values)


def distinction(items: Sequence[Node], references: References) -> tuple[bool, tuple[str, ...]]:
    """Return whether each value certainly matches at most one of several schemas, and a name for each schema: its type,
    or the constant of a property; no names if no single property distinguishes all of them.
    """
    signs = [_sign(value_of(item), references, item, _STEPS) for item in items]
    for name in signs[0].members if signs else ():
        if _tells_all(name, signs):
            return True, tuple(f"{name}: {', '.join(sorted(sign.members[name]))}" for sign in signs)
    types = ["/".join(sorted(sign.types)) for sign in signs]
    if len({type_ for sign in signs for type_ in sign.types}) == sum(len(sign.types) for sign in signs):
        return True, () if any(sign.types == _TYPES for sign in signs) else tuple(types)
    paired = len(signs) <= _MOST_PAIRED and all(_are_disjoint(one, other) for one, other in combinations(signs, 2))
    return paired, ()


def is_object(node: Node, references: References) -> bool:
    """Return whether each value of a schema is certainly an object."""
    return _sign(value_of(node), references, node, _STEPS).types == {"object"}


def one_type(items: Sequence[Node], references: References) -> str | None:
    """Return the common type of several schemas if it is a string, a number or a boolean; None otherwise."""
    signs = [_sign(value_of(item), references, item, _STEPS) for item in items]
    types = frozenset[str]().union(*(sign.types for sign in signs))
    if len(types) != 1 or not types <= _PLAIN:
        return None
    return "integer" if all(sign.is_integer for sign in signs) else next(iter(types))


def _tells_all(name: str, signs: list[_Sign]) -> bool:
    seen: set[str] = set()
    for sign in signs:
        values = sign.members.get(name)
        if values is None or sign.types != {"object"} or values & seen:
            return False
        seen |= values
    return True


def _are_disjoint(one: _Sign, other: _Sign) -> bool:
    if not one.types & other.types:
        return True
    if one.values is not None and other.values is not None and not one.values & other.values:
        return True
    if one.types != {"object"} and other.types != {"object"}:
        return False
    return any(not values & other.members[name] for name, values in one.members.items() if name in other.members)


def _sign(value: JsonValue, references: References, at: Node, steps: int) -> _Sign:
    if not isinstance(value, dict):
        return _Sign()
    reference = value.get("$ref")
    if isinstance(reference, str):
        name = references.name(reference, at)
        target = None if name is None or not steps else references.target(name)
        return _Sign() if target is None else _sign(value_of(target), references, target, steps - 1)
    values = _values(value)
    listed = None if values is None else frozenset(map(canonical, values))
    sign = _Sign(_types(value, values), value.get("type") == "integer", _members(value), listed)
    every = value.get("allOf")
    ofs = (_sign(each, references, at, steps - 1) for each in every) if isinstance(every, list) and steps else ()
    return reduce(and_, ofs, sign)


def _values(value: dict[str, JsonValue]) -> list[JsonValue] | None:
    if "const" in value:
        return [value["const"]]
    listed = value.get("enum")
    return listed if isinstance(listed, list) and listed else None


def _types(value: dict[str, JsonValue], values: list[JsonValue] | None) -> frozenset[str]:
    if value.get("nullable") is True or value.get("x-kubernetes-int-or-string") is True:
        return _TYPES
    written = value.get("type")
    names = [written] if isinstance(written, str) else written if isinstance(written, list) else []
    types = frozenset("number" if name == "integer" else str(name) for name in names) or _TYPES
    return types if values is None else types & frozenset(map(type_of, values))


def _members(value: dict[str, JsonValue]) -> dict[str, frozenset[str]]:
    """The constants of members that must be there."""
    properties, required = value.get("properties"), value.get("required")
    if not isinstance(properties, dict) or not isinstance(required, list):
        return {}
    found = {}
    for name, inner in properties.items():
        values = _values(inner) if isinstance(inner, dict) else None
        if values is not None and name in required:
            found[name] = frozenset(map(canonical, values))
    return found


_ANNOTATIONS = frozenset({"description", "title", "$comment", "examples", "example", "$id", "id", "$anchor"})
_DATA = frozenset({"const", "enum", "default", "examples", "example"})
_INVERTING = frozenset({"not", "if", "oneOf", "contains", "dependencies"})
_LONGEST = 80
_HASH = 8


def content_of(node: Node) -> str:
    """Return a schema as canonical JSON, without documentation."""
    return canonical(_bare(value_of(node)))


def label_of(content: str) -> str:
    """A content as a name: itself, or its beginning with a hash of the whole."""
    if len(content) <= _LONGEST:
        return content
    return f"{content[: _LONGEST - _HASH - 2]}… {_hash(content)}"


def references_in(value: JsonValue) -> Iterator[str]:
    """The `$ref`s in a schema."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "$ref" and isinstance(inner, str):
                yield inner
            elif name not in _DATA:
                yield from references_in(inner)
    elif isinstance(value, list):
        for item in value:
            yield from references_in(item)


class Resolved:
    """The contents of schemas together with all that they refer to, over any number of steps."""

    def __init__(self, references: References) -> None:
        self._references = references
        self._contents: dict[str, tuple[str, tuple[str, ...]]] = {}

    def names(self, node: Node) -> tuple[str, ...]:
        """The types that a schema refers to itself, in order of the alphabet."""
        found = (self._references.name(reference, node) for reference in references_in(value_of(node)))
        return tuple(sorted({name for name in found if name is not None}))

    def content_of(self, node: Node, *, always: bool = True) -> str:
        """Return the content of a schema; if it has references, with a hash of all referenced schemas.

        Without `always`, only if it contains a keyword that inverts strictness.
        """
        content, waiting = content_of(node), list(self.names(node))
        if not waiting or not (always or _inverts(value_of(node))):
            return content
        seen: dict[str, str] = {}
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen[name], inner = self._of(name)
                waiting.extend(inner)
        return f"{content} with {_hash(canonical([list(each) for each in sorted(seen.items())]))}"

    def _of(self, name: str) -> tuple[str, tuple[str, ...]]:
        if name not in self._contents:
            target = self._references.target(name)
            self._contents[name] = ("", ()) if target is None else (content_of(target), self.names(target))
        return self._contents[name]


def _inverts(value: JsonValue) -> bool:
    """Return whether a schema contains references that make the whole stricter when their targets become looser (`not`), or
    that evaluate parts of a value for keywords next to them.
    """
    if isinstance(value, list):
        return any(map(_inverts, value))
    if not isinstance(value, dict):
        return False
    if any(name.startswith("unevaluated") for name in value) and any(references_in(value)):
        return True
    return any(
        (name in _INVERTING and any(references_in(inner))) or (name not in _DATA and _inverts(inner))
        for name, inner in value.items()
    )


def _bare(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        kept = (
            (name, inner) for name, inner in value.items() if not (name in _ANNOTATIONS and not isinstance(inner, dict))
        )
        return {name: inner if name in _DATA else _bare(inner) for name, inner in kept}
    return [_bare(item) for item in value] if isinstance(value, list) else value


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass"))[:_HASH]
