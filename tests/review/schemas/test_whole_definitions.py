"""What a review says of definitions where parts of a schema differ, and what a server stores is the same, no less, or no more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.crdify.server import Server
from tests.review.schemas.reading import HEAD, crd, spec
from tests.yaml_files import read_yaml

OC, NC, ST, RB = Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.STORED, Direction.ROLLBACK
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
EITHER = {"x-kubernetes-int-or-string": True}
KEPT = {"x-kubernetes-preserve-unknown-fields": True}


def _object(words: dict[str, Any] | None = None, **members: Any) -> dict[str, Any]:
    return {"type": "object", "properties": members, **(words or {})}


def _effects(folder: Path, old: Any, new: Any) -> set[Direction]:
    one, other = spec(folder, json.dumps(old), "old.yaml"), spec(folder, json.dumps(new), "new.yaml")
    assert one.surface is not None and other.surface is not None, (one.diagnostics, other.diagnostics)
    return {each for found in review(one.surface, other.surface).findings for each in found.effects}


def definition_of(schema: dict[str, Any]) -> str:
    """A definition whose objects have this schema."""
    definition = read_yaml(HEAD)
    definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema
    return yaml.safe_dump(definition)


def _ruled(rule: str, **members: Any) -> dict[str, Any]:
    return _object({"x-kubernetes-validations": [{"rule": rule}]}, **members)


ONE_OF_TWO = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}

SAME = {
    "a bound for a rule": (
        _ruled("has(self.a) || has(self.b)", a=TEXT, b=TEXT),
        _object({"minProperties": 1}, a=TEXT, b=TEXT),
    ),
    "alternatives for a rule": (
        _ruled("has(self.a) != has(self.b)", a=TEXT, b=TEXT),
        _object(ONE_OF_TWO, a=TEXT, b=TEXT),
    ),
    "an enum for a rule": (
        _object(a={**TEXT, "x-kubernetes-validations": [{"rule": "self in ['x', 'y']"}]}),
        _object(a={**TEXT, "enum": ["x", "y"]}),
    ),
    "a bound of a member for a rule of the object": (
        _ruled("!has(self.a) || self.a.size() <= 5", a=TEXT, b=TEXT),
        _object(a={**TEXT, "maxLength": 5}, b=TEXT),
    ),
    "a pattern for a rule": (
        _ruled("!has(self.a) || self.a.matches('^x')", a=TEXT),
        _object(a={**TEXT, "pattern": "^x"}),
    ),
    "alternatives for a bound": (
        _object(a={**NUMBER, "anyOf": [{"maximum": 3}, {"maximum": 9}]}),
        _object(a={**NUMBER, "maximum": 9}),
    ),
    "a negation for a bound": (_object(a={**NUMBER, "not": {"minimum": 10}}), _object(a={**NUMBER, "maximum": 9})),
    "no `null` where the type already takes none": (
        _object(a={**TEXT, "enum": ["x", None]}),
        _object(a={**TEXT, "enum": ["x"]}),
    ),
    "what schemas in a schema say of `null`": (
        _object(a={**TEXT, "nullable": True, "minLength": 2}),
        _object(a={**TEXT, "nullable": True, "anyOf": [{"minLength": 2}]}),
    ),
    "fewer members of an object that keeps none": (
        _object(a={"type": "object", "maxProperties": 10}),
        _object(a={"type": "object", "maxProperties": 5}),
    ),
    "members that an object needs and never keeps": (
        _object(a={"type": "object", "minProperties": 3}),
        _object(a={"type": "object", "minProperties": 4}),
    ),
    "together with an unchanged rule": (
        _object(
            {"x-kubernetes-validations": [{"rule": "self.a > 1"}], "anyOf": [{"maxProperties": 1}]}, a=NUMBER, b=TEXT
        ),
        _object({"x-kubernetes-validations": [{"rule": "self.a > 1"}], "maxProperties": 1}, a=NUMBER, b=TEXT),
    ),
}

WIDER = {
    "any name for two": (_object(a=TEXT, b=TEXT), {"type": "object", "additionalProperties": TEXT}),
    "anything without members for text, by name": (
        {"type": "object", "additionalProperties": TEXT},
        {"type": "object", "additionalProperties": True},
    ),
    "text or number for text": (_object(a={**TEXT, "minLength": 1}), _object(a=EITHER)),
    "anything for text": (_object(a=TEXT), _object(a=KEPT)),
    "alternatives that overlap": (
        _object({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}, a=TEXT, b=TEXT),
        _object({"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, a=TEXT, b=TEXT),
    ),
}

NEARLY = {
    "a bound for a rule that rejects more": (
        _ruled("has(self.a) || has(self.b)", a=TEXT, b=TEXT, c=TEXT),
        _object({"minProperties": 1}, a=TEXT, b=TEXT, c=TEXT),
        {RB},
    ),
    "a member that is dropped": (_object(a=TEXT, b=TEXT), _object(a=TEXT), {ST}),
    "members that are dropped inside": (
        {"type": "object", "additionalProperties": _object(a=TEXT)},
        {"type": "object", "additionalProperties": True},
        {ST},
    ),
    "members of which the inside is dropped, and was kept": (
        {"type": "object", **KEPT},
        {"type": "object", "additionalProperties": True},
        {OC, ST},
    ),
    "a default that takes the place of another member": (
        _object({"maxProperties": 1}, a=TEXT, b=TEXT),
        _object({"maxProperties": 1}, a={**TEXT, "default": "x"}, b=TEXT),
        {ST},
    ),
    "null that is not a value of an enum": (
        _object(a={**TEXT, "nullable": True}),
        _object(a={**TEXT, "nullable": True, "enum": ["x"]}),
        {OC, ST},
    ),
    "the same rule on another type": (
        _object({"x-kubernetes-validations": [{"rule": "self.a / 2 > 1"}]}, a={"type": "integer", "maximum": 5}),
        _object({"x-kubernetes-validations": [{"rule": "self.a / 2 > 1"}]}, a={"type": "number", "maximum": 5}),
        {RB},
    ),
    "a multiple that floating-point numbers never match": (
        _object(a={"type": "number", "anyOf": [{"multipleOf": 0.3}]}),
        _object(a={"type": "number", "anyOf": [{"multipleOf": 0.1}]}),
        {ST, RB},
    ),
    "numbers that no server takes for whole ones": (
        _object(a={"type": "number", "anyOf": [{"enum": [1e30]}]}),
        _object(a={"type": "number", "not": {"not": {"type": "integer"}}}),
        {ST},
    ),
    "a list that is a set": (
        _object(a={"type": "array", "items": TEXT}),
        _object(a={"type": "array", "items": TEXT, "x-kubernetes-list-type": "set"}),
        {ST},
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_equivalent_definitions_have_no_effects(tmp_path: Path, name: str) -> None:
    old, new = SAME[name]
    assert not _effects(tmp_path, old, new)
    assert not _effects(tmp_path, new, old)


@pytest.mark.parametrize("name", [name for name in SAME if "object" in name])
def test_equivalent_definitions_store_the_same_values(tmp_path: Path, name: str) -> None:
    """Servers of both schemas receive values of all sizes: each stores or rejects the same values as the other."""
    values = [{"spec": {"a": dict.fromkeys("abcdefghijk"[:count], 1)}} for count in range(12)]
    whole = ({"type": "object", "properties": {"spec": schema}} for schema in SAME[name])
    old, new = (Server(definition_of(each)) for each in whole)
    assert [old.read(each) for each in values] == [new.read(each) for each in values]


@pytest.mark.parametrize("name", WIDER)
def test_wider_definition_keeps_stored_objects(tmp_path: Path, name: str) -> None:
    old, new = WIDER[name]
    assert ST not in _effects(tmp_path, old, new)
    assert RB in _effects(tmp_path, old, new)
    assert ST in _effects(tmp_path, new, old)


@pytest.mark.parametrize("name", NEARLY)
def test_similar_definitions_with_different_effects(tmp_path: Path, name: str) -> None:
    old, new, expected = NEARLY[name]
    assert expected <= _effects(tmp_path, old, new)


def test_only_metadata_and_the_type_of_all_objects_have_no_schema(tmp_path: Path) -> None:
    read = crd(tmp_path, definition_of(_object(kinds=TEXT, metadata=_object(name=TEXT), kind=TEXT)))
    assert read.surface is not None
    [schemas] = read.surface.schemas.values()
    found = [schemas.at(f"Thing.{path}") is not None for path in ("kinds", "metadata", "metadata.name", "kind")]
    assert found == [True, False, False, False]
