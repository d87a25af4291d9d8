"""Lists that hold two elements of one identity."""

from __future__ import annotations

from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.resolving import definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import ListOf, Slot, Struct
from apigen.compat.values.member import shape
from apigen.compat.verdict.example import Example, JsonValue, Side


def enforces(slot: Slot) -> bool:
    """Whether two elements of one identity are refused: unless uniqueness is left to a hand-written function."""
    unique = slot.constraints.get(Keyword.UNIQUE_ITEMS)
    return unique is None or unique.value is not False


def duplicates(slot: Slot, side: Side, surface: Surface) -> tuple[Example, ...]:
    """A list with the same element twice, by value or by keys; none where a made-up element might be refused."""
    if not isinstance(slot.type, ListOf):
        return ()
    item = definition(surface, slot.type.item.type)
    if not isinstance(item, Struct):
        sample = shape(slot.type.item.type)[2]
        return (Example(side, [sample, sample]),)
    keys = slot.merge.list_map_keys
    element: dict[str, JsonValue] = {key: shape(item.fields[key].slot.type)[2] for key in keys if key in item.fields}
    return (Example(side, [dict(element), dict(element)]),) if element else ()
