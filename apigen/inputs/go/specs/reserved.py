"""Gaps in the field numbers of Go structs. Old data may use them for unknown fields, so they are reserved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from apigen.inputs.go.model import GoTypeDeclaration
from apigen.inputs.merging import Entries, Value
from apigen.ir.numbers import merged_ranges, without_numbers
from apigen.language.model import GroupSpec, NumberRange, TypeSpec

RESERVED = "reserved"


def unexplained_numbers(
    declared: GoTypeDeclaration, fields: Mapping[str, Value], tombstones: Mapping[str, Value]
) -> list[Value]:
    """Return the numbers below the highest one that no field or tombstone has.

    Numbers of omitted fields are included: Go uses them.
    """
    known = {number for _, number in (*_numbered(fields), *_numbered(tombstones))}
    numbers = [field.protobuf.number for field in declared.fields if field.protobuf is not None]
    highest = max([0, *known, *(number for number in numbers if number is not None)])
    return _written(_between([0, *sorted(known), highest + 1]))


def without_numbers_in_use(types: Mapping[str, Value], group: GroupSpec | None, version: str) -> Entries:
    """Return the types of a version without reserved numbers that a field of the existing specs has.

    Users add fields to imported types, and specs assign numbers to fields that have none in Go.
    """
    used = {} if group is None else _used(group, version)
    remaining_types = type(types)() if isinstance(types, dict) else {}
    for name, body in types.items():
        if isinstance(body, dict) and RESERVED in body:
            imported_fields = {field for field, _ in _numbered(body.get("fields"))}
            own_numbers = {number for field, number in used.get(name, ()) if field not in imported_fields}
            remaining = _written(
                rest for one in read_ranges(body[RESERVED]) for rest in without_numbers(one, own_numbers)
            )
            body = type(body)({key: remaining if key == RESERVED else value for key, value in body.items()})
            if not remaining:
                del body[RESERVED]
        remaining_types[name] = body
    return remaining_types


def same_numbers(written: object, imported: Value) -> bool:
    """Return whether the specs reserve all these numbers; they may reserve more."""
    reserved = merged_ranges(read_ranges(written))
    return all(any(hole.first in one and hole.last in one for one in reserved) for hole in read_ranges(imported))


def read_ranges(reserved: object) -> Iterator[NumberRange]:
    """Yield the valid ranges of a list in specs: `[4, "9-11"]`."""
    for one in reserved if isinstance(reserved, list) else ():
        first, _, last = str(one).partition("-")
        if first.isdecimal() and (last or first).isdecimal():
            yield NumberRange(int(first), int(last or first))


def _written(ranges: Iterable[NumberRange]) -> list[Value]:
    return [one.first if one.first == one.last else str(one) for one in ranges]


def _between(numbers: Sequence[int]) -> Iterator[NumberRange]:
    """The ranges of numbers that are missing between those given, which are in order."""
    return (NumberRange(a + 1, b - 1) for a, b in pairwise(numbers) if a + 1 < b)


def _numbered(entries: Value) -> Iterator[tuple[str, int]]:
    """The entries of a mapping that have a number."""
    for name, entry in entries.items() if isinstance(entries, Mapping) else ():
        number = entry.get("protobuf") if isinstance(entry, Mapping) else None
        if isinstance(number, int):
            yield name, number


def _used(group: GroupSpec, version: str) -> Mapping[str, list[tuple[str, int]]]:
    """The numbers that the fields of each type of a version have, as written or in the lock."""
    types: tuple[TypeSpec, ...] = next((file.types for file in group.version_files if file.name == version), ())
    locked = {type_.name: type_ for lock in group.locks if lock.version == version for type_ in lock.types}
    used: dict[str, list[tuple[str, int]]] = {}
    for type_ in types:
        names = {field.name for field in type_.fields}
        used[type_.name] = [(field.name, field.protobuf.value) for field in type_.fields if field.protobuf is not None]
        fields = locked[type_.name].fields if type_.name in locked else ()
        used[type_.name] += [(f.json_name, f.number) for f in fields if f.number and f.json_name in names]
    return used
