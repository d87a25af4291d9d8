"""Objects that a rule most likely refuses; the search for witnesses tries them."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inclusion.cel.against import against
from apigen.compat.inclusion.result import Inclusion, NotIncluded
from apigen.compat.inclusion.samples import samples
from apigen.compat.surface.slots import slot_at
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Named, Slot, Struct
from apigen.compat.verdict.example import Example, JsonValue, Side

_MOST = 4


def rule_examples(
    rule: str, follows: Inclusion, change: AnyChange, side: Side, context: Context
) -> tuple[Example, ...]:
    """Values against a rule: the one that refutes it, and guesses, at most a few."""
    found: list[JsonValue] = []
    if isinstance(follows, NotIncluded) and follows.counter_example is not None:
        found.append(follows.counter_example)
    surface = context.old if side is Side.OLD else context.new
    for members in against(rule):
        value = _with(members, surface, change)
        if value is not None and value not in found:
            found.append(value)
    return tuple(Example(side, value) for value in found[:_MOST])


def _with(members: dict[str, JsonValue], surface: Surface, change: AnyChange) -> JsonValue:
    """A value at the place of a rule with these members."""
    if "" in members:
        return members[""]
    slot = slot_at(surface, change.element)
    if slot is None:
        return None
    if change.element.path.startswith("(") and isinstance(surface.type(change.element.type_name), Struct):
        slot = Slot(Named(change.element.type_name), slot.place)
    made = samples(slot, surface, 1)
    whole = made[0] if made else None
    return {**whole, **members} if isinstance(whole, dict) else None
