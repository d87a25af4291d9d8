"""The gates that an element depends on: its own, those of its default and constraints, and those of the fields that lead to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.members import field_of
from apigen.compat.surface.resolving import unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Field, ListOf, MapOf, Named, Slot, Struct
from apigen.compat.witnesses.lowering.constraints import gates_in
from apigen.compat.witnesses.routes import ITEM, Route


def gates_of(surface: Surface, element: Element) -> Iterator[str]:
    """The gates of an element itself."""
    if element.kind is ElementKind.GATE:
        yield element.path
        return
    type_ = surface.type(element.type_name) if element.type else None
    if isinstance(type_, Struct):
        field = field_of(type_, element.path) if element.path else None
        yield from _of_field(field) if field is not None else ()
    elif isinstance(type_, Enum):
        value = type_.values.get(element.path)
        yield from value.gate.gates if value is not None and value.gate is not None else ()


def gates_along(surface: Surface, routes: Iterable[Route]) -> Iterator[str]:
    """The gates of the fields that routes lead through."""
    for route in routes:
        slot: Slot | None = Slot(Named(route.kind.root), route.kind.place)
        for step in route.steps:
            found = unfolded(surface, slot) if slot is not None else None
            slot = None
            match found.type if found is not None else None:
                case ListOf(item):
                    slot = item
                case MapOf(_, value) if step != ITEM:
                    slot = value
                case Named(name):
                    struct = surface.type(name)
                    field = struct.fields.get(step) if isinstance(struct, Struct) else None
                    if field is not None:
                        yield from _of_field(field)
                        slot = field.slot


def _of_field(field: Field) -> Iterator[str]:
    if field.gate is not None:
        yield from field.gate.gates
    if field.slot.default is not None:
        yield from field.slot.default.gates
    yield from sorted(gates_in(field.slot.constraints))
