"""Where what came or went would stand on the side that does not have it."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.surface.surface import Service, Version
from apigen.compat.surface.types import Alias, Enum, EnumValue, Struct
from apigen.dataclass import replace
from apigen.diagnostics import Place

_Whole = Struct | Enum | Alias | Service


def nearer(change: AnyChange, old: Version, new: Version) -> AnyChange:
    """A change with the place of what is around, of what came or went as a whole: the type that it is nested in, or its file.

    Other changes are left as they are.
    """
    if isinstance(change, Removed) and isinstance(change.part, _Whole):
        return replace(change, new_place=_around(change.part, new))
    if isinstance(change, Added) and isinstance(change.part, _Whole):
        return replace(change, old_place=_around(change.part, old))
    return change


def nearest_value(change: AnyChange, old: Enum, new: Enum) -> AnyChange:
    """A change with the place of the value that has the number now, or had it, where a value of an enum came or went."""
    if not isinstance(change, Added | Removed) or not isinstance(change.part, EnumValue) or change.part.number is None:
        return change
    there, here = (new, old) if isinstance(change, Removed) else (old, new)
    values = (value for name, value in there.values.items() if name not in here.values)
    partner = next((value for value in values if value.number == change.part.number), None)
    if partner is None:
        return change
    return replace(change, new_place=partner.place) if there is new else replace(change, old_place=partner.place)


def _around(part: _Whole, version: Version) -> Place:
    name = part.name if isinstance(part, Service) else part.name.name
    while "." in name:
        name = name.rpartition(".")[0]
        outer = version.types.get(name)
        if outer is not None:
            return outer.place
    file = None if isinstance(part, Alias) else version.files.get(part.file)
    return version.place if file is None else Place(file.place.file)
