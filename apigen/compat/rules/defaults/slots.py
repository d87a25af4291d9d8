"""The places of a surface that have a default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Alias, Default, Field, ListOf, MapOf, Slot, Struct, TypeDef
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Defaulted:
    """A place for a value, and its default."""

    element: Element
    slot: Slot
    default: Default


def defaulted_slots(surface: Surface) -> Iterator[Defaulted]:
    """All places that have a default: fields, what lists and maps hold, and aliases."""
    return _defaulted(_types(surface))


def version_defaults(version: Version) -> dict[str, Default]:
    """The defaults of a version by type and path, those that types give by path among them."""
    types = version.types.values()
    own = ((each.element, each.default) for each in _defaulted(types))
    return {f"{at.type}.{at.path}" if at.path else at.type: default for at, default in (*own, *_by_path(types))}


def _defaulted(types: Iterable[TypeDef]) -> Iterator[Defaulted]:
    for type_ in types:
        name = type_.name
        if isinstance(type_, Struct):
            for field in type_.fields.values():
                element = Element(ElementKind.FIELD, name.group, name.version, name.name, field.name)
                yield from _in_slot(element, field.slot)
        elif isinstance(type_, Alias):
            yield from _in_slot(Element(ElementKind.ALIAS, name.group, name.version, name.name), type_.slot)


def defaulted_fields(surface: Surface) -> Iterator[tuple[Defaulted, Field]]:
    """The fields that have a default of their own."""
    for type_ in _types(surface):
        if isinstance(type_, Struct):
            name = type_.name
            for field in type_.fields.values():
                if field.slot.default is not None:
                    element = Element(ElementKind.FIELD, name.group, name.version, name.name, field.name)
                    yield Defaulted(element, field.slot, field.slot.default), field


def path_defaults(surface: Surface) -> Iterator[tuple[Element, Default]]:
    """The defaults that types give by path to places inside them."""
    return _by_path(_types(surface))


def _by_path(types: Iterable[TypeDef]) -> Iterator[tuple[Element, Default]]:
    for type_ in types:
        for path, slot in type_.defaults.items() if isinstance(type_, Struct) else ():
            if slot.default is not None:
                name = type_.name
                yield Element(ElementKind.FIELD, name.group, name.version, name.name, path), slot.default


def _types(surface: Surface) -> Iterator[TypeDef]:
    for group in (each for each in surface.groups.values() if not each.borrowed):
        for version in group.versions.values():
            yield from version.types.values()


def _in_slot(element: Element, slot: Slot) -> Iterator[Defaulted]:
    if slot.default is not None:
        yield Defaulted(element, slot, slot.default)
    match slot.type:
        case ListOf(item):
            yield from _in_slot(element.inside(ElementKind.ITEM, "[]"), item)
        case MapOf(_, value):
            yield from _in_slot(element.inside(ElementKind.VALUE, "{}"), value)
