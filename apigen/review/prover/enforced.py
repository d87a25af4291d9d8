"""Constraints that servers enforce: in generated code, and in hand-written code."""

from __future__ import annotations

import json
from collections.abc import Mapping

from apigen.dataclass import replace
from apigen.ir.surface import (
    Constraint,
    Constraints,
    ConstraintValue,
    Keyword,
    Slot,
    Surface,
    constraint_value,
    restrictions,
    tighter,
)
from apigen.language.json_values import JsonValue
from apigen.review.prover.keywords import satisfies
from apigen.review.prover.result import INCLUDED

_LISTS = (Keyword.UPDATE, Keyword.REQUIRES, Keyword.FORBIDS)
_BY_WORDS = frozenset({*_LISTS, Keyword.IMMUTABLE, Keyword.MONOTONIC})


def by_hand(constraints: Constraints) -> Mapping[Keyword, ConstraintValue]:
    """Return the constraints that hand-written code enforces, by keyword."""
    constraint = constraints.get(Keyword.ENFORCED_BY_HAND)
    if constraint is None:
        return {}
    read: dict[str, JsonValue] = json.loads(str(constraint.value))
    return {Keyword(word): constraint_value(Keyword(word), value) for word, value in read.items()}


def enforced(slot: Slot) -> Slot:
    """Return a slot with all constraints that generated or hand-written code enforces."""
    found = with_by_hand(slot.constraints)
    return slot if found is slot.constraints else replace(slot, constraints=found)


def with_by_hand(constraints: Constraints) -> Constraints:
    """Return constraints with those of hand-written code as if they were generated.

    Of two bounds the stricter one counts. Of two values that cannot be combined, the generated one is used: the slot
    is then treated as less strict than it is, which can only prove less.
    """
    added = by_hand(constraints)
    if not added:
        return constraints
    combined: dict[Keyword, Constraint] = {**constraints}
    del combined[Keyword.ENFORCED_BY_HAND]
    place = constraints[Keyword.ENFORCED_BY_HAND].place
    for word, value in added.items():
        own = combined.get(word)
        if own is None:
            combined[word] = Constraint(value, place)
        elif word in _LISTS:
            combined[word] = Constraint(tuple(sorted(restrictions(own.value) | restrictions(value))), own.place)
        elif not any(isinstance(each, bool) for each in (value, own.value)):
            combined[word] = tighter(word, own, Constraint(value, place))
    return combined


def rejects_no_more(old: Slot, old_surface: Surface, new: Slot, word: Keyword) -> bool:
    """Return whether a keyword of the new slot, in generated and hand-written code, is proven to accept all values
    that the old slot accepts.
    """
    old_enforced = enforced(old)
    declared = (new.constraints.get(word), with_by_hand(new.constraints).get(word))
    values = [each.value for each in declared if each is not None]
    hand = by_hand(new.constraints).get(word)
    if hand is not None and hand != by_hand(old.constraints).get(word):
        values.append(hand)
    if word in _BY_WORDS:
        own = old_enforced.constraints.get(word)
        known = frozenset[str]() if own is None else restrictions(own.value)
        return all(restrictions(value) <= known for value in values)
    return all(satisfies(old_enforced, old_surface, [(word, value)]) == INCLUDED for value in values)
