"""The shares of findings that an object shows: what is published is kept."""

from __future__ import annotations

from tests.review.counterexamples.share import Share, fallen, in_docs

BEFORE = {"bound-tightened": Share(2, 4, 3)}


def test_equal_or_higher_share_passes() -> None:
    assert fallen({"bound-tightened": Share(2, 4, 3)}, BEFORE) == []
    assert fallen({"bound-tightened": Share(3, 6, 5)}, BEFORE) == []


def test_lower_number_of_shown_directions_is_reported() -> None:
    (said,) = fallen({"bound-tightened": Share(2, 4, 2)}, BEFORE)
    assert "2 of 4 directions are shown, and 3 of 4 were" in said


def test_higher_number_of_missing_directions_is_reported() -> None:
    assert fallen({"bound-tightened": Share(3, 6, 3)}, BEFORE)


def test_unpublished_rule_is_reported() -> None:
    assert fallen({"bound-loosened": Share(1, 1, 1)}, BEFORE) == ["bound-loosened: its share is not published"]


def test_published_shares_can_be_parsed() -> None:
    found = in_docs()
    assert len(found) > 100 and found["bound-tightened"].counterexamples > 0
