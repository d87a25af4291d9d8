"""Places for values by the paths of elements."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.members import field_of
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, ListOf, MapOf, Slot, Struct, TypeDef


def slots_of(type_: TypeDef) -> Iterator[tuple[Element, Slot]]:
    """The slots of the fields of a struct, or the slot of an alias."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            yield Element(ElementKind.FIELD, *type_.name, field.name), field.slot
    elif isinstance(type_, Alias):
        yield Element(ElementKind.ALIAS, *type_.name), type_.slot


def slot_at(surface: Surface, element: Element) -> Slot | None:
    """The slot that an element is, or the nearest that it stands in (for a rule: that of what it judges); None without one."""
    type_ = surface.type(element.type_name)
    if isinstance(type_, Struct):
        field = field_of(type_, element.path)
        if field is not None:
            return _inside(field.slot, element.path[len(field.name) :])
        return type_.slot if not element.path or element.path.startswith("(") else None
    return _inside(type_.slot, element.path) if isinstance(type_, Alias) else None


def _inside(slot: Slot, rest: str) -> Slot:
    """Follow the steps of a path as far as they lead."""
    found = slot
    while rest:
        step = _step(found, rest)
        if step is None:
            return found
        found, length = step
        rest = rest[length:]
    return found


def _step(slot: Slot, rest: str) -> tuple[Slot, int] | None:
    match slot.type:
        case ListOf(item) if rest.startswith("[]"):
            return item, len("[]")
        case MapOf(key, _) if rest.startswith("{key}"):
            return key, len("{key}")
        case MapOf(_, value) if rest.startswith("{}"):
            return value, len("{}")
    for branch in slot.branches:
        name = f"({branch.keyword}[{branch.label}])"
        if rest.startswith(name):
            return branch.slot, len(name)
    return None
