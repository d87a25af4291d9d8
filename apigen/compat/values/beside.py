"""Why a field that nobody sent, and that its default sets, may be refused: by what stands beside it, or by what it computes."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.types import Struct
from apigen.compat.values.handling import filled, is_zero, refusal
from apigen.compat.values.member import Computed, Form, Member, State, member_of
from apigen.compat.verdict.example import Missing

_OTHERS = frozenset(
    {Keyword.IMMUTABLE, Keyword.MONOTONIC, Keyword.UPDATE, Keyword.REQUIRES, Keyword.FORBIDS}
    | {Keyword.IF_ENABLED, Keyword.IF_DISABLED, Keyword.IF_MODE, Keyword.SUBFIELDS}
)
"""Keywords that are about updates, about other fields, or hold under a condition."""


def refusal_of_default(member: Member, holder: Struct, other: Struct | None) -> str:
    """The first reason for which the default of a field is refused in some object; empty where there is none.

    It is a field of `holder`; `other` is that struct where nobody knows the field. What is refused in all objects, or
    under a condition, is not told here.
    """
    state = filled(member, member.start)
    return next(_reasons(member, state, holder, other), "") if may_be_set(member, state) else ""


def _reasons(member: Member, state: State, holder: Struct, other: Struct | None) -> Iterator[str]:
    if isinstance(state, Computed) and state.values is None and (asked := _asked_of_values(member)):
        yield f"what its default computes need not meet `{asked}`"
    if isinstance(state, Computed) and state.may_be_nothing and (refused := refusal(member, member.start)):
        yield f"its default may give nothing, and {refused}"
    for name in _names(member, Keyword.REQUIRES):
        if name in holder.fields and not _is_always_set(member_of(member.surface, holder.fields[name])):
            yield f"it asks for {name} beside it"
    for name in _names(member, Keyword.FORBIDS):
        field = holder.fields.get(name)
        is_known = other is None or name in other.fields
        if field is not None and (is_known or _may_start_set(member_of(member.surface, field))):
            yield f"it may not stand beside {name}"


def _names(member: Member, keyword: Keyword) -> tuple[str, ...]:
    said = member.constraints.get(keyword)
    return said.value if said is not None and isinstance(said.value, tuple) else ()


def may_be_set(member: Member, state: State) -> bool:
    """Whether a state is one that counts as set; what is computed may be."""
    if isinstance(state, Computed):
        return True
    is_empty = is_zero(member, state) and (not member.can_be_none or member.form is Form.CONTAINER)
    return state is not None and not isinstance(state, Missing) and not is_empty


def _may_start_set(member: Member) -> bool:
    return may_be_set(member, filled(member, member.start))


def _is_always_set(member: Member) -> bool:
    state = filled(member, member.start)
    return not state.may_be_nothing if isinstance(state, Computed) else may_be_set(member, state)


def _asked_of_values(member: Member) -> str:
    """A constraint of the field that is about values, or a rule; empty where there is none."""
    words = (keyword.value for keyword in member.constraints if keyword not in _OTHERS)
    rules = (rule.name for rule in member.slot.rules if rule.optional_old_self or not rule.is_transition)
    return next(words, "") or next(rules, "")
