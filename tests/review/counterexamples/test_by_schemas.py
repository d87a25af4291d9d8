"""Values that a schema is proven to accept and another one to reject: another validator finds so, too."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from apigen.review.counterexamples.by_schemas import BySchemas
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.cases import POSITIVE, all_cases
from tests.review.counterexamples.share import findings_of
from tests.review.schemas.randomized import Maker
from tests.review.schemas.reading import schema
from tests.yaml_files import read_yaml

RULES = ("schema-tightened", "schema-loosened", "nullable-removed/positive-alternative-of-an-enum")
CASES = [case for case in all_cases() if case.kind == POSITIVE and (case.rule in RULES or case.name in RULES)]


UNDECIDED = [case for case in CASES if case.name.endswith("-not-understood")]
DECIDED = [case for case in CASES if case not in UNDECIDED]


@pytest.mark.parametrize("case", UNDECIDED, ids=[case.name for case in UNDECIDED])
def test_unsupported_pattern_has_no_counterexample(case: Any) -> None:
    found = list(findings_of(case))
    assert found
    for finding in found:
        assert finding.result.not_verified and not finding.counterexamples and finding.no_counterexample


@pytest.mark.parametrize("case", DECIDED, ids=[case.name for case in DECIDED])
def test_every_direction_has_a_counterexample(case: Any) -> None:
    for finding in findings_of(case):
        assert {each.direction for each in finding.counterexamples} == set(
            finding.effects
        ) and not finding.no_counterexample


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_another_validator_agrees(seed: int, tmp_path: Path) -> None:
    maker, shown, open_ = Maker(seed), 0, 0
    for _ in range(25):
        old = maker.document()
        new = maker.changed(old)
        for finding in _completed(old, new, tmp_path):
            shown += len(finding.counterexamples)
            open_ += len(finding.effects) - len(finding.counterexamples)
            for counterexample in (each for each in finding.counterexamples if each.kind == "Schema"):
                is_of_old = "the new schema does not accept it" in counterexample.outcome
                assert is_of_old or "the old schema does not accept it" in counterexample.outcome
                found = [Draft7Validator(each).is_valid(counterexample.before) for each in (old, new)]
                assert found == [is_of_old, not is_of_old], (finding.element, counterexample, old, new)
    assert shown > open_ / 4, (shown, open_)


CLOSED = "type: object\nadditionalProperties: false\nproperties: {a: {type: integer}%s}"
OPEN = "type: object\nproperties: {a: {type: integer}%s}"
MORE = ", b: {type: string, default: x}"


@pytest.mark.parametrize(
    ("old", "new", "is_shown"),
    [
        (CLOSED, CLOSED % MORE, True),
        (CLOSED % MORE, CLOSED, True),
        (OPEN % MORE, OPEN, True),
        (OPEN, OPEN % MORE, True),
        (OPEN % ", b: {default: x}", OPEN, False),
        (OPEN % MORE, CLOSED, True),
    ],
)
def test_schemas_have_counterexamples_with_their_values(old: str, new: str, is_shown: bool, tmp_path: Path) -> None:
    texts = [each.replace("%s", "") for each in (old, new)]
    before, after = (schema(tmp_path, text, f"{i}.yaml").surface for i, text in enumerate(texts))
    assert before is not None and after is not None
    sides = [Draft7Validator(read_yaml(text)) for text in texts]
    shown = [
        each for finding in with_counterexamples(review(before, after)).findings for each in finding.counterexamples
    ]
    assert bool(shown) is is_shown
    assert all({side.is_valid(each.before) for side in sides} == {True, False} for each in shown), shown


def _completed(old: Any, new: Any, folder: Path) -> list[Finding]:
    """The findings of a review of two documents, of which nothing was shown before."""
    before, after = (schema(folder, json.dumps(each), "schema.json").surface for each in (old, new))
    if before is None or after is None:
        return []
    by_schemas = BySchemas(before, after)
    found = [replace(each, no_counterexample="none") for each in review(before, after).findings if each.effects]
    return [by_schemas.completed(each) for each in found]


def test_unreported_reader_effect_is_no_counterexample(tmp_path: Path) -> None:
    """A response that an older client would reject is not a counterexample if the finding does not report that."""
    (finding,) = _completed({"type": "string"}, {"type": "string", "not": {"const": "a"}}, tmp_path)
    assert {each.direction for each in finding.counterexamples} == {Direction.OLD_CLIENT, Direction.STORED}
    assert [each.before for each in finding.counterexamples] == ["a", "a"]


@pytest.mark.parametrize("is_added", [True, False])
def test_untyped_property_has_counterexample_of_other_type(is_added: bool, tmp_path: Path) -> None:
    properties = [{"a": {"type": "string"}}, {"a": {"type": "string"}, "b": {"type": "integer"}}]
    old, new = ({"type": "object", "properties": each} for each in (properties if is_added else properties[::-1]))
    (finding,) = _completed(old, new, tmp_path)
    senders = {Direction.OLD_CLIENT, Direction.STORED} if is_added else {Direction.NEW_CLIENT, Direction.ROLLBACK}
    shown = {each.direction: each.before for each in finding.counterexamples}
    assert senders <= shown.keys()
    for value in shown.values():
        assert isinstance(value, dict) and not isinstance(value["b"], int)


def test_examples_of_a_rule_are_tried_first(tmp_path: Path) -> None:
    (finding,) = _completed({"type": "integer", "maximum": 900}, {"type": "integer", "maximum": 12}, tmp_path)
    assert {json.dumps(each.before) for each in finding.counterexamples} == {"13"}
