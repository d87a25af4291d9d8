"""What a review says of definitions and schemas: cases that other tools have in their suites."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.schemas.reading import Read, schema, spec

OC, NC, ST, RB = Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.STORED, Direction.ROLLBACK
PASSED_OVER = frozenset({"type-added", "type-removed"})
A = "type: object\nproperties:\n  a: "


def said(old: Read, new: Read) -> dict[str, tuple[str, frozenset[Direction]]]:
    """Return, by rule, the severity and the directions of findings."""
    assert old.surface is not None and new.surface is not None
    found = [
        each for each in review(old.surface, new.surface).findings if each.severity and each.rule not in PASSED_OVER
    ]
    return {each.rule: (each.severity.word, frozenset(each.effects)) for each in found}


CRDS = {
    "an optional field": (
        A + "{type: string}",
        A + "{type: string}\n  b: {type: string}",
        {"field-added": ("info", {NC, RB})},
    ),
    "a required field": (
        A + "{type: string}",
        "required: [b]\n" + A + "{type: string}\n  b: {type: string}",
        {"field-added-required": ("error", {OC, NC, ST, RB})},
    ),
    "a required field in a new optional object": (
        A + "{type: string}",
        A + "{type: string}\n  p: {type: object, required: [x], properties: {x: {type: string}}}",
        {"field-added": ("info", {NC, RB})},
    ),
    "an enum on free text": (
        A + "{type: string}",
        A + "{type: string, enum: [x]}",
        {"enum-constraint-added": ("error", {OC, ST})},
    ),
    "an enum in another order": (A + "{type: string, enum: [x, y]}", A + "{type: string, enum: [y, x]}", {}),
    "a number for an integer": (
        A + "{type: integer}",
        A + "{type: number}",
        {"number-kind-changed": ("error", {OC, NC, RB})},
    ),
    "a wider integer": (
        A + "{type: integer, format: int32}",
        A + "{type: integer, format: int64}",
        {"integer-widened": ("error", {OC, NC, RB})},
    ),
    "unknown members are dropped now": (
        "type: object\nx-kubernetes-preserve-unknown-fields: true",
        "type: object",
        {"unknown-fields-closed": ("error", {OC, NC, ST})},
    ),
    "values of a map": (
        A + "{type: object, additionalProperties: {type: string}}",
        A + "{type: object, additionalProperties: {type: string, maxLength: 3}}",
        {"bound-tightened": ("error", {OC, ST})},
    ),
    "a map for an object": (
        A + "{type: object, properties: {x: {type: string}}}",
        A + "{type: object, additionalProperties: {type: string}}",
        {"struct-and-map-swapped": ("error", {OC, NC, RB})},
    ),
    "a list by key": (
        A + "{type: array, items: {type: string}}",
        A + "{type: array, x-kubernetes-list-type: set, items: {type: string}}",
        {"list-type-associative": ("error", {OC, NC, ST})},
    ),
    "a rule": (
        A + "{type: integer}",
        A + "{type: integer, x-kubernetes-validations: [{rule: self > 0}]}",
        {"rule-added": ("error", {OC, ST})},
    ),
    "a rule about updates": (
        A + "{type: integer}",
        A + "{type: integer, x-kubernetes-validations: [{rule: self == oldSelf}]}",
        {"transition-rule-added": ("error", {OC})},
    ),
    "exactly one of": (
        A + "{type: string}\n  b: {type: string}",
        A + "{type: string}\n  b: {type: string}\noneOf: [{required: [a]}, {required: [b]}]",
        {"schema-tightened": ("error", {OC, ST})},
    ),
    "the name of objects": (
        "type: object",
        "type: object\nx-kubernetes-embedded-resource: true",
        {"field-added-required": ("error", {OC, NC, ST, RB}), "field-added": ("info", {NC, RB})},
    ),
}

SCHEMAS = {
    "a member of an open object": (
        A + "{}",
        A + "{}\n  b: {type: integer}",
        {"field-added": ("info", {OC, ST})},
    ),
    "a member of a closed object": (
        "additionalProperties: false\n" + A + "{}",
        "additionalProperties: false\n" + A + "{}\n  b: {type: integer}",
        {"field-added": ("info", {NC, RB})},
    ),
    "a member gone from a closed object": (
        "additionalProperties: false\n" + A + "{}\n  b: {}",
        "additionalProperties: false\n" + A + "{}",
        {"field-removed": ("error", {OC, ST, RB})},
    ),
    "closed": (
        A + "{}",
        "additionalProperties: false\n" + A + "{}",
        {"unknown-fields-closed": ("error", {OC, NC, ST})},
    ),
    "opened": (
        "additionalProperties: false\n" + A + "{}",
        A + "{}",
        {"unknown-fields-opened": ("warning", {OC, NC, RB})},
    ),
    "alternatives of text for any text": (
        A + "{type: string}",
        A + "{anyOf: [{type: string, maxLength: 3}, {type: string, format: date}]}",
        {"schema-tightened": ("error", {OC, ST})},
    ),
    "any text for alternatives of text": (
        A + "{anyOf: [{type: string, maxLength: 3}, {type: string, format: date}]}",
        A + "{type: string}",
        {"schema-loosened": ("warning", {OC, NC, RB})},
    ),
    "a type more": (
        A + "{type: integer}",
        A + "{type: [integer, string]}",
        {"type-generalized": ("error", {OC, NC, RB})},
    ),
    "a type less": (
        A + "{type: [integer, string]}",
        A + "{type: integer}",
        {"type-restricted": ("error", {OC, NC, ST})},
    ),
    "null": (A + "{type: integer}", A + '{type: [integer, "null"]}', {"nullable-added": ("error", {OC, NC, RB})}),
    "another constant": (A + "{const: 1}", A + "{const: 2}", {"value-excluded": ("error", {OC, NC, ST, RB})}),
    "an inline schema moved to a definition": (
        A + "{type: object, properties: {x: {type: string}}}",
        A + '{$ref: "#/$defs/A"}\n$defs: {A: {type: object, properties: {x: {type: string}}}}',
        {"type-renamed": ("info", set())},
    ),
    "another name of a definition": (
        A + '{$ref: "#/$defs/A"}\n$defs: {A: {type: object, properties: {x: {type: string}}}}',
        A + '{$ref: "#/$defs/B"}\n$defs: {B: {type: object, properties: {x: {type: string}}}}',
        {"type-renamed": ("info", set())},
    ),
    "alternatives that are types": (
        A + "{anyOf: [{type: string}, {type: integer, description: A number.}]}",
        A + "{type: [integer, string]}",
        {},
    ),
    "one more alternative with a discriminator": (
        "oneOf: [{type: object, required: [k], properties: {k: {const: a}}}]",
        "oneOf: [{type: object, required: [k], properties: {k: {const: a}}}, {type: object, required: [k], properties: {k: {const: b}}}]",
        {"schema-loosened": ("warning", {OC, NC, RB})},
    ),
    "what another member needs": (
        A + "{}\n  b: {}",
        A + "{}\n  b: {}\ndependentRequired: {a: [b]}",
        {"dependents-tightened": ("error", {OC, ST})},
    ),
    "a definition that no unevaluated property depends on": (
        A + "{}\nif: {required: [a]}\nthen: {required: [b]}\nunevaluatedProperties: false",
        A + "{}\nif: {required: [a]}\nthen: {required: [b]}\nunevaluatedProperties: false\n$defs: {T: {}}",
        {},
    ),
    "a reference to another document": (
        A + "{$ref: a.json}",
        A + "{$ref: b.json}",
        {"schema-tightened": ("unverified", {OC, ST}), "schema-loosened": ("warning", {OC, NC, RB})},
    ),
    "the target of a negated dynamic reference": (
        'not: {$dynamicRef: "#x"}\n$defs: {A: {$dynamicAnchor: x}}',
        'not: {$dynamicRef: "#x"}\n$defs: {A: {$dynamicAnchor: x, not: {}}}',
        {"schema-loosened": ("warning", {OC, NC, RB}), "schema-tightened": ("info", set())},
    ),
    "a dynamic reference next to another": (
        '$ref: "#/$defs/A"\n$dynamicRef: "#x"\n$defs: {A: {}, B: {$dynamicAnchor: x}}',
        '$ref: "#/$defs/A"\n$dynamicRef: "#x"\n$defs: {A: {}, B: {$dynamicAnchor: x, maxLength: 1}}',
        {"bound-tightened": ("error", {OC, ST})},
    ),
    "another title and other examples": (
        "title: One\nexamples: [1]\n" + A + "{}",
        "title: One\nexamples: [2]\n$comment: who cares\n" + A + "{}",
        {},
    ),
}


@pytest.mark.parametrize("name", CRDS)
def test_definitions(tmp_path: Path, name: str) -> None:
    old, new, expected = CRDS[name]
    found = said(spec(tmp_path, old), spec(tmp_path, new))
    assert found == {rule: (severity, frozenset(effect)) for rule, (severity, effect) in expected.items()}


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas(tmp_path: Path, name: str) -> None:
    old, new, expected = SCHEMAS[name]
    found = said(schema(tmp_path, old), schema(tmp_path, new))
    assert found == {rule: (severity, frozenset(effect)) for rule, (severity, effect) in expected.items()}


FIXES = {
    "a required property": (
        A + "{}",
        "required: [a]\n" + A + "{}",
        {"became-required": "remove the property from `required`, or require it in a new version"},
    ),
    "a removed property": (
        A + "{}\n  b: {}",
        A + "{}",
        {"field-removed": "restore the property, and describe it as deprecated; remove it only in a new version"},
    ),
    "a property under another name": (
        A + "{}\n  name: {type: string}",
        A + "{}\n  names: {type: string}",
        {
            "field-removed": "restore the property, and describe it as deprecated; remove it only in a new version",
            "field-added": "let newer clients expect servers without the property",
        },
    ),
    "a list for a value": (
        A + "{type: string}",
        A + "{type: array, items: {type: string}}",
        {"list-and-single-swapped": "restore the single property, and add the list as a second property"},
    ),
}


@pytest.mark.parametrize("name", FIXES)
@pytest.mark.parametrize("read", [spec, schema], ids=["crd", "jsonschema"])
def test_fixes_use_keywords_of_the_schema(tmp_path: Path, read: Callable[[Path, str], Read], name: str) -> None:
    old, new, expected = FIXES[name]
    sides = (read(tmp_path, old).surface, read(tmp_path, new).surface)
    assert sides[0] is not None and sides[1] is not None
    found = review(sides[0], sides[1])
    assert {each.rule: each.result.fix or found.rules[each.rule].fix for each in found.findings} == expected
    for each in found.findings:
        assert not each.result.patch, "it would be text of a spec"
        assert "hub" not in each.proposal and "tombstone" not in each.result.message
