"""What constraints under a condition ask of a field that nobody sets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.compat.surface.constraints import Constraint, Constraints, Keyword
from apigen.compat.values.handling import filled, refusal
from apigen.compat.values.member import Member
from apigen.compat.verdict.example import JsonValue
from apigen.compat.verdict.impact import Direction, Hit, Hits, Impact
from apigen.dataclass import replace

_BOUNDS = (
    *(Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM),
    *(Keyword.MIN_LENGTH, Keyword.MIN_ITEMS, Keyword.MIN_PROPERTIES),
)
"""Those that a zero value, or what a default fills in, may violate; others are left out."""


def hits_under_conditions(member: Member, refused: Mapping[Direction, str]) -> Hits:
    """What refuses an object without the field where a condition of `ifMode`, `ifEnabled` or `ifDisabled` holds: a hit in each
    direction of `refused`, which says who is; none where nobody is.

    Modes are in the hands of clients, gates in those of who runs the server. The gate of the field itself asks nothing:
    what validation demands, it demands of fields that are off.
    """
    for impact, condition, words in _blocks(member):
        asked = _with(member, words)
        reason = refusal(asked, filled(asked, asked.start))
        if reason:
            return {each: Hit(impact, f"{who}: {reason} where {condition}") for each, who in refused.items()}
    return {}


def _blocks(member: Member) -> Iterator[tuple[Impact, str, Mapping[str, JsonValue]]]:
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        for mode, words in modes.items() if isinstance(modes, dict) else ():
            if isinstance(words, dict):
                yield Impact.BREAKS, f"{name} is {mode}", words
    for keyword, state in ((Keyword.IF_ENABLED, "on"), (Keyword.IF_DISABLED, "off")):
        for gate, words in nested_in(member.constraints, keyword).items():
            if isinstance(words, dict):
                yield Impact.DEPENDS, f"{gate} is {state}", words


def nested_in(constraints: Constraints, keyword: Keyword) -> Mapping[str, JsonValue]:
    """What a keyword nests by gate, by field or by member, in the words of the spec language; empty where it is not there."""
    said = constraints.get(keyword)
    found: JsonValue = json.loads(said.value) if said is not None and isinstance(said.value, str) else {}
    return found if isinstance(found, dict) else {}


def _with(member: Member, words: Mapping[str, JsonValue]) -> Member:
    """The member as it is where a condition holds."""
    added = {
        keyword: Constraint(value, member.slot.place)
        for keyword in _BOUNDS
        if isinstance(value := words.get(keyword.value), int | float)
    }
    slot = replace(member.slot, constraints={**member.constraints, **added})
    return replace(member, slot=slot, required=member.required or words.get("required") is True)
