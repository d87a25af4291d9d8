"""A surface in which one type has the name of another."""

from __future__ import annotations

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import TypeDef
from apigen.dataclass import replace


def with_type(surface: Surface, type_: TypeDef, name: TypeName) -> Surface:
    """The surface with a type under another name, in place of what had it. One without that version is left as it is."""
    group = surface.groups.get(name.group)
    version = None if group is None else group.versions.get(name.version)
    if group is None or version is None:
        return surface
    named = replace(version, types={**version.types, name.name: replace(type_, name=name)})
    versions = {**group.versions, name.version: named}
    return replace(surface, groups={**surface.groups, name.group: replace(group, versions=versions)})
