"""The old side as bytes of protobuf have it: what has a number is known by it, whatever it is called."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Enum, Field, Named, Struct, TypeDef, Union
from apigen.dataclass import replace

_Numbered = tuple[str, Hashable | None]
"""A name, and what it is known by in bytes; None: by nothing but its name."""


def named_by_number(old: Surface, new: Surface) -> Surface:
    """The old side, whose fields and values of enums have the names that the new side has for their numbers.

    One whose number is gone keeps its name or, where the new side gave that to another number, says its number beside it.
    """
    names = _NamesOfValues(old, new)
    groups = {
        group.name: replace(group, versions={name: _version(each, new, names) for name, each in group.versions.items()})
        for group in old.groups.values()
    }
    return replace(old, groups=groups)


class _NamesOfValues:
    """By enum, the names that the new side has for the values of the old one; answers are kept."""

    def __init__(self, old: Surface, new: Surface) -> None:
        self._sides = old, new
        self._known: dict[TypeName, Mapping[str, str]] = {}

    def of(self, name: TypeName) -> Mapping[str, str]:
        """Those of one enum; empty for all else."""
        if name not in self._known:
            old, new = (side.type(name) for side in self._sides)
            both = isinstance(old, Enum) and isinstance(new, Enum)
            self._known[name] = _names(_values(old), _values(new)) if both else {}
        return self._known[name]


def _version(version: Version, new: Surface, names: _NamesOfValues) -> Version:
    types = {
        name: (
            _struct(type_, new.type(type_.name), names)
            if isinstance(type_, Struct)
            else _enum(type_, names.of(type_.name)) if isinstance(type_, Enum) else type_
        )
        for name, type_ in version.types.items()
    }
    return replace(version, types=types)


def _struct(old: Struct, new: TypeDef | None, names_of_values: _NamesOfValues) -> Struct:
    names = _names(_fields(old), _fields(new))
    fields = [_field(field, names[field.name], names_of_values) for field in old.fields.values()]
    unions = tuple(_union(union, names) for union in old.unions)
    return replace(old, fields={field.name: field for field in fields}, unions=unions)


def _field(field: Field, name: str, names_of_values: _NamesOfValues) -> Field:
    slot = field.slot
    if slot.default is not None and isinstance(slot.type, Named):
        names = {json.dumps(value): json.dumps(now) for value, now in names_of_values.of(slot.type.name).items()}
        slot = replace(slot, default=replace(slot.default, text=names.get(slot.default.text, slot.default.text)))
    return replace(field, name=name, slot=slot)


def _union(union: Union, names: Mapping[str, str]) -> Union:
    return replace(union, members={names.get(name, name): value for name, value in union.members.items()})


def _enum(enum: Enum, names: Mapping[str, str]) -> Enum:
    values = (replace(value, value=names.get(name, name)) for name, value in enum.values.items())
    return replace(enum, values={value.value: value for value in values})


def _fields(type_: TypeDef | None) -> list[_Numbered]:
    fields = type_.fields.values() if isinstance(type_, Struct) else ()
    return [(each.name, None if each.number is None else (each.number, each.via)) for each in fields]


def _values(type_: TypeDef | None) -> list[_Numbered]:
    return [(each.value, each.number) for each in type_.values.values()] if isinstance(type_, Enum) else []


def _names(old: Iterable[_Numbered], new: Iterable[_Numbered]) -> dict[str, str]:
    """By its old name, what each is called on the new side."""
    known = dict(new)
    by_number = {number: name for name, number in reversed(known.items()) if number is not None}
    found: dict[str, str] = {}
    for name, number in sorted(old, key=lambda each: each[1] is None):
        if number is None:
            found[name] = f"{name} (without a number)" if name in found.values() else name
        elif name in known and known[name] in (number, None):
            found[name] = name
        else:
            told = number[0] if isinstance(number, tuple) else number
            found[name] = by_number.get(number, f"{name} (number {told})" if name in known else name)
    return found
