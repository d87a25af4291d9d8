"""What is called safe for a field is tried: each two fields of one type take each other's place in generated code."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest

from apigen.ir.surface import UnknownFields
from apigen.review.effects.member import Member
from apigen.review.effects.transfer import passed
from apigen.review.effects.validation import added_effects, removed_effects
from apigen.review.results import Direction, Effects, Impact
from tests.review.effects.fields import TYPES, fields
from tests.review.effects.running import Failure, Kinds


@pytest.mark.slow
@pytest.mark.parametrize("type_", TYPES)
def test_safe_changes_pass_at_run_time(type_: str, compiled: tuple[Kinds, dict[str, Member]]) -> None:
    kinds, members = compiled
    unsound: list[tuple[str, str, Direction, Failure]] = []
    for old, new in permutations([kind for kind, each, _ in fields() if each == type_], 2):
        effects = passed(members[old], members[new], has_wire=True).effects
        for direction, failures in _tried(kinds, members, (old, new), type_):
            unsound.extend((old, new, direction, each) for each in failures if not _is_told(effects, direction, each))
    assert not unsound, unsound[:5]


def test_new_field_is_rejected_as_predicted(compiled: tuple[Kinds, dict[str, Member]]) -> None:
    kinds, members = compiled
    for kind, member in members.items():
        rejected = kinds.rejects_without(kind)
        added = added_effects(member, UnknownFields.DROPPED)
        removed = removed_effects(member, UnknownFields.DROPPED)
        for effects, direction in (
            (added, Direction.OLD_CLIENT),
            (added, Direction.STORED),
            (removed, Direction.NEW_CLIENT),
            (removed, Direction.ROLLBACK),
        ):
            told = direction in effects and effects[direction].impact is Impact.BREAKS
            assert told == bool(rejected), (kind, direction, rejected)


def test_trial_detects_incorrect_safe_result(compiled: tuple[Kinds, dict[str, Member]]) -> None:
    kinds, members = compiled
    plain, optional = (f"T00{presence}000" for presence in ("Pl", "Op"))
    failed = {direction for direction, found in _tried(kinds, members, (plain, optional), "int32") if found}
    assert failed == {Direction.NEW_CLIENT, Direction.ROLLBACK}


def _tried(
    kinds: Kinds, members: dict[str, Member], pair: tuple[str, str], type_: str
) -> Iterator[tuple[Direction, list[Failure]]]:
    old, new = pair
    for direction, writer, reader in ((Direction.OLD_CLIENT, old, new), (Direction.NEW_CLIENT, new, old)):
        is_required = members[writer].required
        yield direction, list(kinds.client(writer, reader, TYPES[type_], is_required=is_required))
    for direction, writer, reader in ((Direction.STORED, old, new), (Direction.ROLLBACK, new, old)):
        yield direction, list(kinds.stored(writer, reader, TYPES[type_]))


def _is_told(effects: Effects, direction: Direction, failure: Failure) -> bool:
    """Whether the direction is not called safe, and a rejection not called a matter of what clients do."""
    effect = effects.get(direction)
    return effect is not None and (effect.impact is Impact.BREAKS or not failure.is_rejection)
