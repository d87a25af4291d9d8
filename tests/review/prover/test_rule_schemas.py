"""Rules in CEL as schemas: a value matches the schema if and only if the engine of CRDs accepts it."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apigen.inputs.crd.stored_form import StoredForms
from apigen.ir.surface import CONDITIONS
from apigen.language.json_values import JsonValue
from apigen.review.prover.schemas.rules import rule_schema
from apigen.runtime.structural.engine import Structural

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "string"},
        "n": {"type": "integer", "nullable": True},
        "f": {"type": "boolean"},
        "l": {"type": "array", "items": {"type": "string"}},
        "o": {"type": "object", "nullable": True, "properties": {"b": {"type": "string"}, "x": {"type": "number"}}},
        "q": {"x-kubernetes-int-or-string": True},
    },
}
VALUES: dict[str, list[JsonValue]] = {
    "a": ["", "x", "xy", "yyyy"],
    "n": [None, 0, 3, 5],
    "f": [True, False],
    "l": [[], ["a"], ["a", "b", "c"]],
    "o": [None, {}, {"b": "x"}, {"x": 1.5}, {"b": "y", "x": 3}],
    "q": [1, "1"],
}
RULES = [
    "has(self.a) || has(self.n)",
    "!has(self.a)",
    "has(self.a) != has(self.n)",
    "has(self.o.b)",
    "!has(self.o.b)",
    "!has(self.o) || has(self.o.b)",
    "has(self.a) ? self.a == 'x' : has(self.n)",
    "self.a == 'x' || self.n > 3",
    "self.a != 'x'",
    "!(self.a in ['x', 'xy'])",
    "!has(self.a) || self.a.matches('^x')",
    "!(self.a.matches('y+$'))",
    "self.n >= 3 && self.n < 5",
    "self.n == 3 || self.n != 0",
    "!(self.n > 0)",
    "size(self.a) <= 2 || !has(self.a)",
    "self.a.size() != 1",
    "self.l.size() == 3 || size(self.l) == 0",
    "!(size(self.l) > 1)",
    "self.f || has(self.a)",
    "!self.f",
    "self.o.x > 1.5 || self.o.b == 'x'",
    "!has(self.o.x) && self.a == 'x'",
    "true",
    "has(self.a) || false",
]
OPAQUE = ["self.q == 1", "self.l.all(x, x != 'a')", "self.a == self.o.b", "self.a == oldSelf.a", "self.a + 'x' == 'xx'"]


def _translated(rule: str) -> JsonValue:
    words = StoredForms().of(SCHEMA)
    assert isinstance(words, dict)
    return rule_schema(json.dumps({"rule": [rule, None], "of": ""}), words)


def _objects(rule: str) -> list[dict[str, JsonValue]]:
    names = [name for name in VALUES if f"self.{name}" in rule]
    columns = ([{}, *({name: value} for value in VALUES[name])] for name in names)
    return [{key: value for part in row for key, value in part.items()} for row in product(*columns)]


@pytest.mark.parametrize("rule", RULES)
def test_values_of_the_schema_are_those_that_satisfy_the_rule(rule: str) -> None:
    schema = _translated(rule)
    assert isinstance(schema, dict) and CONDITIONS not in json.dumps(schema)
    validator = Draft202012Validator(schema)
    engine = Structural({**SCHEMA, "x-kubernetes-validations": [{"rule": rule}]})
    for value in _objects(rule):
        found = engine.evaluate(value)
        assert validator.is_valid(found.value) == (not found.violations), value


@pytest.mark.parametrize("rule", OPAQUE)
def test_rule_without_known_part_is_compared_by_its_text(rule: str) -> None:
    assert _translated(rule) is None


def test_unknown_part_of_a_rule_is_a_condition() -> None:
    schema = json.dumps(_translated("has(self.a) || self.q == 1"))
    assert CONDITIONS in schema and '"required": ["a"]' in schema
