"""Candidate declarations that join a field of a version with a field of the hub: one function per kind of difference.

Only names and types are compared. Planning with a candidate decides whether it is valid (`suggestions`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher

from apigen.dataclass import dataclass
from apigen.ir.expressions import hub_type, value_conversion
from apigen.ir.model import (
    STRING,
    Enum,
    EnumType,
    Field,
    ListType,
    MapType,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    is_text,
    struct_behind,
    underlying,
)
from apigen.language.node_text import text

LEAST_LIKENESS = 0.5
"""Two names are alike from this ratio of `difflib` on, after units such as `Seconds` are removed."""

_DEEPEST = 3
"""Maximum number of structs between the two places of a move."""

_SECONDS = "seconds: truncate, outOfRange: cap"
"""Without `cap`, an object with a duration or number that the other side cannot hold could not be converted."""

_NUMBERS = tuple(ScalarType(scalar) for scalar in (Scalar.INT32, Scalar.INT64, Scalar.UINT32, Scalar.UINT64))

_UNIT = re.compile(r"(Seconds|Secs|Sec)$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A lens in the spec language for a field of a version.

    `texts` are tried in turn until one is valid. `targets` are the hub fields that it maps to, by path; `likeness` is the
    similarity of the names, from 0 to 1.
    """

    field: Field
    targets: tuple[str, ...]
    texts: tuple[str, ...]
    likeness: float


@dataclass(frozen=True, slots=True)
class Pair:
    """A struct of a version and the struct of the hub's version of the same hub type; the fields that neither declares."""

    version: Struct
    hub: Struct
    only_version: tuple[Field, ...]
    only_hub: tuple[Field, ...]
    types: Mapping[TypeId, TypeDef]
    hub_of: Mapping[TypeId, TypeId]

    def is_same(self, one: Type, other: Type) -> bool:
        """Return whether two types are one in the hub."""
        return (is_text(one) and is_text(other)) or hub_type(one, self.hub_of) == hub_type(other, self.hub_of)

    def converts(self, version: Type, hub: Type) -> bool:
        """Return whether values of a version's type convert to those of the hub's."""
        return value_conversion(version, hub_type(hub, self.hub_of), self.hub_of) is not None

    def struct(self, type_: Type) -> Struct | None:
        """The struct that a type names."""
        return struct_behind(type_, self.types)

    def alike(self, least: float = LEAST_LIKENESS) -> Iterator[tuple[Field, Field, float]]:
        """Yield the fields of the version and of the hub whose names have a minimum similarity, with the similarity."""
        for field in self.only_version:
            for target in self.only_hub:
                found = likeness(field, target)
                if found >= least:
                    yield field, target, found


def likeness(one: Field, other: Field) -> float:
    """Return the similarity of the names of two fields, from 0 to 1; equal docs count, too."""
    names = [_UNIT.sub("", field.json_name).casefold() for field in (one, other)]
    if names[0] == names[1]:
        return 1.0
    alike = SequenceMatcher(a=names[0], b=names[1]).ratio()
    if one.doc and one.doc == other.doc:
        return max(alike, 0.9)
    return max(alike, 0.75) if names[0] in names[1] or names[1] in names[0] else alike


def renamed(pair: Pair) -> Iterator[Candidate]:
    """A field of the same type under another name; of a single field on both sides, whatever the names are."""
    is_single = len(pair.only_version) == len(pair.only_hub) == 1
    for field, target, found in pair.alike(0.0 if is_single else LEAST_LIKENESS):
        if pair.is_same(field.type, target.type):
            yield Candidate(field, (target.json_name,), (_lens(field, target, target.json_name),), found)


def unset(pair: Pair) -> Iterator[Candidate]:
    """Yield the lens for a field that can be unset on one side only: unset then corresponds to the zero value."""
    for field in pair.version.fields:
        target = pair.hub.field(field.json_name)
        if target is None or field.hub is not None or target.absent is not None:
            continue
        if pair.is_same(field.type, target.type) and _absent(field, target):
            yield Candidate(field, (field.json_name,), (f"{{{_absent(field, target)}}}",), 1.0)


def replaced(pair: Pair) -> Iterator[Candidate]:
    """A field whose name has another meaning in the hub: the version has the hub's field of that name in a nested struct, and
    the hub has the version's field in one.
    """
    own = {field.json_name: field for field in pair.version.fields if field.hub is None}
    for field in own.values():
        struct = pair.struct(field.type)
        inner = struct.fields if struct is not None else ()
        if not inner or not all(_is_equal(pair, each, pair.hub.field(each.json_name)) for each in inner):
            continue
        same = [own[each.json_name] for each in inner if each.json_name in own and own[each.json_name] is not field]
        hub_paths = {each.json_name: path for each in same if (path := _nested_path(pair, each)) is not None}
        if same and len(hub_paths) == len(same):
            yield Candidate(field, tuple(each.json_name for each in inner), (".",), 1.0)
            for each in same:
                path = hub_paths[each.json_name]
                yield Candidate(each, (path,), (path, f"{{to: {path}, parent: always}}"), 1.0)


def _is_equal(pair: Pair, one: Field, other: Field | None) -> bool:
    """Return whether two fields have the same type, and both or neither can be unset."""
    return other is not None and pair.is_same(one.type, other.type) and one.can_be_none == other.can_be_none


def _nested_path(pair: Pair, field: Field) -> str | None:
    """The path of a field of the same name in a nested struct of the hub's version."""
    below = (found for target in pair.hub.fields for found in _below(pair, target, _DEEPEST))
    return next(
        (path for path, each in below if each.json_name == field.json_name and _is_equal(pair, field, each)), None
    )


def _lens(field: Field, target: Field, path: str, *words: str) -> str:
    """Return the lens from a field to a field of the hub, with a value for unset if only one of them can be unset."""
    absent = _absent(field, target)
    more = [*words, absent] if absent else words
    return f"{{{', '.join([f'to: {path}', *more])}}}" if more else path


def _absent(field: Field, target: Field) -> str:
    """Return the zero value of the side that cannot be unset; empty if both sides can, neither can, or it has no zero
    value.
    """
    if field.can_be_none == target.can_be_none:
        return ""
    match underlying((field if target.can_be_none else target).type):
        case ScalarType(Scalar.STRING) | EnumType():
            return 'absent: ""'
        case ScalarType(scalar) if scalar is not Scalar.BYTES:
            return "absent: false" if scalar is Scalar.BOOL else "absent: 0"
        case WellKnownType(WellKnown.DURATION):
            return "absent: 0s"
        case WellKnownType(WellKnown.QUANTITY):
            return 'absent: "0"'
        case ListType():
            return "absent: []"
        case MapType() | StructType():
            return "absent: {}"
    return ""


def moved_down(pair: Pair) -> Iterator[Candidate]:
    """A field that is in a nested struct of the hub, perhaps as whole seconds on one side."""
    for field in pair.only_version:
        for target in pair.only_hub:
            for path, nested in _below(pair, target, _DEEPEST):
                found = likeness(field, nested)
                are_seconds = _are_seconds(field.type, nested.type)
                if found >= LEAST_LIKENESS and (are_seconds or pair.is_same(field.type, nested.type)):
                    words = (_SECONDS,) if are_seconds else ()
                    texts = (_lens(field, nested, path, *words), _lens(field, nested, path, *words, "parent: always"))
                    yield Candidate(field, (path,), texts, found * 0.95)


def _below(pair: Pair, field: Field, depth: int) -> Iterator[tuple[str, Field]]:
    struct = pair.struct(field.type)
    for inner in struct.fields if struct is not None and depth else ():
        path = f"{field.json_name}.{inner.json_name}"
        yield path, inner
        yield from ((f"{field.json_name}.{more}", found) for more, found in _below(pair, inner, depth - 1))


def flattened(pair: Pair) -> Iterator[Candidate]:
    """Yield the lens for a struct whose fields are in its parent in the hub."""
    free = {field.json_name: field for field in pair.only_hub}
    for field in pair.only_version:
        struct = pair.struct(field.type)
        fields = struct.fields if struct is not None else ()
        if fields and all(
            each.json_name in free and pair.is_same(each.type, free[each.json_name].type) for each in fields
        ):
            yield Candidate(field, tuple(each.json_name for each in fields), (".",), 1.0)


def seconds(pair: Pair) -> Iterator[Candidate]:
    """Whole seconds on one side, a duration on the other."""
    for field, target, found in pair.alike():
        if _are_seconds(field.type, target.type):
            lens = _lens(field, target, target.json_name, _SECONDS)
            yield Candidate(field, (target.json_name,), (lens,), found)


def _are_seconds(one: Type, other: Type) -> bool:
    integers = {ScalarType(Scalar.INT32), ScalarType(Scalar.INT64)}
    duration = WellKnownType(WellKnown.DURATION)
    sides = underlying(one), underlying(other)
    return (sides[0] in integers and sides[1] == duration) or (sides[1] in integers and sides[0] == duration)


def listed(pair: Pair) -> Iterator[Candidate]:
    """A map on one side, a list of its entries on the other."""
    for field, target, found in pair.alike():
        for word, map_, list_ in (("list", field, target), ("map", target, field)):
            texts = tuple(_entries(pair, word, target.json_name, map_.type, list_.type))
            if texts:
                yield Candidate(field, (target.json_name,), texts, found)


def _entries(pair: Pair, word: str, target: str, map_: Type, list_: Type) -> Iterator[str]:
    """The lenses by each text field of the elements that can be the key."""
    outer, items = underlying(map_), underlying(list_)
    if not isinstance(outer, MapType) or not isinstance(items, ListType):
        return
    struct = pair.struct(items.item)
    fields = () if struct is None else struct.fields
    for key in (field for field in fields if is_text(underlying(field.type))):
        others = [field for field in fields if field is not key]
        sides = [(outer.value, each.type) if word == "list" else (each.type, outer.value) for each in others]
        if len(others) == 1 and pair.converts(*sides[0]):
            yield f"{{{word}: {target}, key: {key.json_name}, value: {others[0].json_name}}}"
        elif word == "list" and pair.struct(outer.value) is not None:
            yield f"{{list: {target}, key: {key.json_name}}}"


def singular(pair: Pair) -> Iterator[Candidate]:
    """One value here, a list of values in the hub."""
    for field, target, found in pair.alike():
        items = underlying(target.type)
        if isinstance(items, ListType) and is_text(items.item) and pair.is_same(field.type, items.item):
            yield Candidate(field, (target.json_name,), (f'"{target.json_name}[0]"',), found)


def decimal(pair: Pair) -> Iterator[Candidate]:
    """A number here, the same number as a string in the hub, or the reverse."""
    for field, target, found in pair.alike():
        types = underlying(field.type), underlying(target.type)
        if any(types[a] == STRING and types[1 - a] in _NUMBERS for a in (0, 1)):
            lens = _lens(field, target, target.json_name, "format: decimal")
            yield Candidate(field, (target.json_name,), (lens,), found)


def respelled(pair: Pair) -> Iterator[Candidate]:
    """Yield the lens for an enum whose values have another spelling in the hub's version."""
    for field in pair.version.fields:
        target = pair.hub.field(field.json_name)
        if target is None or field.hub is not None:
            continue
        enums = [
            pair.types.get(type_.id)
            for type_ in map(underlying, (field.type, target.type))
            if isinstance(type_, EnumType)
        ]
        if len(enums) == 2 and isinstance(enums[0], Enum) and isinstance(enums[1], Enum):
            renames = _respellings(enums[0], enums[1])
            if renames:
                entries = ", ".join(f"{text(old)}: {text(new)}" for old, new in renames.items())
                yield Candidate(field, (field.json_name,), (f"{{enum: {{{entries}}}}}",), 1.0)


def _respellings(version: Enum, hub: Enum) -> dict[str, str]:
    """The values of a version that the hub's version spells in another way."""
    version_values, hub_values = ({value.value for value in enum.values} for enum in (version, hub))
    by_letters = {_letters(value): value for value in sorted(hub_values - version_values)}
    return {
        value: by_letters[_letters(value)]
        for value in sorted(version_values - hub_values)
        if _letters(value) in by_letters
    }


def _letters(value: str) -> str:
    return re.sub(r"[^0-9a-z]", "", value.casefold())


CANDIDATES: tuple[Callable[[Pair], Iterator[Candidate]], ...] = (
    respelled,
    replaced,
    unset,
    seconds,
    listed,
    flattened,
    renamed,
    singular,
    moved_down,
)
"""All kinds of candidates. Of two that are alike the first counts."""

BETWEEN_TYPES: tuple[Callable[[Pair], Iterator[Candidate]], ...] = (respelled, seconds, decimal, listed, singular)
"""Yield the candidates for two fields with the same name and different types."""
