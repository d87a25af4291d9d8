"""Which lists tell their elements apart by a field."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.surface.elements import Element
from apigen.compat.surface.resolving import behind
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Alias, ListOf, Named, Slot, Struct


def lists_keyed_by(element: Element, context: Context) -> tuple[str, ...]:
    """The lists of either side, in the version of a field, that hold its struct and have it as a key."""
    found = {name: None for side in (context.old, context.new) for name in _lists(side, element)}
    return tuple(found)


def _lists(side: Surface, element: Element) -> Iterator[str]:
    version = side.version(element.group, element.version)
    for name, slot in () if version is None else _slots(version):
        if element.path in slot.merge.list_map_keys and isinstance(slot.type, ListOf):
            item = behind(side, slot.type.item.type)
            if isinstance(item, Named) and item.name == element.type_name:
                yield name


def _slots(version: Version) -> Iterator[tuple[str, Slot]]:
    for type_ in version.types.values():
        if isinstance(type_, Struct):
            for field in type_.fields.values():
                yield f"{type_.name.name}.{field.name}", field.slot
        elif isinstance(type_, Alias):
            yield type_.name.name, type_.slot
