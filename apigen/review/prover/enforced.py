"""Constraints as servers enforce them: those that are generated, and those that code by hand adds."""

from __future__ import annotations

import json
from collections.abc import Mapping

from apigen.dataclass import replace
from apigen.review.prover.keywords import satisfies
from apigen.review.prover.restrictions import restrictions
from apigen.review.prover.result import INCLUDED
from apigen.review.surface import Constraint, Constraints, ConstraintValue, Keyword, Slot, Surface, tighter
from apigen.review.verdict.example import JsonValue

_LISTS = (Keyword.UPDATE, Keyword.REQUIRES, Keyword.FORBIDS)
_BY_WORDS = frozenset({*_LISTS, Keyword.IMMUTABLE, Keyword.MONOTONIC})
_BASES = {Keyword.EXCLUSIVE_MINIMUM: Keyword.MINIMUM, Keyword.EXCLUSIVE_MAXIMUM: Keyword.MAXIMUM}


def by_hand(constraints: Constraints) -> Mapping[Keyword, ConstraintValue]:
    """What code by hand enforces, keyword by keyword."""
    said = constraints.get(Keyword.ENFORCED_BY_HAND)
    if said is None:
        return {}
    read: dict[str, JsonValue] = json.loads(str(said.value))
    return {Keyword(word): _value(Keyword(word), value) for word, value in read.items()}


def enforced(slot: Slot) -> Slot:
    """A place with all that is enforced there, by whichever code."""
    found = with_by_hand(slot.constraints)
    return slot if found is slot.constraints else replace(slot, constraints=found)


def with_by_hand(constraints: Constraints) -> Constraints:
    """Constraints with those that code by hand adds in their own place.

    Of two bounds the tighter one counts. Of two values that cannot be joined, the generated one stays: that takes the place for
    laxer than it is, which proves less and never too much.
    """
    added = by_hand(constraints)
    if not added:
        return constraints
    found: dict[Keyword, Constraint] = {**constraints}
    del found[Keyword.ENFORCED_BY_HAND]
    place = constraints[Keyword.ENFORCED_BY_HAND].place
    for word, value in added.items():
        own = found.get(word)
        if value is True and _BASES.get(word) in constraints:
            continue  # it is open at its own bound, which may not be the one that counts
        if own is None:
            found[word] = Constraint(value, place)
        elif word in _LISTS:
            found[word] = Constraint(tuple(sorted(restrictions(own.value) | restrictions(value))), own.place)
        elif not any(isinstance(each, bool) for each in (value, own.value)):
            found[word] = tighter(word, own, Constraint(value, place))
    return found


def refuses_no_more(old: Slot, old_surface: Surface, new: Slot, word: Keyword) -> bool:
    """Whether one keyword of the new place, of all code, is proven to reject nothing that is accepted at the old one."""
    before = enforced(old)
    said = (new.constraints.get(word), with_by_hand(new.constraints).get(word))
    wanted = [each.value for each in said if each is not None]
    hand = by_hand(new.constraints).get(word)
    if hand is not None and hand != by_hand(old.constraints).get(word):
        wanted.append(hand)
    return all(_refuses_no_more(before, old_surface, word, value) for value in wanted)


def _refuses_no_more(old: Slot, old_surface: Surface, word: Keyword, value: ConstraintValue) -> bool:
    if word in _BY_WORDS:
        there = old.constraints.get(word)
        return restrictions(value) <= (restrictions(there.value) if there is not None else frozenset())
    return satisfies(old, old_surface, [(word, value)]) == INCLUDED


def _value(word: Keyword, value: JsonValue) -> ConstraintValue:
    """A value as constraints hold it."""
    if word is Keyword.NOT_VALUE:
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    if isinstance(value, list):
        return tuple(map(str, value))
    assert isinstance(value, bool | int | float | str)
    return value
