"""Decoding, defaulting, validation and encoding of a field in generated code (`docs/reference/spec-language.md`,
Presence and Defaults).
"""

from __future__ import annotations

from apigen.ir.model import Presence
from apigen.language.json_values import JsonValue, canonical_json
from apigen.review.effects.member import Computed, Form, Member, State, member_of, shown
from apigen.review.gating import is_disabled
from apigen.review.prover.regex import Undecidable
from apigen.review.prover.texts import machine
from apigen.review.results import ABSENT, Missing
from apigen.review.surface import ConstraintValue, Keyword, Scalar, Scalars, Slot, Struct, Surface, Union

_DEEPEST = 8
_LONGEST_TEXT = 1_000


def read(member: Member, sent: State) -> State:
    """Return the value in memory of a JSON value; null is treated as omitted."""
    return member.start if sent is None or isinstance(sent, Missing) else sent


def unreadable(member: Member, sent: State) -> str:
    """Return why a JSON value cannot be decoded; empty if it can. Only a duration is never null, as in Kubernetes."""
    is_duration = member.slot.type == Scalar(Scalars.DURATION)
    return "null is not a duration" if sent is None and is_duration and not member.can_be_none else ""


def written(member: Member, state: State) -> State:
    """Return the JSON value that is written; ABSENT if it is omitted."""
    match member.presence:
        case Presence.OPTIONAL:
            return ABSENT if state is None else state
        case Presence.OMIT_EMPTY:
            return ABSENT if state is None or is_zero(member, state) else state
        case _:
            return state


def on_wire(member: Member, state: State) -> State:
    """Return the value in protobuf; ABSENT if it is not written there."""
    if state is None or (member.form is Form.CONTAINER and is_zero(member, state)):
        return ABSENT
    return state


def filled(member: Member, state: State) -> State:
    """Return the state after defaulting."""
    if isinstance(member.default, Missing):
        return state
    default = member.slot.default
    if default is not None and default.overwrites:
        return member.default
    is_unset = state is None if member.can_be_none else is_zero(member, state)
    if member.form is Form.CONTAINER:
        takes_empty = default is None or not default.empty_is_set
        is_unset = state is None or (takes_empty and is_zero(member, state))
    return member.default if is_unset else state


def is_zero(member: Member, state: State) -> bool:
    """Return whether a state is the zero value, or empty."""
    return type(state) is type(member.zero) and state == member.zero


def rejection(member: Member, state: State, depth: int = 0) -> str:
    """Return why validation rejects an unset or zero state; empty if it does not. Other values are not validated.

    `depth` counts the structs around it; structs below the maximum depth are not validated.
    """
    if isinstance(state, Computed | Missing) or depth > _DEEPEST:
        return ""
    if _is_missing(member, state):
        return "it is required"
    if not _is_validated(member, state):
        return ""
    if member.values is not None and is_zero(member, state) and "" not in member.values:
        return f"an empty string is not one of {', '.join(member.values)}"
    if member.struct is not None and state == {}:
        return "" if depth == _DEEPEST else _rejection_inside(member, depth)
    return violation(member, state)


def rejection_of_itself(member: Member, state: State) -> str:
    """Return why validation rejects a state by the constraints of the field itself, without the fields of a struct."""
    return rejection(member, state, _DEEPEST)


def rejection_when_cleared(member: Member, depth: int = 0) -> str:
    """Return why a server rejects all new objects if a disabled gate clears the field together with its default.

    The same applies to a field of a struct that is always present. `depth` is as in `rejection`.
    """
    if is_disabled(member.gate, member.surface):
        return rejection(member, member.start)
    if member.struct is None or member.presence is not Presence.PLAIN or depth > _DEEPEST:
        return ""
    for field in member.struct.fields.values():
        reason = rejection_when_cleared(member_of(member.surface, field), depth + 1)
        if reason:
            return f"`{field.name}` is rejected: {reason}"
    return ""


def _is_missing(member: Member, state: JsonValue) -> bool:
    if not member.required:
        return False
    if member.presence is Presence.OMIT_EMPTY:
        return state is None or (is_zero(member, state) and member.form is not Form.BYTES)
    if member.presence is Presence.PLAIN and member.values is not None:
        return is_zero(member, state)
    return member.can_be_none and state is None


def _is_validated(member: Member, state: JsonValue) -> bool:
    if state is None:
        return False
    if member.required and (member.can_be_none or member.presence is Presence.OMIT_EMPTY):
        return True
    if member.form is Form.CONTAINER:
        leaves_out_empty = member.can_be_none or member.presence is Presence.OMIT_EMPTY
        return not (leaves_out_empty and is_zero(member, state))
    if member.can_be_none:
        return True
    if member.presence is Presence.OMIT_EMPTY or (member.form is Form.TEXT and not member.required):
        return not is_zero(member, state)
    return True


def _rejection_inside(member: Member, depth: int) -> str:
    found = member.inside.get(depth)
    if found is None:
        found = member.inside[depth] = _found_inside(member, depth)
    return found


def _found_inside(member: Member, depth: int) -> str:
    assert member.struct is not None
    for field in member.struct.fields.values():
        inner = member_of(member.surface, field)
        reason = rejection(inner, filled(inner, inner.start), depth + 1)
        if reason:
            return f"`{field.name}` is rejected: {reason}"
    return rejection_by_unions(member.surface, member.struct)


def rejection_by_unions(surface: Surface, struct: Struct) -> str:
    """Return why a struct with only its defaults is rejected by one of its unions; empty if it is not."""
    return next((reason for union in struct.unions if (reason := _union_rejection(surface, struct, union))), "")


def _union_rejection(surface: Surface, struct: Struct, union: Union) -> str:
    members = {name: member_of(surface, struct.fields[name]) for name in union.members if name in struct.fields}
    set_members = [name for name, member in members.items() if _is_set(member)]
    tag = struct.fields.get(union.discriminator) if union.discriminator is not None else None
    if union.on_wire:
        return ""
    if tag is None:
        is_wrong = len(set_members) > 1 or not (set_members or union.optional)
        return f"one of {', '.join(union.members)} must be set" if is_wrong else ""
    chosen = _started(member_of(surface, tag))
    if chosen is None or isinstance(chosen, Computed | Missing):
        return ""
    selected = [name for name in members if union.members[name] == chosen]
    is_wrong = not set(set_members) <= set(selected) or (set_members != selected and not union.optional)
    return (
        f"`{union.discriminator}` is {shown(chosen)}, which selects {', '.join(selected) or 'no member'}"
        if is_wrong
        else ""
    )


def _is_set(member: Member) -> bool:
    state = _started(member)
    can_be_zero = member.can_be_none and member.form is not Form.CONTAINER
    return state is not None and (can_be_zero or not is_zero(member, state))


def _started(member: Member) -> State:
    return filled(member, member.start)


def violation(member: Member, state: JsonValue) -> str:
    """Return the constraint of the field that a value violates; empty if none."""
    return slot_violation(member.slot, state)


def slot_violation(slot: Slot, state: JsonValue) -> str:
    """Return the constraint that a value violates: a number, length, pattern, format or excluded value."""
    for keyword, constraint in slot.constraints.items():
        limit = constraint.value
        if not _satisfies(keyword, limit, state):
            return f"`{keyword.value}` is {limit}"
    return ""


def _satisfies(keyword: Keyword, limit: ConstraintValue, state: JsonValue) -> bool:
    if keyword is Keyword.NOT_VALUE:
        return limit not in (state, canonical_json(state))
    if keyword is Keyword.PATTERN and isinstance(state, str) and isinstance(limit, str):
        return matches(limit, state)
    if keyword is Keyword.FORMAT and isinstance(state, str) and isinstance(limit, str):
        return has_format(limit, state)
    if not isinstance(limit, int | float) or isinstance(limit, bool):
        return True
    if isinstance(state, bool):
        return True
    if isinstance(state, int | float):
        return _number_satisfies(keyword, limit, state)
    if isinstance(state, str | list | dict):
        return _size_satisfies(keyword, limit, len(state))
    return True


def has_format(name: str, text: str) -> bool:
    """Return whether a string has a format. A format that generated code does not check counts as satisfied."""
    # imported here: it loads the validation of the runtime, which most reviews do not need
    from apigen.ir.formats import FORMATS

    return name not in FORMATS or FORMATS[name](text)


def matches(pattern: str, text: str) -> bool:
    """Return whether a pattern matches in a string. An unsupported pattern and a long string count as a match."""
    if len(text) > _LONGEST_TEXT:
        return True
    try:
        return machine(pattern).finds(text)
    except Undecidable:
        return True


def _number_satisfies(keyword: Keyword, limit: float, number: float) -> bool:
    match keyword:
        case Keyword.MINIMUM:
            return number >= limit
        case Keyword.EXCLUSIVE_MINIMUM:
            return number > limit
        case Keyword.MAXIMUM:
            return number <= limit
        case Keyword.EXCLUSIVE_MAXIMUM:
            return number < limit
        case Keyword.MULTIPLE_OF if isinstance(number, int) and isinstance(limit, int) and limit:
            return number % limit == 0
        case _:
            return True


def _size_satisfies(keyword: Keyword, limit: float, size: int) -> bool:
    match keyword:
        case Keyword.MIN_LENGTH | Keyword.MIN_BYTES | Keyword.MIN_ITEMS | Keyword.MIN_PROPERTIES:
            return size >= limit
        case Keyword.MAX_LENGTH | Keyword.MAX_BYTES | Keyword.MAX_ITEMS | Keyword.MAX_PROPERTIES:
            return size <= limit
        case _:
            return True
