"""Values that break rules in CEL, made of their clauses."""

from __future__ import annotations

import pytest
import yaml

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Slot, Surface, slots_of
from apigen.language.json_values import JsonValue
from apigen.review.prover.breaking import built_value, guesses
from apigen.review.sources.loading import load
from tests.yaml_files import read_yaml

SCHEMA = """
type: object
required: [type]
properties:
  type: {type: string, enum: [A, B]}
  a: {type: string}
  size: {type: integer}
  items:
    type: array
    items: {type: object, required: [name], properties: {name: {type: string}, kind: {type: string, enum: [X, Y]}}}
"""


@pytest.fixture(scope="module")
def spec(tmp_path_factory: pytest.TempPathFactory) -> tuple[Slot, Surface]:
    folder = tmp_path_factory.mktemp("crd")
    schema = {"type": "object", "properties": {"spec": read_yaml(SCHEMA)}}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Thing", "plural": "things"},
            "versions": [version],
        },
    }
    (folder / "crd.yaml").write_text(yaml.safe_dump(definition), encoding="utf-8")
    surface = load("crd.yaml", Setting(folder), Report())
    assert surface is not None
    slots = (
        slot for type_ in surface.types() for element, slot in slots_of(type_) if str(element).endswith(".Thing.spec")
    )
    return next(slots), surface


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("self.type == 'A' ? has(self.a) : true", {"type": "A"}),
        ("!(has(self.a) && self.type != 'A')", {"type": "B", "a": "a1"}),
        ("!has(self.size) || self.size <= 3", {"type": "A", "size": 4}),
        ("!has(self.a) || self.a.startsWith('/')", {"type": "A", "a": "x"}),
        ("!has(self.a) || !self.a.contains('//')", {"type": "A", "a": "/x//x"}),
        ("!has(self.a) || size(self.a) < 3", {"type": "A", "a": "aaa"}),
        ("self.items.all(x, x.kind != 'X')", {"type": "A", "items": [{"name": "a1", "kind": "X"}]}),
        ("self.items.filter(x, x.kind == 'Y').size() <= 1", {"type": "A", "items": [{"name": "a1", "kind": "Y"}] * 2}),
        (
            "self.items.all(x, self.items.exists_one(y, y.name == x.name))",
            {"type": "A", "items": [{"name": "a1"}, {"name": "a1"}]},
        ),
    ],
)
def test_a_value_that_breaks_a_rule(rule: str, value: JsonValue, spec: tuple[Slot, Surface]) -> None:
    slot, surface = spec
    assert [built_value(guess, slot, surface) for guess in guesses(rule)] == [value]


@pytest.mark.parametrize("rule", ["self.items.isSorted()", "self == oldSelf", "true", "", "self.a.b.c.d("])
def test_rules_without_generated_violations(rule: str) -> None:
    assert not list(guesses(rule))
