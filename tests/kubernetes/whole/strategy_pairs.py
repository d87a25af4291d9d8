"""Pairs of a resource and a marked field whose gate a record disables: whether all records about the field agree.

The standard rule: if the gate is disabled, a create drops the field, and so does an update unless the old object has
it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.kubernetes.records import Preparation
from tests.kubernetes.whole.strategies import Prepared
from tests.kubernetes.whole.strategy_causes import Tokens, shown, steps

_AFTER = {"new-only": False, "both": True}
"""Whether the field is there afterwards by the standard rule, with the gate off; the other cases show nothing."""


@dataclass(frozen=True, slots=True)
class Pair:
    """`records` are all about the field, gates on and off; `agree` of them come out as in Kubernetes, and `agree_there` do so
    at the field itself, whatever else differs.

    `off_rule` is the first case in which Kubernetes itself does otherwise than the standard rule, empty where it follows it.
    `differs_at` are the places of differences that have causes.
    """

    resource: str
    field: str
    records: int
    agree: int
    agree_there: int
    off_rule: str
    differs_at: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()

    @property
    def is_standard(self) -> bool:
        """Whether Kubernetes follows the standard rule for this field."""
        return not self.off_rule

    @property
    def agrees(self) -> bool:
        """Whether all records do."""
        return self.agree == self.records

    @property
    def agrees_there(self) -> bool:
        """Whether all records do at the field itself."""
        return self.agree_there == self.records


def pairs(records: Iterable[Preparation], outcomes: Iterable[Prepared]) -> list[Pair]:
    """The pairs of some records, with their outcomes; by resource and field."""
    found: dict[tuple[str, str], list[Preparation]] = defaultdict(list)
    for record in records:
        if record.field:
            found[record.resource, record.field].append(record)
    came: dict[tuple[str, str], list[Prepared]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.about:
            came[outcome.resource, outcome.about].append(outcome)
    return [
        _pair(resource, field, some, came[resource, field])
        for (resource, field), some in sorted(found.items())
        if any(not all(record.gates.values()) for record in some)
    ]


def broken_rules(found: Iterable[Pair], outcomes: Iterable[Prepared]) -> Iterator[str]:
    """Records about a field that follows the standard rule and that differ at that very field, each as a sentence."""
    standard = {(pair.resource, pair.field) for pair in found if pair.is_standard}
    for outcome in outcomes:
        if (outcome.resource, outcome.about) in standard:
            for place in outcome.differs_at:
                if _is_there(place, steps(outcome.about)):
                    yield f"{outcome.resource}: {outcome.name}: differs at {shown(place)}, which follows the standard rule"


def _agrees_there(outcome: Prepared, field: Tokens) -> bool:
    """Whether a record agrees at a field: it does not differ there, in it, or above it."""
    unknown = bool(outcome.problem) and not outcome.differs_at
    return not unknown and not any(_is_there(place, field[: len(place)]) for place in outcome.differs_at)


def _is_there(place: Tokens, field: Tokens) -> bool:
    """Whether a difference is at a field or in it."""
    return len(place) >= len(field) and all(
        mine in ("[]", theirs) for mine, theirs in zip(field, place[: len(field)], strict=True)
    )


def _pair(resource: str, field: str, records: list[Preparation], outcomes: list[Prepared]) -> Pair:
    places = {shown(place): None for outcome in outcomes for place in outcome.differs_at}
    rows = {row.cause: None for outcome in outcomes for row in outcome.explained}
    return Pair(
        resource,
        field,
        len(outcomes),
        sum(outcome.agrees for outcome in outcomes),
        sum(_agrees_there(outcome, steps(field)) for outcome in outcomes),
        next(_other_than_standard(field, records), ""),
        tuple(places),
        tuple(rows),
    )


def _other_than_standard(field: str, records: list[Preparation]) -> Iterator[str]:
    for record in records:
        there = _AFTER.get(record.case)
        if there is not None and not all(record.gates.values()) and _has(record.after, steps(field)) is not there:
            yield f"{record.operation}, {record.case}: {'kept' if not there else 'dropped'}"


def _has(value: Any, place: Tokens) -> bool:
    """Whether there is a value at a place."""
    if not place:
        return value is not None
    if place[0] == "[]":
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return any(_has(item, place[1:]) for item in items)
    return isinstance(value, dict) and place[0] in value and _has(value[place[0]], place[1:])
