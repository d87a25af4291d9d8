"""Where a type or a service would stand on the side that does not have it."""

from __future__ import annotations

from dataclasses import replace

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.surface.surface import Service, Version
from apigen.compat.surface.types import Alias, Enum, Struct
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


def _around(part: _Whole, version: Version) -> Place:
    name = part.name if isinstance(part, Service) else part.name.name
    while "." in name:
        name = name.rpartition(".")[0]
        outer = version.types.get(name)
        if outer is not None:
            return outer.place
    file = None if isinstance(part, Alias) else version.files.get(part.file)
    return version.place if file is None else Place(file.place.file)
