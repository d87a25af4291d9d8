"""Objects of definitions that keep what is in them, whatever it is: servers that are tried keep it, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.schemas.reading import spec

OPEN = ("additionalProperties: true", "x-kubernetes-preserve-unknown-fields: true")
MEMBER = "type: object\nproperties:\n  m: {type: object%s}"


def found(old: str, new: str, folder: Path) -> dict[str, Finding]:
    """The findings of a change of one member, by rule."""
    (folder / "old").mkdir()
    (folder / "new").mkdir()
    sides = (spec(folder / name, MEMBER % f", {said}".rstrip(", ")) for name, said in (("old", old), ("new", new)))
    before, after = (each.surface for each in sides)
    assert before is not None and after is not None
    return {each.rule: each for each in with_counterexamples(review(before, after)).findings}


@pytest.mark.parametrize("word", OPEN)
@pytest.mark.parametrize("is_opened", [True, False])
def test_preserved_properties_have_no_counterexample_of_loss(word: str, is_opened: bool, tmp_path: Path) -> None:
    sides = ("additionalProperties: {type: string}", word)
    finding = found(*(sides if is_opened else sides[::-1]), tmp_path)["struct-and-map-swapped"]
    told = " ".join(map(str, finding.counterexamples))
    assert "unknown field" not in told and "is lost" not in told


@pytest.mark.parametrize("word", OPEN)
def test_fields_no_longer_preserved_have_a_counterexample(word: str, tmp_path: Path) -> None:
    finding = found(word, "", tmp_path)["unknown-fields-closed"]
    assert {each.direction for each in finding.counterexamples} >= {Direction.OLD_CLIENT, Direction.STORED}


@pytest.mark.parametrize("word", OPEN)
def test_fields_newly_preserved_have_a_counterexample(word: str, tmp_path: Path) -> None:
    finding = found("", word, tmp_path)["unknown-fields-opened"]
    assert {each.direction for each in finding.counterexamples} >= {Direction.NEW_CLIENT, Direction.ROLLBACK}
