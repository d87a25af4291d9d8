"""Imports of Kubernetes' own Go modules, where they are: its feature gates, and its API over the committed specs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from apigen.diagnostics import Report, Severity
from apigen.inputs.go.features import read_features
from apigen.inputs.go.importing import Imported, ImportRequest, import_go
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import GoRoot
from apigen.inputs.merging import Entries, write_together
from tests.inputs.go.kubernetes_modules import MACHINERY, SHARED, module
from tests.inputs.go.modules import FoundModule
from tests.inputs.go_specs.running import files_of

ROOT = Path(__file__).resolve().parents[3]
SPECS = ROOT / "api-specs" / "kubernetes"
GATES = ROOT / "tests" / "data" / "kubernetes" / "vectors" / "strategies" / "gates.json"
ALL_GATES = SHARED.parent / "vectors" / "strategies" / "gates.json"
"""The repository holds those that its specs name."""
RELEASE = "v0.36.6"
FEATURES = {
    "k8s.io/kubernetes": ("v1.36.3", "pkg/features"),
    "k8s.io/apiserver": ("v0.36.3", "pkg/features"),
    "k8s.io/apiextensions-apiserver": ("v0.36.3", "pkg/features"),
    "k8s.io/client-go": ("v0.36.3", "features"),
    "k8s.io/component-base": ("v0.36.3", "zpages/features"),
    "k8s.io/controller-manager": ("v0.36.3", "pkg/features"),
}
"""The packages whose gates an API server of the release that the vectors were taken of has."""


def found(name: str, release: str) -> FoundModule:
    there = module(name, release)
    if not isinstance(there, FoundModule):
        pytest.skip(str(there))
    return there


@pytest.fixture(scope="module")
def gates() -> Entries:
    roots = []
    for name, (release, below) in FEATURES.items():
        roots.append(GoRoot(found(name, release).folder / below, f"{name}/{below}", f"{name}/{below}"))
    report = Report()
    read = read_features(roots, report)
    assert report.diagnostics == ()
    assert read is not None
    return read


def test_gates_have_stages_and_dependencies_of_kubernetes(gates: Entries) -> None:
    has_all = ALL_GATES.is_file()
    expected = json.loads((ALL_GATES if has_all else GATES).read_text(encoding="utf-8"))["gates"]
    names = expected.keys() - {"AllAlpha", "AllBeta"}  # each represents all gates of a stage
    extra = {"ControllerManagerReleaseLeaderElectionLockOnExit"}  # of the controller manager alone
    assert names <= gates.keys()
    assert not has_all or names == gates.keys() - extra
    for name in names:
        gate = gates[name]
        assert isinstance(gate, dict)
        stages = gate["stages"]
        assert isinstance(stages, list)
        said = [
            {
                "version": stage["release"],
                "default": stage.get("default", False),
                "stage": stage["stage"].upper(),
                "locked": stage.get("locked", False),
            }
            for stage in stages
        ]
        assert said == expected[name]["specs"], name
        assert gate.get("dependsOn", []) == sorted(expected[name]["dependsOn"]), name


def run(specs: Path, gates: Entries, report: Report) -> Imported | None:
    api, machinery = found("k8s.io/api", RELEASE), found(MACHINERY, RELEASE)
    meta = GoRoot(machinery.folder / "pkg/apis/meta/v1", f"{MACHINERY}/pkg/apis/meta/v1", "meta/v1")
    packages = read_packages([api.root(), meta, machinery.root(is_reference=True)], report)
    return import_go(ImportRequest(packages, specs, "specs", gates, release=(1, 36)), report)


@pytest.mark.slow(one_in=16)
def test_import_into_committed_specs_is_explained(tmp_path: Path, gates: Entries) -> None:
    """All that is omitted is explained by the committed list, every entry of which explains something."""
    specs = tmp_path / "specs"
    shutil.copytree(SPECS, specs)
    report = Report()
    imported = run(specs, gates, report)
    assert [d for d in report.diagnostics if d.severity is Severity.ERROR] == []
    assert imported is not None
    assert len(imported.findings) > 1500
    write_together({file.path: file.after for file in imported.written})
    before = files_of(specs)
    again = run(specs, gates, Report())
    assert again is not None
    assert again.changed == ()
    assert files_of(specs) == before


@pytest.mark.slow
def test_import_changes_nothing_wire_relevant(gates: Entries) -> None:
    report = Report()
    imported = run(SPECS, gates, report)
    assert imported is not None
    assert [note for file in imported.files for note in file.notes if note.kind.value in ("followed", "removed")] == []
