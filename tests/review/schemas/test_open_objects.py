"""Fields that only one side names, in objects that accept other fields: what the sides accept decides, and not who names a field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.running import Request, run_review

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


def rules(folder: Path, old: Any, new: Any) -> list[str]:
    """The rules of all findings that are not silent."""
    for name, schema in (("old.json", old), ("new.json", new)):
        (folder / name).write_text(json.dumps({"type": "object", **schema}))
    request = Request("old.json", "new.json", Setting(folder), approvals=None, moment=None, with_counterexamples=False)
    reviewed = run_review(request, Report())
    assert reviewed is not None
    summary = reviewed.summary
    return [each.rule for each in (*summary.findings, *summary.additions)]


@pytest.mark.parametrize("more", [{}, {"additionalProperties": NUMBER}])
def test_a_required_name_without_a_definition_is_not_a_field(tmp_path: Path, more: Any) -> None:
    both, one = {"properties": {"a": TEXT}, "required": ["a", "b"]}, {"properties": {"a": TEXT}, "required": ["a"]}
    assert rules(tmp_path, both | more, one | more) == ["became-optional"]
    assert rules(tmp_path, one | more, both | more) == ["became-required"]


def test_a_field_with_the_schema_of_the_others_is_not_a_change(tmp_path: Path) -> None:
    named = {"properties": {"x": NUMBER, "y": TEXT}, "additionalProperties": NUMBER}
    unnamed = {"properties": {"y": TEXT}, "additionalProperties": NUMBER}
    assert rules(tmp_path, named, unnamed) == rules(tmp_path, unnamed, named) == []
    assert rules(tmp_path, unnamed, named | {"required": ["x"]}) == ["became-required"]


def test_a_field_with_another_schema_than_the_others_is_a_change(tmp_path: Path) -> None:
    unnamed = {"properties": {"y": TEXT}, "additionalProperties": NUMBER}
    named = {"properties": {"x": TEXT, "y": TEXT}, "additionalProperties": NUMBER}
    assert "schema-tightened" in rules(tmp_path, unnamed, named)


def test_pattern_properties_override_additional_properties(tmp_path: Path) -> None:
    patterns = {"patternProperties": {"^x": TEXT}, "additionalProperties": NUMBER}
    named = patterns | {"properties": {"x": NUMBER, "y": TEXT}}
    assert rules(tmp_path, named, patterns | {"properties": {"y": TEXT}}) != []


def test_a_new_discriminator_does_not_affect_values(tmp_path: Path) -> None:
    without = {"properties": {"k": TEXT}}
    assert rules(tmp_path, without, {"discriminator": {"propertyName": "k"}} | without) == [
        "schema-discriminator-changed"
    ]


def test_exclusive_bounds_of_draft_4_equal_draft_6(tmp_path: Path) -> None:
    four, six = ({"$schema": f"http://json-schema.org/draft-0{n}/schema#"} for n in (4, 6))
    old = four | {"properties": {"n": NUMBER | {"minimum": 0.0, "exclusiveMinimum": True}}}
    assert rules(tmp_path, old, six | {"properties": {"n": NUMBER | {"exclusiveMinimum": 0}}}) == []
