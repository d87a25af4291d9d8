"""Objects that go through the lenses of specs, and those of versions that cannot be compiled together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.counterexamples.searching import with_counterexamples
from apigen.review.finding import Finding
from apigen.review.results import Direction
from apigen.review.review import review
from apigen.review.sources.loading import load
from tests.history.projects import Project
from tests.review.cases import write_specs
from tests.review.sources.things import GROUP, repository

METADATA = {"type": "meta/v1.ObjectMeta", "required": False, "protobuf": 1}


def things(amount: dict[str, Any], *, hub: str = "size", **more: Any) -> dict[str, Any]:
    """A kind in two versions, of which the second has another name for `size`; `more` are fields of the first."""
    size = {"type": "int32", "protobuf": 2, "minimum": 0, **amount}
    count = {"type": "int32", "protobuf": 2, "minimum": 0, "hub": hub}
    return {
        "versions": {
            "v1": {"storage": True, "types": {"Thing": {"fields": {"metadata": METADATA, "size": size, **more}}}},
            "v1beta1": {"types": {"Thing": {"fields": {"metadata": METADATA, "count": count}}}},
        },
        "kinds": {"Thing": {"scope": "Namespaced"}},
        "hub": "v1",
    }


def findings(old: dict[str, Any], new: dict[str, Any], folder: Path, version: str = "v1") -> dict[str, Finding]:
    """The findings of a version by rule, with what shows them."""
    surfaces = []
    for name, said in (("old", old), ("new", new)):
        write_specs(said, folder / name)
        report = Report()
        found = load(name, Setting(folder), report)
        assert found is not None, report.diagnostics
        surfaces.append(found)
    reviewed = with_counterexamples(review(surfaces[0], surfaces[1]))
    return {each.rule: each for each in reviewed.findings if each.element.version == version}


def shown(finding: Finding) -> dict[Direction, str]:
    """What came out, by direction."""
    return {each.direction: each.outcome for each in finding.counterexamples}


@pytest.mark.slow
def test_specs_with_lenses_are_compiled_as_they_are_written(tmp_path: Path) -> None:
    finding = findings(things({"maximum": 64}), things({"maximum": 32}), tmp_path)["bound-tightened"]
    assert "must be less than or equal to 32" in shown(finding)[Direction.OLD_CLIENT]


@pytest.mark.slow
def test_rejection_of_a_renamed_field_names_that_of_the_hub(tmp_path: Path) -> None:
    def of(minimum: int) -> dict[str, Any]:
        said = things({"minimum": minimum})
        said["versions"]["v1beta1"]["types"]["Thing"]["fields"]["count"]["minimum"] = minimum
        return said

    found = findings(of(-9), of(0), tmp_path, version="v1beta1")["bound-tightened"]
    assert shown(found)[Direction.OLD_CLIENT].startswith("the request is rejected: size: Invalid value: -")


@pytest.mark.slow
def test_versions_are_tried_separately_if_backend_input_fails(tmp_path: Path) -> None:
    broken = things({"maximum": 32}, hub="missing")
    finding = findings(things({"maximum": 64}), broken, tmp_path)["bound-tightened"]
    assert "must be less than or equal to 32" in shown(finding)[Direction.OLD_CLIENT]


@pytest.mark.slow
def test_object_not_representable_in_another_version(tmp_path: Path) -> None:
    finding = findings(things({}), things({"type": "int64"}), tmp_path)["integer-widened"]
    assert shown(finding).keys() == {Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK}


@pytest.mark.slow
def test_rejection_of_object_with_unknown_fields(tmp_path: Path) -> None:
    note = {"type": "string", "protobuf": 3}
    gone = things({"maximum": 32})
    gone["versions"]["v1"]["types"]["Thing"]["tombstones"] = {"note": {"protobuf": 3, "removed": "1.2"}}
    old = things({"maximum": 64}, note=note)
    for said in (old, gone):
        del said["versions"]["v1beta1"]
    outcome = shown(findings(old, gone, tmp_path)["bound-tightened"])[Direction.OLD_CLIENT]
    assert outcome.startswith("without the fields that the server does not know, the request is rejected: size")


@pytest.mark.slow
def test_objects_of_the_side_named_by_the_rule_are_tried_first(tmp_path: Path) -> None:
    """An object of the new side would show the other change of the same field."""
    finding = findings(things({}), things({"type": "int64", "minimum": 1}), tmp_path)["bound-tightened"]
    assert "must be greater than or equal to 1" in shown(finding)[Direction.OLD_CLIENT]


@pytest.mark.parametrize("said", ["api-specs", "main", "HEAD:api-specs", "release:1.2"])
def test_specs_of_each_form(said: str, tmp_path: Path) -> None:
    root = repository(tmp_path)
    Project(root).record("1.2")
    found = load(said, Setting(root, root / "api-specs"), Report())
    assert found is not None and found.specs is not None
    assert [group.group for group in found.specs.groups] == [GROUP]
