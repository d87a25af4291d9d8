"""Objects of definitions of which not everything can be said in specs."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from apigen.ir.surface import Surface
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction
from apigen.review.review import review
from tests.review.schemas.reading import crd, spec

DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %(plural)s.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: %(kind)s, plural: %(plural)s}
  versions:
  - name: %(version)s
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
"""


def definition(kind: str, version: str, schema: str) -> str:
    """One of a kind in one version."""
    head = DEFINITION % {"kind": kind, "plural": f"{kind.lower()}s", "version": version}
    return head + indent(schema, " " * 12)


@pytest.mark.parametrize(
    "atomic",
    [
        "{type: object, x-kubernetes-map-type: atomic, properties: {key: {type: string}}}",
        "{type: object, x-kubernetes-map-type: atomic, additionalProperties: {type: string}}",
        "{type: object, x-kubernetes-map-type: atomic, x-kubernetes-preserve-unknown-fields: true}",
        "{x-kubernetes-map-type: atomic, x-kubernetes-preserve-unknown-fields: true}",
    ],
)
def test_atomic_types_can_be_tried(atomic: str, tmp_path: Path) -> None:
    sides = []
    for name, maximum in (("old", 64), ("new", 32)):
        text = f"type: object\nproperties:\n  chosen: {atomic}\n  size: {{type: integer, maximum: {maximum}}}"
        sides.append(spec(tmp_path, text, f"{name}.yaml").surface)
    (finding,) = _found(sides)
    assert {each.direction for each in finding.counterexamples} == {Direction.OLD_CLIENT, Direction.STORED}
    assert all("should be less than or equal to 32" in each.outcome for each in finding.counterexamples)


def test_separate_trial_omits_kinds_of_other_versions(tmp_path: Path) -> None:
    stays = "type: object\nproperties:\n  code: {type: string, not: {enum: [a]}}\n  size: {type: integer, maximum: %d}"
    lone = "type: object\nproperties: {size: {type: integer, maximum: %d}}"
    old = [definition("Thing", "v1", stays % 64), definition("Lone", "v1alpha1", lone % 64)]
    new = [definition("Thing", "v1", stays % 32), definition("Lone", "v1alpha1", lone % 32)]
    new.append(definition("Fresh", "v1alpha1", lone % 32))
    sides = [crd(tmp_path, "\n---".join(texts), f"{i}.yaml").surface for i, texts in enumerate((old, new))]
    found = {each.element.version: each for each in _found(sides) if each.rule == "bound-tightened"}
    assert {each.direction for each in found["v1alpha1"].counterexamples} == {Direction.OLD_CLIENT, Direction.STORED}


FORMATS = "ipv4 ipv6 cidr mac date date-time duration uri email hostname byte isbn uuid k8s-short-name".split()


@pytest.mark.parametrize("format_", FORMATS)
def test_format_that_the_server_validates_has_a_counterexample(format_: str, tmp_path: Path) -> None:
    texts = (f"properties: {{a: {{type: string{each}}}}}\ntype: object" for each in ("", f", format: {format_}"))
    sides = [spec(tmp_path, text, f"{i}.yaml").surface for i, text in enumerate(texts)]
    (finding,) = _found(sides)
    assert {Direction.OLD_CLIENT, Direction.STORED} <= {each.direction for each in finding.counterexamples}


def test_format_without_effect_is_not_a_change(tmp_path: Path) -> None:
    texts = (f"properties: {{a: {{type: string{each}}}}}\ntype: object" for each in ("", ", format: password"))
    assert _found([spec(tmp_path, text, f"{i}.yaml").surface for i, text in enumerate(texts)]) == ()


@pytest.mark.parametrize(
    "rule", ["!format.dns1123Label().validate(self).hasValue()", "isIP(self)", "ip(self).family() == 4"]
)
def test_rule_of_a_library_has_a_counterexample(rule: str, tmp_path: Path) -> None:
    texts = (
        f"properties: {{a: {{type: string, x-kubernetes-validations: [{each}]}}}}\ntype: object"
        for each in ("", f'{{rule: "{rule}"}}')
    )
    (finding,) = _found([spec(tmp_path, text, f"{i}.yaml").surface for i, text in enumerate(texts)])
    assert {each.direction for each in finding.counterexamples} == {Direction.OLD_CLIENT, Direction.STORED}


QUANTITY = '{x-kubernetes-int-or-string: true, pattern: "^([+-]?[0-9.]+)([KMGTP]i)?$", maxLength: 9, minimum: 0}'


@pytest.mark.parametrize(
    "sibling",
    [
        "{type: integer, enum: [301, 302]}",
        "{type: integer, format: int32, enum: [301, 302], default: 302}",
        "{type: number, enum: [0.5, 1]}",
        "{type: boolean, enum: [true]}",
        "{type: integer, nullable: true, enum: [1, null]}",
        "{type: array, items: {type: integer, enum: [1, 2]}}",
        QUANTITY,
        f"{{type: object, additionalProperties: {QUANTITY}}}",
        f"{{type: array, items: {QUANTITY}}}",
    ],
)
def test_number_enums_and_quantity_patterns_can_be_tried(sibling: str, tmp_path: Path) -> None:
    text = f"type: object\nproperties:\n  sibling: {sibling}\n  "
    sides = [spec(tmp_path, text + more, f"{len(more)}.yaml").surface for more in ("gone: {type: string}", "a: {}")]
    found = {each.rule: each for each in _found(sides)}["field-removed"]
    assert "spec.gone is lost" in {each.direction: each.outcome for each in found.counterexamples}[Direction.STORED]


@pytest.mark.parametrize(
    ("old", "new", "rejected"),
    [
        ("{type: integer, enum: [1, 2]}", "{type: integer, enum: [1]}", "Unsupported value: 2"),
        ("{type: number, enum: [1, 2.5]}", "{type: number, enum: [1]}", "Unsupported value: 2.5"),
        (QUANTITY, QUANTITY.replace("KMGTP", "KMGT"), "should match"),
        (QUANTITY, QUANTITY.replace("maxLength: 9", "maxLength: 3"), "Too long"),
        (QUANTITY, QUANTITY.replace("minimum: 0", "minimum: 5"), "should be greater than or equal to 5"),
        (QUANTITY, QUANTITY.replace("minimum: 0", "minimum: 0, multipleOf: 5"), "should be a multiple of 5"),
    ],
)
def test_counterexample_is_from_the_server_that_rejects_it(old: str, new: str, rejected: str, tmp_path: Path) -> None:
    text = "type: object\nproperties: {it: %s}"
    (finding,) = _found([spec(tmp_path, text % each, f"{i}.yaml").surface for i, each in enumerate((old, new))])
    assert {each.direction for each in finding.counterexamples} >= {Direction.OLD_CLIENT, Direction.STORED}
    assert all(rejected in each.outcome for each in finding.counterexamples)


GUARDED = """type: object
properties:
  filters:
    type: array
    maxItems: 16
    items:
      type: object
      required: [type]
      properties:
        type: {type: string, enum: [A, B, C, D, E%s]}
        a: {type: object, properties: {x: {type: string}, y: {type: string}, z: {type: string}}}
        e:
          type: object
          required: [protocol]
          properties:
            protocol: {type: string, enum: [P, Q]}
            p: {type: object}
            q: {type: object, properties: {names: {type: array%s, items: {type: string}}}}
          x-kubernetes-validations:
          - rule: "self.protocol == 'P' ? has(self.p) : true"
          - rule: "self.protocol == 'Q' ? has(self.q) : true"
          - rule: "has(self.q) ? self.protocol == 'Q' : true"
          - rule: "has(self.p) ? self.protocol == 'P' : true"
      x-kubernetes-validations:
      - rule: "!(has(self.a) && self.type != 'A')"
      - rule: "!(!has(self.a) && self.type == 'A')"
      - rule: "!(has(self.e) && self.type != 'E')"
      - rule: "!(!has(self.e) && self.type == 'E')"
"""


def test_objects_of_a_union_guarded_by_rules_are_found(tmp_path: Path) -> None:
    texts = GUARDED % ("", ""), GUARDED % ("", ", maxItems: 64")
    (finding,) = _found([spec(tmp_path, text, f"{i}.yaml").surface for i, text in enumerate(texts)])
    assert {each.direction for each in finding.counterexamples} == {Direction.OLD_CLIENT, Direction.STORED}
    assert all("must have at most 64 items" in each.outcome for each in finding.counterexamples)


def test_newer_objects_with_an_added_value_are_found(tmp_path: Path) -> None:
    texts = GUARDED % ("", ""), GUARDED % (", F", "")
    (finding,) = _found([spec(tmp_path, text, f"{i}.yaml").surface for i, text in enumerate(texts)])
    assert finding.rule == "enum-value-added"
    assert {each.direction for each in finding.counterexamples} >= {Direction.NEW_CLIENT, Direction.ROLLBACK}


def _found(sides: list[Surface | None]) -> tuple[Finding, ...]:
    old, new = sides
    assert old is not None and new is not None
    return with_counterexamples(review(old, new)).findings


def test_part_of_a_counterexample_shows_the_same_change_elsewhere(tmp_path: Path) -> None:
    port = "{type: object, properties: {name: {type: string}, port: {type: integer}}%s}"
    rule = ', x-kubernetes-validations: [{rule: "!has(self.port) || self.port != 7919 || has(self.name)"}]'
    listed = "type: object\nproperties:\n  ports: {type: array, items: %s}\n  port: %s"
    sides = []
    for index, added in enumerate(("", rule)):
        texts = [definition(kind, "v1", listed % (port % added, port % added)) for kind in ("Thing", "Other")]
        sides.append(crd(tmp_path, "\n---".join(texts), f"{index}.yaml").surface)
    found = _found(sides)
    assert [each.rule for each in found] == ["rule-added"] * 4
    for each in found:
        assert {one.direction for one in each.counterexamples} == {Direction.OLD_CLIENT, Direction.STORED}
        parts = [one.before["spec"] for one in each.counterexamples if isinstance(one.before, dict)]
        assert parts[0] in ({"ports": [{"port": 7919}]}, {"port": {"port": 7919}})
