"""Where an element stands in a surface, or would stand."""

from __future__ import annotations

from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.members import field_of
from apigen.compat.surface.surface import Group, Surface, Version
from apigen.compat.surface.types import Enum, Struct
from apigen.diagnostics import Place


def nearest_place(surface: Surface, element: Element) -> Place:
    """The place of an element; of one that is not there, that of the nearest parent that is, or of the input as a whole."""
    whole = Place(surface.label)
    if element.kind is ElementKind.GATE:
        gate = surface.gates.get(element.path)
        return whole if gate is None else gate.place
    group = surface.groups.get(element.group)
    if group is None:
        return whole
    version = group.versions.get(element.version)
    return _in_group(group, element) if version is None else _in_version(version, element)


def _in_group(group: Group, element: Element) -> Place:
    kind = group.kinds.get(element.type)
    return group.place if kind is None else kind.place


def _in_version(version: Version, element: Element) -> Place:
    if element.kind is ElementKind.KIND and element.type in version.kinds:
        return version.kinds[element.type].place
    type_ = version.types.get(element.type)
    if type_ is None:
        return version.place
    if isinstance(type_, Struct) and element.path:
        field = field_of(type_, element.path)
        return type_.place if field is None else field.place
    if isinstance(type_, Enum) and element.path in type_.values:
        return type_.values[element.path].place
    return type_.place
