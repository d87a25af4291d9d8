"""Inclusion of whole schemas: pairs that mean the same or nearly so, and random ones against values."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError

from apigen.review.prover.result import Included
from apigen.review.prover.schemas.deciding import NOTHING_SHOWS, Undecided, schemas_included
from apigen.review.prover.schemas.schema import Document, Schema
from tests.review.schemas.randomized import LEAVES, Maker

OBJECT = {"type": "object"}
TEXT = {"type": "string"}
PAIR = {"type": "array", "items": [{"type": "integer"}, TEXT], "additionalItems": False}
CLOSED = {"additionalProperties": False}

INCLUDED = {
    "nothing": (False, TEXT),
    "nothing in words": ({"not": {}}, TEXT),
    "a type of several": ({"type": "integer"}, {"type": ["number", "null"]}),
    "another order": ({"type": ["string", "null"]}, {"anyOf": [{"type": "null"}, TEXT]}),
    "a constant of an enum": ({"const": 2}, {"enum": [1, 2.0]}),
    "an enum of a type": ({"enum": [1, "a"]}, {"type": ["integer", "string"]}),
    "an enum without an excluded value": ({"enum": ["a", "b"], "not": {"const": "b"}}, {"const": "a"}),
    "an object of an enum": ({"const": {"a": 1}}, {"enum": [{"a": 2}, {"a": 1.0}, {}]}),
    "a list of an enum": ({"const": [1, {"a": []}]}, {"enum": [[1], [1, {"a": []}], [1, {}]]}),
    "a list of which nothing is open": (
        {"type": "array", "items": {"const": 1}, "minItems": 1, "maxItems": 1},
        {"const": [1]},
    ),
    "an object of which nothing is open": (
        {**OBJECT, "properties": {"a": {"const": 1}}, "required": ["a"], **CLOSED},
        {"const": {"a": 1}},
    ),
    "a member that is asked for twice": (
        {**OBJECT, "properties": {"a": {"enum": [1, 2]}}, "not": {"properties": {"a": {"const": 1}}}},
        {**OBJECT, "required": ["a"], "properties": {"a": {"const": 2}}},
    ),
    "ranges side by side": (
        {"type": "integer", "minimum": 0},
        {"anyOf": [{"maximum": 10}, {"minimum": 11}]},
    ),
    "multiples": ({"type": "integer", "multipleOf": 6}, {"allOf": [{"multipleOf": 2}, {"multipleOf": 3}]}),
    "a multiple that is whole": ({"type": "number", "multipleOf": 2}, {"type": "integer"}),
    "a bound that was exclusive": ({"type": "integer", "exclusiveMinimum": 3}, {"minimum": 4}),
    "a bound as draft 4 writes it": (
        {"type": "number", "minimum": 3, "exclusiveMinimum": True},
        {"type": "number", "exclusiveMinimum": 3},
    ),
    "a text that is not empty": ({**TEXT, "minLength": 1}, {"not": {"const": ""}}),
    "a pattern": ({**TEXT, "pattern": "^a{2,3}$"}, {**TEXT, "pattern": "^a+$", "maxLength": 3}),
    "a pattern of few texts": ({**TEXT, "pattern": r"^(?:a|b)\Z"}, {"enum": ["a", "b"]}),
    "the same format": ({**TEXT, "format": "x"}, {"format": "x"}),
    "items of a tuple": (PAIR, {"type": "array", "items": {"type": ["integer", "string"]}, "maxItems": 2}),
    "a tuple in the words of 2020": (
        PAIR,
        {"type": "array", "prefixItems": [{"type": "integer"}, TEXT], "items": False},
    ),
    "no items": ({"type": "array", "items": False}, {"const": []}),
    "an item that is contained": (
        {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        {"contains": {"type": "number"}},
    ),
    "members of all names": (
        {**OBJECT, "properties": {"a": TEXT, "b": TEXT}, **CLOSED},
        {**OBJECT, "additionalProperties": TEXT},
    ),
    "a member of a pattern": (
        {**OBJECT, "properties": {"s_a": TEXT}, **CLOSED},
        {**OBJECT, "patternProperties": {"^s_": TEXT}, **CLOSED},
    ),
    "a member more, of what it had to be": (
        {**OBJECT, "additionalProperties": TEXT},
        {**OBJECT, "properties": {"a": TEXT}, "additionalProperties": TEXT},
    ),
    "no members": ({**OBJECT, **CLOSED}, {**OBJECT, "maxProperties": 0}),
    "members that are needed count": ({**OBJECT, "required": ["a", "b"]}, {**OBJECT, "minProperties": 2}),
    "names": (
        {**OBJECT, "properties": {"ab": {}}, **CLOSED},
        {**OBJECT, "propertyNames": {"pattern": "^a", "maxLength": 2}},
    ),
    "one of two that differ": (
        {**OBJECT, "required": ["k"], "properties": {"k": {"const": "a"}}},
        {"oneOf": [{"properties": {"k": {"const": name}}, "required": ["k"]} for name in "ab"]},
    ),
    "a condition": (
        {"if": OBJECT, "then": {"required": ["a"]}, "else": False},
        {**OBJECT, "required": ["a"]},
    ),
    "a member that needs another one": (
        {**OBJECT, "required": ["a", "b"]},
        {**OBJECT, "dependentRequired": {"a": ["b"]}},
    ),
    "unevaluated where nothing else evaluates": (
        {**OBJECT, "properties": {"a": TEXT}, "unevaluatedProperties": False},
        {**OBJECT, "properties": {"a": TEXT}, **CLOSED},
    ),
    "unevaluatedProperties with properties in allOf": (
        {**OBJECT, "additionalProperties": False, "properties": {"a": {}}},
        {**OBJECT, "allOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
    ),
    "unevaluatedProperties with properties in a referenced schema": (
        {
            **OBJECT,
            "allOf": [{"$ref": "#/$defs/b"}, {"patternProperties": {"^x": {}}}],
            "unevaluatedProperties": False,
            "$defs": {"b": {"allOf": [{"properties": {"a": TEXT}}]}},
        },
        {**OBJECT, "properties": {"a": TEXT}, "patternProperties": {"^x": {}}, **CLOSED},
    ),
    "unevaluatedProperties where a schema in allOf evaluates all": (
        OBJECT,
        {**OBJECT, "allOf": [{"additionalProperties": True}], "unevaluatedProperties": False},
    ),
    "a list of itself": (
        {"type": "array", "items": {"$ref": "#"}, "maxItems": 2},
        {"type": "array", "items": {"$ref": "#"}, "maxItems": 3},
    ),
    "a list whose items do not exist": ({"type": "array", "items": {"enum": []}}, {"maxItems": 0}),
    "a list that needs an item that does not exist": (
        {"type": "array", "items": {"type": "integer", "enum": ["a"]}, "minItems": 1},
        False,
    ),
    "an impossible item excludes all later items": (
        {"type": "array", "prefixItems": [TEXT, False, TEXT]},
        {"type": "array", "prefixItems": [TEXT, TEXT], "items": False},
    ),
    "an object that needs more members than there can be": (
        {**OBJECT, "minProperties": 2, "properties": {"a": TEXT, "b": False}, **CLOSED},
        False,
    ),
    "a member that does not exist": (
        {**OBJECT, "properties": {"a": {"type": "integer", "enum": ["a"]}}, **CLOSED},
        {**OBJECT, "maxProperties": 0},
    ),
    "an unchanged part with unknown keywords": (
        {**OBJECT, "properties": {"a": {"enum": [{"x": 1}]}, "b": {"type": "integer"}}},
        {**OBJECT, "properties": {"a": {"enum": [{"x": 1}]}, "b": {"type": "number"}}},
    ),
    "what never ends": ({**OBJECT, "required": ["a"], "properties": {"a": {"$ref": "#"}}}, False),
}

NOT_PROVEN = {
    "something": ({}, TEXT),
    "a type more": ({"type": ["integer", "null"]}, {"type": "number"}),
    "true is not one": ({"const": True}, {"const": 1}),
    "an enum that holds more": ({"enum": ["a", "b"]}, {"enum": ["a"]}),
    "an object with a member more": ({"const": {"a": 1, "b": 1}}, {"enum": [{"a": 1}, {"b": 1}]}),
    "an object that may be empty": (
        {**OBJECT, "properties": {"a": {"const": 1}}, **CLOSED},
        {"const": {"a": 1}},
    ),
    "a list in another order": ({"const": [1, 2]}, {"enum": [[2, 1], [1], [1, 2, 2]]}),
    "one of two lists": ({"enum": [[1], [2]]}, {"enum": [[1], [3]]}),
    "more objects than are compared": (
        {"const": {"a": 0}},
        {"enum": [{"a": number, "b": number} for number in range(9)]},
    ),
    "a value that the other excludes": ({**TEXT, "enum": ["a", "b"]}, {**TEXT, "not": {"enum": ["a", "b"]}}),
    "a gap between ranges": ({"type": "number", "minimum": 0}, {"anyOf": [{"maximum": 10}, {"minimum": 11}]}),
    "multiples of both": ({"type": "integer", "multipleOf": 3}, {"multipleOf": 6}),
    "a bound that is included": ({"type": "number", "minimum": 3}, {"exclusiveMinimum": 3}),
    "a line break is no character": ({**TEXT, "minLength": 1}, {"pattern": ".+"}),
    "another format": ({**TEXT, "format": "x"}, {"format": "y"}),
    "a format that was not asked": (TEXT, {"format": "x"}),
    "an item more": (
        {"type": "array", "items": [{"type": "integer"}]},
        {"type": "array", "items": {"type": "integer"}},
    ),
    "an empty list contains nothing": (
        {"type": "array", "items": {"type": "integer"}},
        {"contains": {"type": "integer"}},
    ),
    "a name that no pattern has": (
        {**OBJECT, "properties": {"t_a": TEXT}, **CLOSED},
        {**OBJECT, "patternProperties": {"^s_": TEXT}, **CLOSED},
    ),
    "open members": ({**OBJECT, "properties": {"a": TEXT}}, {**OBJECT, "additionalProperties": TEXT}),
    "a member that may be missing": ({**OBJECT, "properties": {"a": TEXT}}, {**OBJECT, "required": ["a"]}),
    "one of two that overlap": ({"type": "integer"}, {"oneOf": [{"type": "integer"}, {"minimum": 0}]}),
    "a condition that another value meets": (
        {"if": OBJECT, "then": {"required": ["a"]}},
        {**OBJECT, "required": ["a"]},
    ),
    "unevaluatedProperties with properties in anyOf": (
        {**OBJECT, "additionalProperties": False, "properties": {"a": {}}},
        {**OBJECT, "anyOf": [{"properties": {"a": {}}}], "unevaluatedProperties": False},
    ),
    "unevaluatedProperties next to a reference in a draft that may ignore them": (
        {"properties": {"a": TEXT}, **CLOSED},
        {"$ref": "#/$defs/b", "unevaluatedProperties": False, "$defs": {"b": {"properties": {"a": TEXT}}}},
    ),
    "a list of itself that grows": (
        {"type": "array", "items": {"$ref": "#"}, "maxItems": 3},
        {"type": "array", "items": {"$ref": "#"}, "maxItems": 2},
    ),
    "true is not one, in a member": (
        {**OBJECT, "properties": {"a": {"const": True}}},
        {**OBJECT, "properties": {"a": {"const": 1}}},
    ),
    "an object that needs as many members as there can be": (
        {**OBJECT, "minProperties": 1, "properties": {"a": TEXT, "b": False}, **CLOSED},
        False,
    ),
    "an item before an impossible one": (
        {"type": "array", "prefixItems": [TEXT, False, TEXT]},
        {"maxItems": 0},
    ),
    "one reference to two schemas": (
        {**OBJECT, "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "number"}}},
        {**OBJECT, "properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"type": "integer"}}},
    ),
    "an unknown keyword": (
        {**OBJECT, "properties": {"a": {"x-kubernetes-unknown": True}}},
        {**OBJECT, "properties": {"a": {"x-kubernetes-unknown": True}}},
    ),
    "a reference to nowhere": ({"$ref": "#/gone"}, TEXT),
    "what nothing but refers to itself": ({"$ref": "#"}, TEXT),
}


def _schema(value: Any) -> Schema:
    def find(reference: str) -> Any:
        found = value
        for step in reference.removeprefix("#").split("/")[1:]:
            found = found.get(step) if isinstance(found, dict) else None
        return found

    return Document(find).schema(value)


def _is_included(inner: Any, outer: Any) -> bool:
    return isinstance(schemas_included(_schema(inner), _schema(outer)), Included)


@pytest.mark.parametrize("name", INCLUDED)
def test_included(name: str) -> None:
    assert _is_included(*INCLUDED[name])


@pytest.mark.parametrize("name", NOT_PROVEN)
def test_not_proven(name: str) -> None:
    assert not _is_included(*NOT_PROVEN[name])


def test_unsupported_pattern_is_undecided() -> None:
    strange = {**TEXT, "pattern": "^(?=b)"}
    found = schemas_included(_schema({**TEXT, "pattern": "^c"}), _schema(strange))
    assert isinstance(found, Undecided) and "(?=b" in found.reason


def test_counterexample_decides_despite_unsupported_pattern() -> None:
    strange = {**TEXT, "pattern": "^(?=b)"}
    found = schemas_included(_schema({"anyOf": [strange, {"type": "integer"}]}), _schema(strange))
    assert found == NOTHING_SHOWS


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_no_value_contradicts_a_proof(seed: int) -> None:
    maker, proven = Maker(100 + seed), 0
    values = [*LEAVES, *(maker.value() for _ in range(300))]
    for _ in range(60):
        old = maker.document()
        new = maker.changed(old)
        try:
            for each in (old, new):
                Draft7Validator.check_schema(each)
        except SchemaError:
            continue
        for inner, outer in ((old, new), (new, old)):
            if _is_included(inner, outer):
                proven += 1
                try:
                    assert [v for v in values if _is_valid(inner, v) and not _is_valid(outer, v)] == []
                except RecursionError:  # an alternative that is the schema itself: no validator ends
                    continue
    assert proven > 10


def _is_valid(schema: Any, value: Any) -> bool:
    return bool(Draft7Validator(schema).is_valid(value))


def test_schema_over_the_limit_is_not_proven() -> None:
    wide = {"allOf": [{"anyOf": [{"minimum": 2 * i + j} for j in range(3)]} for i in range(40)]}
    assert not _is_included(wide, {"allOf": [{"not": wide}, wide]})
    deep: Any = TEXT
    for _ in range(300):
        deep = {"type": "array", "items": deep}
    assert not _is_included(deep, {"type": "array", "items": deep, "maxItems": 1})
