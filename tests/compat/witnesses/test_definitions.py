"""Objects of definitions of which not everything can be said in specs."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent

import pytest

from apigen.compat.finding import Finding
from apigen.compat.review import review
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction
from apigen.compat.witnesses.searching import with_witnesses
from tests.compat.schemas.reading import crd, spec

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
def test_what_apply_replaces_whole_can_be_tried(atomic: str, tmp_path: Path) -> None:
    sides = []
    for name, maximum in (("old", 64), ("new", 32)):
        text = f"type: object\nproperties:\n  chosen: {atomic}\n  size: {{type: integer, maximum: {maximum}}}"
        sides.append(spec(tmp_path, text, f"{name}.yaml").surface)
    (finding,) = _found(sides)
    assert {each.direction for each in finding.witnesses} == {Direction.OLD_CLIENT, Direction.STORED}
    assert all("must be less than or equal to 32" in each.outcome for each in finding.witnesses)


def test_kinds_of_other_versions_are_left_out_where_a_version_is_tried_for_itself(tmp_path: Path) -> None:
    stays = "type: object\nproperties:\n  code: {type: integer, enum: [1, 2]}\n  size: {type: integer, maximum: %d}"
    lone = "type: object\nproperties: {size: {type: integer, maximum: %d}}"
    old = [definition("Thing", "v1", stays % 64), definition("Lone", "v1alpha1", lone % 64)]
    new = [definition("Thing", "v1", stays % 32), definition("Lone", "v1alpha1", lone % 32)]
    new.append(definition("Fresh", "v1alpha1", lone % 32))
    sides = [crd(tmp_path, "\n---".join(texts), f"{i}.yaml").surface for i, texts in enumerate((old, new))]
    found = {each.element.version: each for each in _found(sides) if each.rule == "bound-tightened"}
    assert {each.direction for each in found["v1alpha1"].witnesses} == {Direction.OLD_CLIENT, Direction.STORED}


def _found(sides: list[Surface | None]) -> tuple[Finding, ...]:
    old, new = sides
    assert old is not None and new is not None
    return with_witnesses(review(old, new)).findings
