"""The elements of a side that have a lifecycle of their own."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.lifecycle import NO_LIFECYCLE, Lifecycle
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Enum, Field, Struct, TypeDef
from apigen.compat.windows import is_inherited
from apigen.dataclass import dataclass
from apigen.diagnostics import Place

LIVING_TYPES = (ElementKind.VERSION, ElementKind.KIND, ElementKind.STRUCT, ElementKind.FIELD)
LIVING = (*LIVING_TYPES, ElementKind.ENUM_VALUE)
"""The kinds of elements that have a lifecycle."""


@dataclass(frozen=True, slots=True)
class Living:
    """An element with what is said of its time; `field` where it is one."""

    element: Element
    life: Lifecycle
    place: Place
    field: Field | None = None


def living(surface: Surface, context: Context) -> tuple[Living, ...]:
    """Versions, kinds, fields and enum values of a side of a comparison of which anything is said; looked for once.

    A kind that has the lifecycle of its version is not told again, nor is the type that it is made of.
    """
    known = context.kept(_known)
    if id(surface) not in known:
        known[id(surface)] = tuple(_living(surface))
    return known[id(surface)]


def _known(context: Context) -> dict[int, tuple[Living, ...]]:
    """What was found so far, by side."""
    return {}


def _living(surface: Surface) -> Iterator[Living]:
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            yield from _of_version(version)
            for type_ in version.types.values():
                yield from _members(type_, version)


def _of_version(version: Version) -> Iterator[Living]:
    if version.lifecycle != NO_LIFECYCLE:
        yield Living(Element(ElementKind.VERSION, version.group, version.name), version.lifecycle, version.place)
    for kind in version.kinds.values():
        if kind.lifecycle != NO_LIFECYCLE and not is_inherited(kind.lifecycle, version.lifecycle):
            element = Element(ElementKind.KIND, version.group, version.name, kind.kind)
            yield Living(element, kind.lifecycle, kind.place)


def _members(type_: TypeDef, version: Version) -> Iterator[Living]:
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            if field.lifecycle != NO_LIFECYCLE:
                element = Element(ElementKind.FIELD, version.group, version.name, type_.name.name, field.name)
                yield Living(element, field.lifecycle, field.place, field)
    elif isinstance(type_, Enum):
        for value in type_.values.values():
            if value.lifecycle != NO_LIFECYCLE:
                element = Element(ElementKind.ENUM_VALUE, version.group, version.name, type_.name.name, value.value)
                yield Living(element, value.lifecycle, value.place)
