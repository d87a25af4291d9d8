"""What a release writes by default and the previous release does not keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.history.rollback import rollback_losses
from apigen.ir.model import Api, Release
from tests.ir.resolving import META, resolved

GATES = """
Off: {stages: [{release: "1.11", stage: alpha}]}
On: {stages: [{release: "1.11", stage: beta, default: true}]}
"""
HEADER = "group: things.example.com\nversions: {%s: {storage: true}}\nhub: %s\nkinds: {Frobber: {}}\n"


def api_of(folder: Path, types: str, version: str = "v1", more: str = "") -> Api:
    text = "types:\n" + types
    header = HEADER % (version, version) + more
    return resolved(folder, {"group.yaml": header, f"{version}.yaml": text, "features.yaml": GATES, **META})


def frobber(fields: str, more: str = "") -> str:
    return f"  Frobber: {{fields: {{metadata: {{type: meta/v1.ObjectMeta}}, {fields}}}}}\n{more}"


NAME = "name: {type: string, omitEmpty: true}"
ENUM = "  Color: {enum: {Red: {}%s}, unknown: Red}\n"


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (frobber(NAME), frobber(NAME), []),
        (frobber(NAME), frobber(f"{NAME}, size: {{type: int32, optional: true}}"), ["field Frobber.size"]),
        (frobber(NAME), frobber(f"{NAME}, size: {{type: int32, optional: true, featureGate: Off}}"), []),
        (
            frobber(NAME),
            frobber(f"{NAME}, size: {{type: int32, optional: true, featureGate: {{any: [Off, On]}}}}"),
            ["field Frobber.size"],
        ),
        (frobber(NAME), frobber(f"{NAME}, size: {{type: int32, optional: true, featureGate: {{all: [Off, On]}}}}"), []),
        (
            frobber(NAME),
            frobber(f"{NAME}, size: {{type: int32, optional: true, featureGate: {{gate: Off, during: []}}}}"),
            ["field Frobber.size"],
        ),
        (
            frobber("size: {type: int32, optional: true, featureGate: Off}"),
            frobber("size: {type: int32, optional: true, featureGate: On}"),
            [],
        ),
        (
            frobber("size: {type: int32, optional: true, featureGate: {gate: Off, inUse: never}}"),
            frobber("size: {type: int32, optional: true, featureGate: On}"),
            ["field Frobber.size"],
        ),
        (frobber("size: {type: int32, omitEmpty: true}"), frobber("size: {type: int64, omitEmpty: true}"), ["form Frobber.size"]),
        (frobber("color: {type: Color}", ENUM % ""), frobber("color: {type: Color}", ENUM % ", Blue: {}"), ["value Frobber.color"]),
        (frobber("color: {type: Color}", ENUM % ""), frobber("color: {type: Color}", ENUM % ", Blue: {featureGate: Off}"), []),
        (
            frobber("color: {type: Color}", "  Color: {enum: {Red: {}}, open: true}\n"),
            frobber("color: {type: Color}", "  Color: {enum: {Red: {}, Blue: {}}, open: true}\n"),
            [],
        ),
    ],
)  # fmt: skip
def test_losses(tmp_path: Path, before: str, now: str, expected: list[str]) -> None:
    old, new = api_of(tmp_path / "before", before), api_of(tmp_path / "now", now)
    assert [f"{loss.lost} {loss.path}" for loss in rollback_losses(new, old, Release(1, 11))] == expected


@pytest.mark.parametrize(
    ("gate", "expected"),
    [
        ("Off", []),
        ("{gate: Off, inUse: never}", ["drops the field on every update while its feature gate is disabled"]),
        (
            "{gate: Off, inUse: {set: name}}",
            ["drops the field on updates of some objects while its feature gate is disabled"],
        ),
        ("{gate: Off, inUse: never, during: [create]}", []),
        ("{gate: On, inUse: never}", []),
    ],
)
def test_loss_of_gated_field_depends_on_gate_in_old_release(tmp_path: Path, gate: str, expected: list[str]) -> None:
    fields = f"{NAME}, size: {{type: int32, optional: true, featureGate: %s}}"
    old, new = api_of(tmp_path / "old", frobber(fields % gate)), api_of(tmp_path / "new", frobber(fields % "On"))
    losses = rollback_losses(new, old, Release(1, 12), earlier=Release(1, 11))
    assert [loss.detail for loss in losses] == expected


def test_data_in_protobuf_is_lost_if_the_old_release_reads_json_only(tmp_path: Path) -> None:
    json = api_of(tmp_path / "json", frobber(NAME), more="protobuf: none\n")
    both = api_of(tmp_path / "both", frobber(NAME))
    losses = [f"{loss.path}: {loss.detail}" for loss in rollback_losses(both, json, Release(1, 11))]
    assert losses == ["Frobber.metadata: does not read protobuf", "Frobber.name: does not read protobuf"]
    assert list(rollback_losses(json, both, Release(1, 11))) == []


def test_recursive_types_terminate(tmp_path: Path) -> None:
    kind = frobber(
        "tree: {type: Tree, optional: true}", '  Tree: {fields: {leaves: {type: "[]Tree", omitEmpty: true}%s}}\n'
    )
    old = api_of(tmp_path / "before", kind % "")
    new = api_of(tmp_path / "now", kind % ", size: {type: int32, optional: true}")
    losses = [loss.path for loss in rollback_losses(new, old, Release(1, 11))]
    assert losses == ["Frobber.tree.size"]


def test_version_missing_in_the_old_release_is_not_read(tmp_path: Path) -> None:
    old, new = api_of(tmp_path / "before", frobber(NAME), "v1beta1"), api_of(tmp_path / "now", frobber(NAME))
    losses = list(rollback_losses(new, old, Release(1, 11)))
    assert [f"{loss.lost} {loss.path}" for loss in losses] == ["version Frobber"]
    assert "things.example.com/v1" in losses[0].detail
