"""Objects by schemas of CRDs: the answers are those of kube-apiserver's packages, recorded for random questions."""

from __future__ import annotations

from typing import Any

import pytest

from apigen.runtime.cel import find_cel
from apigen.runtime.structural.engine import MOST_DEPTH, Structural
from apigen.runtime.structural.nodes import Shared
from tests.runtime.structural.comparing import ALLOWED, kinds, own, recorded
from tests.runtime.structural.randomized import question

A_STRING = {"type": "string"}
FILLED = {"type": "string", "default": "x"}


def spec_of(**words: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {"spec": {"type": "object", **words}}}


RULES_OF_MODE = {
    "properties": {"mode": FILLED, "size": {"type": "integer"}},
    "x-kubernetes-validations": [{"rule": "!has(self.mode) || self.size < 10"}],
}
REJECTED_BY_DEFAULT: dict[str, tuple[dict[str, Any], dict[str, Any], str, str]] = {
    "alternatives": (
        spec_of(properties={"a": A_STRING, "b": FILLED}, oneOf=[{"required": ["a"]}, {"required": ["b"]}]),
        {"spec": {"a": "q"}},
        "oneOf",
        "spec",
    ),
    "most-properties": (
        spec_of(properties={"a": A_STRING, "b": FILLED}, maxProperties=1),
        {"spec": {"a": "q"}},
        "maxProperties",
        "spec",
    ),
    "required-below": (
        spec_of(properties={"in": {"type": "object", "default": {}, "properties": {"a": A_STRING}, "required": ["a"]}}),
        {"spec": {}},
        "required",
        "spec.in.a",
    ),
    "rule": (spec_of(**RULES_OF_MODE), {"spec": {"size": 20}}, "x-kubernetes-validations", "spec"),
}


@pytest.mark.parametrize("name", REJECTED_BY_DEFAULT)
def test_default_causes_rejection(name: str) -> None:
    schema, value, keyword, path = REJECTED_BY_DEFAULT[name]
    if keyword == "x-kubernetes-validations" and find_cel() is None:
        pytest.skip("CEL is not installed")
    found = Structural(schema).evaluate(value)
    assert [(each.keyword, each.error.path) for each in found.violations] == [(keyword, path)]


def test_object_is_defaulted_without_changing_the_input() -> None:
    schema = spec_of(properties={"a": FILLED, "b": A_STRING, "c": {**A_STRING, "nullable": True}})
    given = {"kind": "A", "spec": {"a": None, "b": None, "c": None, "unknown": 1}}
    assert Structural(schema).evaluate(given).value == {"kind": "A", "spec": {"a": "x", "c": None}}
    assert given["spec"] == {"a": None, "b": None, "c": None, "unknown": 1}


def test_pruned_object_keeps_nulls_and_gets_no_defaults() -> None:
    schema = spec_of(
        properties={
            "a": A_STRING,
            "filled": FILLED,
            "any": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
            "list": {"type": "array", "items": {"type": "object", "properties": {"a": A_STRING}}},
        }
    )
    given = {"spec": {"a": None, "gone": 1, "any": {"kept": None}, "list": [None, {"a": "b", "gone": 1}]}, "gone": 1}
    pruned = Structural(schema).pruned(given)
    assert pruned == {"spec": {"a": None, "any": {"kept": None}, "list": [None, {"a": "b"}]}}
    assert given["spec"]["gone"] == given["gone"] == 1  # type: ignore[index]


def test_unchanged_value_is_ratcheted() -> None:
    schema = Structural(spec_of(properties={"a": {**A_STRING, "maxLength": 1}, "b": A_STRING}))
    old = {"spec": {"a": "long"}}
    assert [str(each) for each in schema.evaluate(old).violations] == ["spec.a: Too long: may not be more than 1 byte"]
    assert not schema.evaluate({"spec": {"a": "long", "b": "new"}}, old).violations
    assert schema.evaluate({"spec": {"a": "other"}}, old).violations


def test_deep_object_is_rejected() -> None:
    value: dict[str, Any] = {}
    for _ in range(100 * MOST_DEPTH):
        value = {"a": value}
    found = Structural({"type": "object", "x-kubernetes-preserve-unknown-fields": True}).evaluate(value)
    assert "levels" in str(found.violations[0])


@pytest.mark.skipif(find_cel() is None, reason="CEL is not installed")
def test_results_match_the_server() -> None:
    differences = {}
    count = 0
    for number, theirs in enumerate(recorded()):
        if theirs:
            count += 1
            kind = kinds(own(question(number)), theirs)
            if kind and not kind.startswith(ALLOWED):
                differences[number] = kind
    assert not differences
    assert count > 1_000


def results(schema: Structural, value: Any, old: Any) -> tuple[str, list[tuple[str, str]]]:
    found = schema.evaluate(value, old)
    return repr(found.value), [(each.keyword, str(each)) for each in found.violations]


def test_shared_results_are_those_of_single_evaluations() -> None:
    shared = Shared()
    for number in range(300):
        asked = question(number)
        alone, together = Structural(asked["schema"]), Structural(asked["schema"], shared)
        value, old = asked["object"], asked.get("old")
        for one, other in ((value, None), (value, old), (old, None), (value, value), (value, None)):
            if one is not None:
                assert results(together, one, other) == results(alone, one, other), number


@pytest.mark.skipif(find_cel() is None, reason="CEL is not installed")
def test_shared_rule_is_evaluated_with_the_fields_it_reads() -> None:
    rules = [
        {"rule": "self.a != 'x' || !has(self.b)", "messageExpression": "'c is ' + self.c"},
        {"rule": "self.all(name, name != 'd')", "message": "no d"},
    ]
    fields = dict.fromkeys("abc", A_STRING)
    schema = spec_of(properties=fields, additionalProperties=A_STRING, **{"x-kubernetes-validations": rules})
    alone, together = Structural(schema), Structural(schema, Shared())
    specs = (
        {"a": "y"},
        {"a": "y", "c": "1"},
        {"a": "x", "c": "1"},
        {"a": "x", "b": "1", "c": "2"},
        {"a": "x", "b": "1", "c": "3"},
    )
    for spec in (*specs, {"a": "y", "d": "1"}, *specs):
        assert results(together, {"spec": spec}, None) == results(alone, {"spec": spec}, None)
