"""A default that the field's own constraints refuse."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.context import Context
from apigen.compat.rules.defaults.slots import defaulted_slots
from apigen.compat.rules.guards import has_defaults
from apigen.compat.rules.rule import Issue, state_rule
from apigen.compat.surface.resolving import definition, unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Scalar, Slot
from apigen.compat.values.handling import slot_violation
from apigen.compat.values.member import Computed, default_value
from apigen.compat.values.scalars import Refused, outcome
from apigen.compat.values.text import shown
from apigen.compat.verdict.example import ABSENT, Example, JsonValue, Missing, Side
from apigen.compat.verdict.impact import Direction, Hits, breaks
from apigen.compat.verdict.verdict import Verdict


@state_rule("default-invalid", has_defaults, severities="E/E/E")
def default_invalid(surface: Surface, context: Context) -> Iterator[Issue]:
    """Whoever leaves the field out is given a value that is refused."""
    for place in defaulted_slots(surface):
        value = default_value(place.default)
        if isinstance(value, Missing | Computed):
            continue
        reason = _refusal(surface, place.slot, value)
        if reason:
            words = f"{place.element} is {shown(value)} by default, which is refused: {reason}"
            verdict = Verdict(words, _hits(shown(value)), examples=(Example(Side.OLD, ABSENT),))
            yield Issue(place.element, place.default.place, verdict, f"default: {place.default.text}; {reason}")


def _hits(value: str) -> Hits:
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before that leaves it out is given {value}, and refused"),
        Direction.STORED: breaks(f"a stored object without it is given {value}, and is not valid"),
    }


def _refusal(surface: Surface, slot: Slot, value: JsonValue) -> str:
    slot = unfolded(surface, slot)
    if value is None:
        return ""
    known = definition(surface, slot.type)
    if isinstance(known, Enum) and not known.open and isinstance(value, str) and value not in known.values:
        return f"it is none of {', '.join(known.values)}"
    if isinstance(slot.type, Scalar) and isinstance(outcome(slot.type.name, value), Refused):
        return f"it is no {slot.type}"
    return slot_violation(slot, value)
