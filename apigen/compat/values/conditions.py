"""What constraints under a condition ask of a field that nobody sets."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from apigen.compat.gating import is_off
from apigen.compat.surface.constraints import Constraint, Constraints, Keyword
from apigen.compat.surface.resolving import definition, unfolded
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Field, Scalar, Scalars, Struct
from apigen.compat.values.beside import may_be_set
from apigen.compat.values.handling import canonical, filled, refusal
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Computed, Member, State, member_of
from apigen.compat.verdict.example import JsonValue
from apigen.compat.verdict.impact import Direction, Hit, Hits, Impact
from apigen.dataclass import dataclass, replace

_OF_VALUES = (
    *(Keyword.MINIMUM, Keyword.MAXIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MULTIPLE_OF),
    *(Keyword.MIN_LENGTH, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.PATTERN, Keyword.FORMAT),
    *(Keyword.MIN_ITEMS, Keyword.MAX_ITEMS, Keyword.UNIQUE_ITEMS, Keyword.MIN_PROPERTIES, Keyword.MAX_PROPERTIES),
)
"""Those that a zero value, or what a default fills in, may violate; others are about updates."""

_FORBIDDEN = "its default sets it, which is forbidden"


@dataclass(frozen=True, slots=True)
class Beside:
    """The struct of a field on the side that knows it, and as the other side has it (None: not at all)."""

    surface: Surface
    holder: Struct
    other: Surface
    other_holder: Struct | None


def hits_under_conditions(member: Member, beside: Beside, refused: Mapping[Direction, str]) -> Hits:
    """What refuses an object without the field where a condition of `ifMode`, `ifEnabled` or `ifDisabled` holds: a hit in each
    direction of `refused`, which says who is; none where nobody is.

    Modes are in the hands of clients, gates in those of who runs the server. The gate of the field itself asks nothing:
    what validation demands, it demands of fields that are off; but what a default gave is cleared before it is forbidden.
    """
    found = [*_in_blocks(member), *_in_other_modes(member, beside)]
    return joined({each: Hit(impact, f"{who}: {text}") for each, who in refused.items()} for impact, text in found)


def _in_blocks(member: Member) -> Iterator[tuple[Impact, str]]:
    for impact, condition, words in _blocks(member):
        for of_block, reason in _refusals(member, words):
            is_sure = Impact.BREAKS is impact is of_block
            yield Impact.BREAKS if is_sure else Impact.DEPENDS, f"{reason} where {condition}"


def _refusals(member: Member, words: Mapping[str, JsonValue]) -> Iterator[tuple[Impact, str]]:
    """What a block refuses of a field that nobody sets."""
    asked = _with(member, words)
    state = filled(asked, asked.start)
    for value, impact in _values(state):
        reason = refusal(asked, value)
        if reason:
            yield impact, reason
    if isinstance(state, Computed) and state.values is None and (said := _about_values(words)):
        yield Impact.DEPENDS, f"what its default computes need not meet `{said}`"
    if words.get(Keyword.FORBIDDEN.value) is True and may_be_set(member, state):
        yield _of_what_is_given(member, state), _FORBIDDEN


def _values(state: State) -> list[tuple[State, Impact]]:
    """The values that a field has which nobody sets, with how sure that is."""
    if isinstance(state, Computed):
        return [(value, Impact.DEPENDS) for value in state.values or ()]
    return [(state, Impact.BREAKS)]


def _of_what_is_given(member: Member, state: State) -> Impact:
    """How sure it is that a default sets the field: it may come to nothing, and a gate that is off clears it."""
    is_sure = not isinstance(state, Computed) and not is_off(member.gate, member.surface)
    return Impact.BREAKS if is_sure else Impact.DEPENDS


def _in_other_modes(member: Member, beside: Beside) -> Iterator[tuple[Impact, str]]:
    """In a mode that is not listed the field must not be set, and a default sets it."""
    state = filled(member, member.start)
    if not may_be_set(member, state):
        return
    for name, modes in nested_in(member.constraints, Keyword.IF_MODE).items():
        for impact, mode in _other_mode(name, modes if isinstance(modes, dict) else {}, beside):
            is_sure = Impact.BREAKS is impact is _of_what_is_given(member, state)
            words = f"{_FORBIDDEN} where {name} is {mode}"
            yield Impact.BREAKS if is_sure else Impact.DEPENDS, words


def _other_mode(name: str, modes: Mapping[str, JsonValue], beside: Beside) -> Iterator[tuple[Impact, str]]:
    """The modes that are not listed and that an object may have which the other side wrote; a side that does not know the
    field beside leaves it out.
    """
    field = beside.holder.fields.get(name)
    if field is None:
        return
    known = None if beside.other_holder is None else beside.other_holder.fields.get(name)
    chooser = member_of(beside.surface, field)
    start = filled(chooser, chooser.start)
    if isinstance(start, Computed):
        yield Impact.DEPENDS, "what its default computes"
    elif _mode(chooser, start) not in modes and not refusal(chooser, start):
        yield Impact.BREAKS, _mode(chooser, start) or "left out"
    for impact, mode in _sendable(beside.other, known) if known is not None else ():
        if mode not in modes:
            yield impact, mode


def _mode(chooser: Member, state: State) -> str | None:
    """What a block for a value would be called; None where there can be none. A flag that is left out is false."""
    if chooser.slot.type == Scalar(Scalars.BOOL):
        return "true" if state is True else "false"
    return state if isinstance(state, str) else None


def _sendable(surface: Surface, field: Field) -> Iterator[tuple[Impact, str]]:
    """The modes that a client may ask for; of a text that may be anything, one that is called so."""
    behind = definition(surface, field.slot.type)
    if isinstance(behind, Enum):
        for value in behind.values.values():
            yield Impact.DEPENDS if is_off(value.gate, surface) else Impact.BREAKS, value.value
    elif unfolded(surface, field.slot).type == Scalar(Scalars.BOOL):
        yield from ((Impact.BREAKS, word) for word in ("true", "false"))
        return
    if not isinstance(behind, Enum) or behind.open:
        yield Impact.BREAKS, "another"


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
        for keyword in _OF_VALUES
        if isinstance(value := words.get(keyword.value), int | float | str)
    }
    if Keyword.NOT_VALUE.value in words:
        excluded = canonical(words[Keyword.NOT_VALUE.value])
        added[Keyword.NOT_VALUE] = Constraint(excluded, member.slot.place)
    slot = replace(member.slot, constraints={**member.constraints, **added})
    return replace(member, slot=slot, required=member.required or words.get("required") is True)


def _about_values(words: Mapping[str, JsonValue]) -> str:
    """A keyword of a block that is about values; empty where it has none."""
    about = (*_OF_VALUES, Keyword.NOT_VALUE)
    return next((keyword.value for keyword in about if words.get(keyword.value)), "")
