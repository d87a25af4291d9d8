"""The shares of findings that an object shows: what is published is kept."""

from __future__ import annotations

from tests.review.counterexamples.share import Share, fallen, in_docs

BEFORE = {"bound-tightened": Share(2, 4, 3)}


def test_a_share_that_is_as_good_or_better_is_kept() -> None:
    assert fallen({"bound-tightened": Share(2, 4, 3)}, BEFORE) == []
    assert fallen({"bound-tightened": Share(3, 6, 5)}, BEFORE) == []


def test_fewer_directions_that_are_shown_are_told() -> None:
    (said,) = fallen({"bound-tightened": Share(2, 4, 2)}, BEFORE)
    assert "2 of 4 directions are shown, and 3 of 4 were" in said


def test_more_directions_that_are_not_shown_are_told() -> None:
    assert fallen({"bound-tightened": Share(3, 6, 3)}, BEFORE)


def test_a_rule_that_is_not_published_is_told() -> None:
    assert fallen({"bound-loosened": Share(1, 1, 1)}, BEFORE) == ["bound-loosened: its share is not published"]


def test_what_is_published_can_be_read() -> None:
    found = in_docs()
    assert len(found) > 100 and found["bound-tightened"].shown > 0
