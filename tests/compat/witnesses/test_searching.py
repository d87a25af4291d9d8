"""Objects that show findings are found, are tried, and are as small as can be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apigen.compat.finding import Finding
from apigen.compat.review import review
from apigen.compat.sources.loading import load
from apigen.compat.sources.source import Setting
from apigen.compat.surface.surface import Surface
from apigen.compat.verdict.impact import Direction
from apigen.compat.witnesses.searching import with_witnesses
from apigen.diagnostics import Report
from tests.compat.cases import write_specs

THING = {"fields": {"metadata": {"type": "meta/v1.ObjectMeta", "required": False, "protobuf": 1}}}


def surface(said: Any, root: Path) -> Surface:
    report = Report()
    found = load(str(write_specs(said, root)), Setting(root), report)
    assert found is not None
    return found


def thing(**fields: Any) -> dict[str, Any]:
    return {"types": {"Thing": {"fields": {**THING["fields"], **fields}}}}


def findings(old: Any, new: Any, folder: Path, **limits: Any) -> dict[str, Finding]:
    sides = surface(old, folder / "old"), surface(new, folder / "new")
    return {each.rule: each for each in with_witnesses(review(*sides), **limits).findings}


def test_a_value_that_was_accepted_and_is_refused(tmp_path: Path) -> None:
    old = thing(size={"type": "int32", "optional": True, "protobuf": 2, "maximum": 64})
    new = thing(size={"type": "int32", "optional": True, "protobuf": 2, "maximum": 32})
    finding = findings(old, new, tmp_path)["bound-tightened"]
    (witness,) = (each for each in finding.witnesses if each.direction is Direction.OLD_CLIENT)
    assert isinstance(witness.before, dict)
    assert set(witness.before) == {"apiVersion", "kind", "size"}
    assert isinstance(witness.before["size"], int) and 32 < witness.before["size"] <= 64
    assert "must be less than or equal to 32" in witness.outcome
    assert witness.kind == "things.example.com/v1 Thing"


def test_a_field_that_is_lost(tmp_path: Path) -> None:
    old = thing(note={"type": "string", "optional": True, "protobuf": 2})
    finding = findings(old, thing(), tmp_path)["field-removed"]
    (witness,) = (each for each in finding.witnesses if each.direction is Direction.STORED)
    assert witness.outcome == 'note is lost: it was "a"'
    assert witness.after == {"apiVersion": "things.example.com/v1", "kind": "Thing", "metadata": {}}


def test_far_down_and_in_lists(tmp_path: Path) -> None:
    def of(pattern: str) -> dict[str, Any]:
        made = thing(parts={"type": "map[string]Part", "optional": True, "protobuf": 2})
        inner = {"type": "[]string", "optional": True, "protobuf": 1, "items": {"pattern": pattern}}
        made["types"]["Part"] = {"fields": {"names": inner}}
        return made

    found = findings(of("^[a-z]+$"), of("^[a-f]+$"), tmp_path)
    witness = next(each for finding in found.values() for each in finding.witnesses)
    assert isinstance(witness.before, dict) and set(witness.before) == {"apiVersion", "kind", "parts"}


def test_a_type_that_no_kind_leads_to_is_held_by_one(tmp_path: Path) -> None:
    def of(maximum: int) -> dict[str, Any]:
        field = {"type": "int32", "optional": True, "protobuf": 1, "maximum": maximum}
        return {**thing(), "types": {**thing()["types"], "Alone": {"fields": {"size": field}}}}

    sides = surface(of(64), tmp_path / "old"), surface(of(32), tmp_path / "new")
    found = [
        replace(each, severity=max(each.severity, type(each.severity).WARNING)) for each in review(*sides).findings
    ]
    reviewed = with_witnesses(replace(review(*sides), findings=tuple(found)))
    finding = next(each for each in reviewed.findings if each.rule == "bound-tightened")
    for witness in finding.witnesses:
        assert isinstance(witness.before, dict) and set(witness.before) == {"size"}


@pytest.mark.parametrize(
    ("limits", "said"),
    [({"most": 0}, "not tried: objects are looked for"), ({"seconds": 0}, "not tried: there was no time")],
)
def test_what_was_not_tried_says_so(limits: dict[str, Any], said: str, tmp_path: Path) -> None:
    finding = findings(thing(a={"type": "string", "protobuf": 2}), thing(), tmp_path, **limits)["field-removed"]
    assert not finding.witnesses and finding.no_witness.startswith(said)


def test_a_side_that_is_gone_says_so(tmp_path: Path) -> None:
    old = surface(thing(), tmp_path / "old")
    reviewed = with_witnesses(review(old, replace(old, groups={})))
    for finding in reviewed.findings:
        assert not finding.witnesses and (finding.no_witness or not finding.hits)


def test_a_crd_is_lowered(tmp_path: Path) -> None:
    text = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.things.example.com}
spec:
  group: things.example.com
  scope: Namespaced
  names: {kind: Thing, plural: things, singular: thing, listKind: ThingList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer, maximum: %d}
              names: {type: array, items: {type: string, enum: [A, B]}}
"""
    sides = []
    for name, maximum in (("old.yaml", 64), ("new.yaml", 32)):
        (tmp_path / name).write_text(text % maximum, encoding="utf-8")
        found = load(name, Setting(tmp_path), Report())
        assert found is not None
        sides.append(found)
    finding = next(
        each for each in with_witnesses(review(sides[0], sides[1])).findings if each.rule == "bound-tightened"
    )
    witness = next(each for each in finding.witnesses if each.direction is Direction.OLD_CLIENT)
    assert isinstance(witness.before, dict) and isinstance(witness.before["spec"], dict)
    assert set(witness.before["spec"]) == {"size"}
