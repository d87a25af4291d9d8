"""The generated tests of a rollback run both releases on the same stored bytes, and fail where something is lost unsaid."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.proofs import run_pytest

GATED = "depth: {type: int32, optional: true, doc: How deep it is., featureGate: Deep}"
LOST = "size: {type: int32, optional: true, doc: How large it is.}"
TESTS = "generated/tests/test_rollback_example_com.py"


def apigen(folder: Path, *arguments: str, returns: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "apigen", *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == returns, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose first release was recorded."""
    folder = tmp_path_factory.mktemp("released")
    apigen(folder, "init", "widgets")
    apigen(folder / "widgets", "release", "1.0")
    return folder / "widgets"


def with_field(released: Path, folder: Path, field: str) -> Path:
    """The project with one more field in both versions, compiled for the next release."""
    target = folder / "widgets"
    shutil.copytree(released, target)
    for version in ("v1", "v1beta1"):
        file = target / f"api-specs/example.com/{version}.yaml"
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("      color:\n", f"      {field}\n      color:\n", 1), encoding="utf-8")
    gates = 'Deep: {stages: [{release: "1.1", stage: alpha}]}\n'
    (target / "api-specs/features.yaml").write_text(gates, encoding="utf-8")
    if field == LOST:
        approve_all(target)
    apigen(target, "generate")
    return target


def approve_all(project: Path) -> None:
    """Approve what the specs break since the first release."""
    apigen(project, "diff", "release:1.0", "--write-approvals", returns=4)
    file = project / "apigen-approvals.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('reason: ""', "reason: no server of 1.0 runs any more"), encoding="utf-8")


@pytest.fixture(scope="module")
def lossy(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project with a field that the previous release does not have, compiled."""
    return with_field(released, tmp_path_factory.mktemp("lossy"), LOST)


def outcome(project: Path) -> str:
    done = run_pytest(project, TESTS)
    return done.stdout.splitlines()[-1] if done.returncode in (0, 1) else done.stdout + done.stderr


@pytest.mark.slow
def test_rollback_preserves_gated_field(released: Path, tmp_path: Path) -> None:
    project = with_field(released, tmp_path, GATED)
    assert outcome(project).startswith("1 passed")
    assert "rollback from 1.1 to 1.0: no data loss in 1 kind" in apigen(project, "lint")


@pytest.mark.slow
def test_gated_field_that_is_dropped_in_use_is_a_loss(tmp_path: Path) -> None:
    apigen(tmp_path, "init", "widgets")
    project = tmp_path / "widgets"
    for file in (project / "api-specs/example.com").glob("v1*.yaml"):
        text = file.read_text(encoding="utf-8")
        gated = GATED.replace("featureGate: Deep", "featureGate: {gate: Deep, inUse: never}")
        file.write_text(text.replace("      color:\n", f"      {gated}\n      color:\n", 1), encoding="utf-8")
    gates = 'Deep: {stages: [{release: "1.0", stage: alpha}, {release: "1.1", stage: beta, default: true}]}\n'
    (project / "api-specs/features.yaml").write_text(gates, encoding="utf-8")
    apigen(project, "release", "1.0")
    assert "Widget.spec.depth: drops the field on every update" in apigen(project, "lint")
    assert outcome(project).startswith("2 passed")


@pytest.mark.slow
def test_kind_named_like_a_keyword_without_protobuf(tmp_path: Path) -> None:
    apigen(tmp_path, "init", "widgets")
    project = tmp_path / "widgets"
    for file in (project / "api-specs").rglob("*.yaml"):
        text = file.read_text(encoding="utf-8").replace("Widget:", "Class:")
        file.write_text(text.replace("group: ", "protobuf: none\ngroup: ", 1), encoding="utf-8")
    apigen(project, "release", "1.0")
    assert outcome(project).startswith("1 passed")


REMOVED = """\
types:
  Widget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false}
      spec: {type: WidgetSpec, required: false}
  WidgetSpec:
    fields:
      size: {type: int32, optional: true, default: 5, deprecated: "1.0", removed: "1.1"}
      color: {type: string, omitEmpty: true}
"""


@pytest.mark.slow
def test_default_of_removed_field_is_no_loss(tmp_path: Path) -> None:
    specs = tmp_path / "api-specs" / "example.com"
    specs.mkdir(parents=True)
    (tmp_path / "apigen.toml").write_text("", encoding="utf-8")
    (specs / "v1alpha1.yaml").write_text(REMOVED, encoding="utf-8")
    (specs / "group.yaml").write_text(
        "group: example.com\nversions: {v1alpha1: {storage: true}}\nhub: v1alpha1\nkinds: {Widget: {}}\n",
        encoding="utf-8",
    )
    apigen(tmp_path, "release", "1.0")
    assert outcome(tmp_path).startswith("1 passed")


@pytest.mark.slow
def test_reported_loss_occurs(lossy: Path) -> None:
    assert outcome(lossy).startswith("2 passed")
    assert "Widget.spec.size: drops the field" in apigen(lossy, "lint")


@pytest.mark.slow
def test_unlisted_loss_fails(lossy: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(lossy, tmp_path / "widgets"))
    tests = project / TESTS
    text = tests.read_text(encoding="utf-8")
    named = 'frozenset({(example_com_v1.WidgetSpec, "size")})'
    assert named in text
    tests.write_text(text.replace(named, "frozenset()"), encoding="utf-8")
    assert outcome(project).startswith("1 failed, 1 passed")


@pytest.mark.slow(one_in=16)
def test_listed_loss_that_does_not_occur_fails(lossy: Path, tmp_path: Path) -> None:
    project = Path(shutil.copytree(lossy, tmp_path / "widgets"))
    tests = project / TESTS
    text = tests.read_text(encoding="utf-8")
    tests.write_text(
        text.replace('example_com_v1.WidgetSpec, "size"', 'example_com_v1.WidgetSpec, "paused"'), encoding="utf-8"
    )
    assert outcome(project).startswith("2 failed")
