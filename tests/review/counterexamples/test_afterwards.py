"""Later outcomes of an object, or outcomes with other gates: reported at the element, with a description of the
outcome.
"""

from __future__ import annotations

import pytest

from apigen.review.results import Direction
from tests.review.cases import all_cases
from tests.review.counterexamples.share import findings_of

SHOWN = {
    ("bound-loosened/positive", Direction.OLD_CLIENT): "a client that validates responses rejects it: spec.size: ",
    (
        "conditional-constraint-tightened/positive",
        Direction.OLD_CLIENT,
    ): "with BigThings enabled, the request is rejected: spec.size: ",
    ("default-changed/positive", Direction.STORED): "stored without its defaults, value becomes 4; it was 3",
    ("empty-collapse-changed/positive", Direction.OLD_CLIENT): "in the JSON of the response, value is lost; it was []",
    ("enum-value-added/positive", Direction.ROLLBACK): "a copy of the stored object is rejected: spec.color: ",
    ("field-added/positive-always-there", Direction.STORED): "in the store, status becomes {}; it was unset",
    ("field-removed/positive-required", Direction.ROLLBACK): "after an upgrade and a rollback, width is lost; it was 1",
    ("gated-field-reshaped/positive", Direction.STORED): "with Wide enabled, the stored object is rejected: width: ",
    (
        "gate-mark-removed/positive",
        Direction.ROLLBACK,
    ): "with Wide disabled, a copy of the stored object is rejected: width: ",
    ("list-type-associative/positive", Direction.OLD_CLIENT): "the request is rejected: parts[1]: Duplicate value",
    ("merge-keys-changed/positive", Direction.NEW_CLIENT): "the request is rejected: parts[1]: Duplicate value",
    ("oneof-member-added/positive", Direction.OLD_CLIENT): "as the client reads it, depth is lost; it was 1",
    ("value-excluded/positive", Direction.OLD_CLIENT): "the request is rejected: spec.size: Invalid value: 7",
}
"""Cases with a direction, and how what happened begins there."""

CASES = {case.name: case for case in all_cases()}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "direction"), SHOWN, ids=str)
def test_outcome_is_reported(name: str, direction: Direction) -> None:
    found = [
        each for finding in findings_of(CASES[name]) for each in finding.counterexamples if each.direction is direction
    ]
    assert [each.outcome for each in found if each.outcome.startswith(SHOWN[name, direction])], found
