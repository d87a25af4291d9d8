"""What a review says where the parts of a schema differ, and the whole accepts the same, no less, or no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apigen.review.results import Direction, Impact
from apigen.review.review import review
from tests.review.schemas.reading import schema

OC, NC, ST, RB = Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.STORED, Direction.ROLLBACK
OBJECT = {"type": "object"}
TEXT = {"type": "string"}
SMALL, LARGE = {"type": "integer", "maximum": 10}, {"type": "integer", "minimum": 11}


def _effects(folder: Path, old: Any, new: Any) -> tuple[set[Direction], set[str]]:
    """Return the affected directions, and the reported severities, for both orders of a pair."""
    one, other = schema(folder, json.dumps(old), "old.json"), schema(folder, json.dumps(new), "new.json")
    assert one.surface is not None and other.surface is not None, (one.diagnostics, other.diagnostics)
    findings = review(one.surface, other.surface).findings
    return {each for found in findings for each in found.effects}, {found.severity.word for found in findings}


SAME = {
    "alternatives for one type": ({"anyOf": [SMALL, LARGE]}, {"type": "integer"}),
    "a negation turned round": ({"not": {"not": TEXT}}, TEXT),
    "one of two that differ": (
        {"oneOf": [{"type": "boolean"}, {"enum": [True]}]},
        {"const": False},
    ),
    "a tuple that ends in the same": (
        {"type": "array", "items": [TEXT, TEXT], "additionalItems": TEXT},
        {"type": "array", "items": TEXT},
    ),
    "patterns that leave nothing between them": (
        {**TEXT, "minLength": 1},
        {**TEXT, "minLength": 1, "anyOf": [{"pattern": "^a"}, {"pattern": "^[^a]"}]},
    ),
    "a condition for alternatives": (
        {"if": {"type": "integer"}, "then": {"minimum": 0}},
        {"anyOf": [{"not": {"type": "integer"}}, {"minimum": 0}]},
    ),
    "a type that the values of an enum have": ({"enum": [1, 2]}, {"type": "integer", "enum": [1, 2]}),
    "members of a pattern in an open object": (OBJECT, {**OBJECT, "patternProperties": {"^x-": {}}}),
    "in a member": (
        {**OBJECT, "properties": {"a": {"anyOf": [SMALL, LARGE]}, "b": {}}},
        {**OBJECT, "properties": {"a": {"type": "integer"}, "b": {}}},
    ),
    "in a definition": (
        {"$ref": "#/definitions/A", "definitions": {"A": {**OBJECT, "properties": {"a": {"not": {"not": TEXT}}}}}},
        {"$ref": "#/definitions/A", "definitions": {"A": {**OBJECT, "properties": {"a": TEXT}}}},
    ),
}

WIDER = {
    "any value at all": (OBJECT, True),
    "an alternative more, of no one thing that tells them apart": (
        {"anyOf": [SMALL, {"type": "integer", "multipleOf": 7}]},
        {"anyOf": [SMALL, {"type": "integer", "multipleOf": 7}, {"type": "integer", "multipleOf": 5}]},
    ),
    "a negation of less": ({"not": {"type": "number"}}, {"not": {"type": "integer"}}),
    "items of a tuple for any": ({"type": "array", "items": [TEXT, SMALL]}, {"type": "array", "items": [TEXT]}),
    "members of a pattern in a closed object": (
        {**OBJECT, "additionalProperties": False},
        {**OBJECT, "additionalProperties": False, "patternProperties": {"^x-": {}}},
    ),
    "a list in addition to an object": (
        {"type": ["object"], "properties": {"a": TEXT}},
        {"type": ["object", "array"], "properties": {"a": TEXT}},
    ),
}

NEARLY = {
    "a gap between alternatives": (
        {"anyOf": [{"type": "integer", "maximum": 9}, LARGE]},
        {"type": "integer"},
        {OC, NC, RB},
    ),
    "one of two that overlap": ({"type": "integer"}, {"oneOf": [{"type": "integer"}, {"enum": [1]}]}, {OC, ST}),
    "a member that the object needs": (
        {**OBJECT, "properties": {"a": TEXT}},
        {**OBJECT, "properties": {"a": TEXT}, "required": ["a"]},
        {OC, ST},
    ),
    "a default is no matter of values": (
        {**OBJECT, "properties": {"a": {**TEXT, "default": "x"}}},
        {**OBJECT, "properties": {"a": {**TEXT, "default": "y"}}},
        {OC, NC, ST},
    ),
    "a member that is gone is not read": (
        {**OBJECT, "properties": {"a": {}}},
        OBJECT,
        {OC, NC, ST, RB},
    ),
    "an enum for all but these": (
        {**TEXT, "enum": ["a", "b"]},
        {**TEXT, "not": {"enum": ["a", "b"]}},
        {OC, NC, ST, RB},
    ),
    "null, of which an enum leaves nothing": ({**TEXT, "enum": ["p"]}, {"type": "null", "enum": ["p"]}, {OC, ST}),
    "no items for any, without a type": ({"items": True}, {"items": False}, {OC, ST}),
    "values of an enum that has none": ({"enum": [6, None]}, {"enum": []}, {OC, ST}),
    "a member of one of several types": (
        {"type": ["object", "string"], "properties": {"a": {"type": "integer"}}},
        {"type": ["object", "string"], "properties": {"a": {"type": "integer", "maximum": 3}}},
        {OC, ST},
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_equivalent_schemas_have_no_effects(tmp_path: Path, name: str) -> None:
    old, new = SAME[name]
    for pair in ((old, new), (new, old)):
        effects, severities = _effects(tmp_path, *pair)
        assert not effects
        assert severities <= {"info", "silent"}


@pytest.mark.parametrize("name", WIDER)
def test_wider_schema_breaks_readers_only(tmp_path: Path, name: str) -> None:
    old, new = WIDER[name]
    assert ST not in _effects(tmp_path, old, new)[0]
    assert RB in _effects(tmp_path, old, new)[0]
    assert RB not in _effects(tmp_path, new, old)[0]
    assert ST in _effects(tmp_path, new, old)[0]


@pytest.mark.parametrize("name", NEARLY)
def test_similar_schemas_with_different_effects(tmp_path: Path, name: str) -> None:
    old, new, expected = NEARLY[name]
    assert expected <= _effects(tmp_path, old, new)[0]


TAKES_MORE = {
    "an enum for a type that its values have": ({"enum": [1, 2, 3]}, {"type": "number"}),
    "a number for an integer that it is": ({"type": "number", "multipleOf": 10}, {"type": "integer"}),
    "a list in addition to an object": ({"type": ["object"]}, {"type": ["object", "array"]}),
    "nothing for something": ({"allOf": [{"type": "number"}, TEXT]}, {"anyOf": [TEXT]}),
}


@pytest.mark.parametrize("name", TAKES_MORE)
def test_accepted_client_can_read_unknown_values(tmp_path: Path, name: str) -> None:
    """Values that it writes are accepted, so the change does not break it; the same applies in the other direction."""
    for pair, direction in ((TAKES_MORE[name], OC), (TAKES_MORE[name][::-1], NC)):
        one, other = (schema(tmp_path, json.dumps(each), f"{at}.json") for at, each in enumerate(pair))
        assert one.surface is not None and other.surface is not None
        effects = [
            found.effects[direction]
            for found in review(one.surface, other.surface).findings
            if direction in found.effects
        ]
        assert effects
        assert all(effect.impact is Impact.DEPENDS and "may receive" in effect.text for effect in effects)


def test_unverified_reason_is_reported(tmp_path: Path) -> None:
    one, other = schema(tmp_path, '{"not": {"not": {"type": "string"}}}', "a.json"), schema(tmp_path, "type: string")
    assert one.surface is not None and other.surface is not None
    found = review(one.surface, other.surface).findings
    reasons = {considered.reason for each in found for considered in each.considered if considered.holds}
    assert reasons == {"the whole schema accepts the same values as before"}


def _library(**definitions: Any) -> dict[str, Any]:
    return {"$schema": "http://json-schema.org/draft-07/schema#", "definitions": definitions}


def test_library_schema_definitions_are_compared(tmp_path: Path) -> None:
    small = {**OBJECT, "properties": {"a": {**TEXT, "maxLength": 3}}}
    large = {**OBJECT, "properties": {"a": {**TEXT, "maxLength": 9}}}
    assert _effects(tmp_path, _library(A=large, B=TEXT), _library(A=small, B=TEXT))[0] == {OC, ST}
    assert _effects(tmp_path, _library(A=small, B=TEXT), _library(A=large, B=TEXT))[0] == {OC, NC, RB}
    assert ST in _effects(tmp_path, _library(A=small, B=TEXT), _library(A=small))[0]
    assert not _effects(tmp_path, _library(A=small), _library(A=small, B=TEXT))[0] - {NC, RB}


def test_unreferenced_definition_of_a_document_is_ignored(tmp_path: Path) -> None:
    old, new = ({**OBJECT, **_library(A={**TEXT, "maxLength": most})} for most in (9, 3))
    assert not _effects(tmp_path, old, new)[0]


def test_abandoned_proof_is_reported(tmp_path: Path) -> None:
    """Ten alternatives in each of four groups exceed the limit for expansion."""
    wide = [{"anyOf": [{"required": [f"{group}{index}"]} for index in range(10)]} for group in "abcd"]
    one = schema(tmp_path, json.dumps({"allOf": [*wide, {"minProperties": 4}]}), "a.json")
    other = schema(tmp_path, json.dumps({"allOf": wide}), "b.json")
    assert one.surface is not None and other.surface is not None
    considered = [each for found in review(one.surface, other.surface).findings for each in found.considered]
    assert [(each.holds, each.reason) for each in considered if each.name == "whole schema"] == [
        (False, "not verified, because the schemas are too large to compare")
    ]
