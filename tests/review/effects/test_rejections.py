"""Values that a server sets itself are rejected as predicted: generated code validates objects that omit a field."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Struct, Surface
from apigen.review.effects.member import filled, member_of
from apigen.review.effects.rejections import possible_rejection, rejection
from apigen.review.sources.loading import load
from tests.generating import generate_package
from tests.review.cases import GROUP, write_specs

Spec = dict[str, Any]
INT: Spec = {"type": "int64", "optional": True}
ZERO: Spec = {"type": "int64"}
THREE: Spec = {**INT, "default": 3}
MODE: Spec = {"type": "Mode", "optional": True}
ALWAYS: Spec = {**MODE, "default": "Always"}
RULE = "!has(self.p) || self.p > {}"

CREATED: dict[str, Spec] = {
    "always written": {},
    "omitted if zero": {"omitEmpty": True},
    "created by its default": {"optional": True, "default": {"value": {}}},
}
"""The ways in which a server creates a struct that a client omits; a default inside it sets something."""

STRUCTS: dict[str, tuple[Spec, Spec]] = {
    "subfield forbidden": ({"subfields": {"p": {"forbidden": True}}}, {"p": THREE}),
    "another subfield forbidden": ({"subfields": {"q": {"forbidden": True}}}, {"p": THREE, "q": INT}),
    "subfield too small": ({"subfields": {"p": {"minimum": 5}}}, {"p": THREE}),
    "subfield large enough": ({"subfields": {"p": {"minimum": 2}}}, {"p": THREE}),
    "zero subfield too small": ({"subfields": {"q": {"minimum": 2}}}, {"p": THREE, "q": ZERO}),
    "subfield required": ({"subfields": {"q": {"required": True}}}, {"p": THREE, "q": INT}),
    "subfield required and filled": ({"subfields": {"p": {"required": True}}}, {"p": THREE}),
    "subfield excluded": ({"subfields": {"p": {"not": 3}}}, {"p": THREE}),
    "forbidden with a default": ({}, {"p": {**THREE, "forbidden": True}}),
    "forbidden": ({}, {"p": {**INT, "forbidden": True}, "q": THREE}),
    "requires an unset field": ({}, {"p": {**THREE, "requires": ["q"]}, "q": INT}),
    "requires a zero": ({}, {"p": {**THREE, "requires": ["q"]}, "q": ZERO}),
    "requires a filled field": ({}, {"p": {**THREE, "requires": ["q"]}, "q": THREE}),
    "forbids a filled field": ({}, {"p": {**THREE, "forbids": ["q"]}, "q": THREE}),
    "forbids an unset field": ({}, {"p": {**THREE, "forbids": ["q"]}, "q": INT}),
    "in no mode": ({}, {"mode": MODE, "p": {**THREE, "ifMode": {"mode": {"Always": {}}}}}),
    "in its mode": ({}, {"mode": ALWAYS, "p": {**THREE, "ifMode": {"mode": {"Always": {}}}}}),
    "forbidden in its mode": (
        {},
        {"mode": ALWAYS, "p": {**THREE, "ifMode": {"mode": {"Always": {"forbidden": True}}}}},
    ),
    "required in its mode": ({}, {"mode": ALWAYS, "p": {**INT, "ifMode": {"mode": {"Always": {"required": True}}}}}),
    "required in another mode": ({}, {"mode": ALWAYS, "p": {**INT, "ifMode": {"mode": {"Never": {"required": True}}}}}),
    "too small in its mode": ({}, {"mode": ALWAYS, "p": {**THREE, "ifMode": {"mode": {"Always": {"minimum": 5}}}}}),
    "forbidden by a gate": ({}, {"p": {**THREE, "ifEnabled": {"Wide": {"forbidden": True}}}}),
    "too small by a gate": ({}, {"p": {**THREE, "ifEnabled": {"Wide": {"minimum": 5}}}}),
    "large enough by a gate": ({}, {"p": {**THREE, "ifEnabled": {"Wide": {"minimum": 2}}}}),
    "copied, too large": ({}, {"q": {**INT, "default": 7}, "p": {**INT, "maximum": 5, "default": {"from": "q"}}}),
    "copied, forbidden": ({}, {"q": {**INT, "default": 7}, "p": {**INT, "forbidden": True, "default": {"from": "q"}}}),
    "rejected by a rule of the field": ({"rules": [{"rule": RULE.format(5)}]}, {"p": THREE}),
    "accepted by a rule of the field": ({"rules": [{"rule": RULE.format(2)}]}, {"p": THREE}),
    "zero rejected by a rule": ({}, {"p": THREE, "q": {**ZERO, "rules": [{"rule": "self > 5"}]}}),
    "zero accepted by a rule": ({}, {"p": THREE, "q": {**ZERO, "rules": [{"rule": "self >= 0"}]}}),
    "inner subfield forbidden": ({}, {"inner": {"type": "Inner", "subfields": {"x": {"forbidden": True}}}, "p": THREE}),
    "inner struct created": ({}, {"inner": {"type": "Hard", "omitEmpty": True}, "p": THREE}),
}

FILLED: dict[str, Any] = {
    "a value": {"value": {"p": 3}},
    "another field": {"from": "count", "into": "p"},
    "a value under a condition": [{"when": {"set": "count"}, "value": {"p": 3}}],
}
PARTS: dict[str, tuple[Spec, Spec]] = {
    "with an invalid zero": ({}, {"p": INT, "q": {**ZERO, "minimum": 1}}),
    "alone": ({}, {"p": INT}),
    "forbidden here": ({"subfields": {"p": {"forbidden": True}}}, {"p": INT}),
    "requires an unset field": ({}, {"p": {**INT, "requires": ["q"]}, "q": INT}),
    "forbids a filled field": ({}, {"p": {**INT, "forbids": ["q"]}, "q": THREE}),
}

SIMPLE: dict[str, Spec] = {
    "zero rejected by a rule": {**ZERO, "rules": [{"rule": "self > 5"}]},
    "text rejected by a rule": {"type": "string", "rules": [{"rule": "self != ''"}]},
    "zero omitted": {"type": "int64", "omitEmpty": True, "rules": [{"rule": "self > 5"}]},
    "zero accepted by a rule": {**ZERO, "rules": [{"rule": "self < 5"}]},
    "default forbidden": {**THREE, "forbidden": True},
    "unset forbidden": {**INT, "forbidden": True},
    "list of structs": {"type": "[]Strict", "optional": True, "listType": "atomic", "default": {"value": [{"x": 1}]}},
    "list of structs under a condition": {
        "type": "[]Strict",
        "optional": True,
        "listType": "atomic",
        "default": [{"when": {"set": "count"}, "value": [{"x": 1}]}],
    },
    "map of structs": {"type": "map[string]Strict", "optional": True, "default": {"value": {"a": {"x": 1}}}},
    "list of free structs": {"type": "[]Inner", "optional": True, "listType": "atomic", "default": {"value": [{}]}},
    "deep": {"type": "Outer", "optional": True, "default": {"value": {"strict": {"x": 3}}}},
}

UNCERTAIN = ("under a condition", "another field", "by a gate", "copied", "by a rule of the field")
"""Results that are not certain: what the server sets depends on the client or the operator, or the prover is not exact."""


def _cases() -> Iterator[tuple[str, Spec, Spec]]:
    """Yield the name, the field and the fields of its struct."""
    for way, presence in CREATED.items():
        for name, (field, part) in STRUCTS.items():
            yield f"{way}, {name}", {**presence, **field}, part
    for way, default in FILLED.items():
        for key in ("optional", "omitEmpty"):
            for name, (field, part) in PARTS.items():
                yield f"{way}, {key}, {name}", {key: True, "default": default, **field}, part
    for name, field in SIMPLE.items():
        yield name, field, {}


CASES = {f"Kind{index:03}": case for index, case in enumerate(_cases())}


def _specs(root: Path) -> Path:
    types: dict[str, Spec] = {
        "Mode": {"enum": {"Always": {}, "Never": {}}},
        "Inner": {"fields": {"x": THREE}},
        "Hard": {"fields": {"x": THREE, "y": {**ZERO, "minimum": 1}}},
        "Strict": {"fields": {"x": INT, "y": {**ZERO, "minimum": 1}}},
        "Outer": {"fields": {"strict": {"type": "Strict", "optional": True}}},
    }
    for kind, (_, field, part) in CASES.items():
        types[kind] = {"fields": {"count": INT, "value": {"type": f"{kind}Part", **field}}}
        if part:
            types[f"{kind}Part"] = {"fields": part}
    kinds = {kind: {"scope": "Namespaced", "list": False} for kind in CASES}
    stages = [{"release": "1.3", "stage": "alpha"}, {"release": "1.4", "stage": "beta", "default": True}]
    return write_specs({"types": types, "kinds": kinds, "features": {"Wide": {"owner": "me", "stages": stages}}}, root)


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ModuleType, Surface]]:
    """The generated code of all cases, and the review's model of them."""
    folder = tmp_path_factory.mktemp("rejections")
    specs = _specs(folder / "specs")
    name = generate_package(specs, folder)
    found = load(str(specs), Setting(folder), Report())
    assert found is not None
    sys.path.insert(0, str(folder))
    yield import_module(f"{name}.scheme"), found
    sys.path.remove(str(folder))


def _errors(scheme: ModuleType, kind: str, fields: Spec) -> str:
    document = json.dumps({"apiVersion": f"{GROUP}/v1", "kind": kind, **fields}).encode()
    found = scheme.decode(document, "application/json", default=True, unknown="error")
    return "; ".join(map(str, scheme.strategy(kind).validate(found, features=scheme.features())))


@pytest.mark.parametrize("kind", CASES, ids=[name for name, _, _ in CASES.values()])
def test_omitted_field_is_rejected_as_predicted(kind: str, sides: tuple[ModuleType, Surface]) -> None:
    scheme, surface = sides
    name = CASES[kind][0]
    struct = surface.groups[GROUP].versions["v1"].types[kind]
    assert isinstance(struct, Struct)
    member = member_of(surface, struct.fields["value"])
    state = filled(member, member.start)
    is_certain, is_possible = bool(rejection(member, state)), bool(possible_rejection(member, state))
    errors = _errors(scheme, kind, {}) or _errors(scheme, kind, {"count": 5})
    if any(word in name for word in UNCERTAIN):
        assert is_possible or not errors
        assert not is_certain or _errors(scheme, kind, {})
    else:
        assert (is_certain, is_possible) == (bool(errors), False)
