"""Which release each series emulates, and that no number of one series is compared with another's."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.language.releases import Release
from tests.cli.running import apigen
from tests.series.conftest import import_scheme
from tests.series.projects import write_project

GROUP = "jobs.example.com"


def test_default_is_next_release_and_imported_release(scheme: ModuleType) -> None:
    features = scheme.features()
    assert features.release == "1.3"
    assert features.series == {"kubernetes": "1.36"}


def test_planned_gate_is_disabled_until_its_release(scheme: ModuleType) -> None:
    assert not scheme.features().enabled("FastTasks")
    assert scheme.features("1.4").enabled("FastTasks")
    assert not scheme.features("1.3", series={"kubernetes": "1.99"}).enabled("FastTasks")


def test_versions_are_served_at_release_of_their_series(scheme: ModuleType) -> None:
    assert scheme.served_versions("Task") == (f"{GROUP}/v1", f"{GROUP}/v1beta1")
    assert scheme.served_versions("Task", "1.6") == (f"{GROUP}/v1", f"{GROUP}/v2alpha1")
    old = scheme.features("1.1", series={"kubernetes": "1.36"})
    assert scheme.served_versions("Task", features=old) == (f"{GROUP}/v1beta1",)
    assert scheme.storage_version("Task", features=old) == f"{GROUP}/v1beta1"


@pytest.mark.parametrize(("release", "is_warned"), [("1.2", False), ("1.3", True), (None, True)])
def test_deprecation_is_reported_from_its_release(scheme: ModuleType, release: str | None, is_warned: bool) -> None:
    obj = scheme.decode(json.dumps({"apiVersion": f"{GROUP}/v1beta1", "kind": "Task"}))
    warning = scheme.deprecation_warning(obj, release)
    assert (warning is not None) is is_warned
    assert warning is None or "unavailable in v1.6+" in warning
    assert scheme.warnings(obj, release) == ([warning] if is_warned else [])


@pytest.mark.parametrize(("release", "count"), [("1.3", 1), ("1.4", 0)])
def test_planned_enum_value_is_rejected_until_its_release(scheme: ModuleType, release: str, count: int) -> None:
    data = {"apiVersion": f"{GROUP}/v1", "kind": "Task", "metadata": {"name": "a"}, "spec": {"mode": "Often"}}
    hub = scheme.convert(scheme.decode(json.dumps(data)), "hub")
    features = scheme.features(release)
    found = scheme.strategy("Task").validate(hub, features=features)
    assert len([error for error in found if "mode" in str(error)]) == count


def test_unknown_series_is_an_error_with_suggestion(scheme: ModuleType) -> None:
    with pytest.raises(ValueError, match="kubernets, did you mean kubernetes"):
        scheme.features(series={"kubernets": "1.34"})
    with pytest.raises(ValueError, match="kubernets"):
        scheme.features().release_of("kubernets")


def test_features_keep_series_when_release_changes(scheme: ModuleType) -> None:
    features = scheme.features(series={"kubernetes": "1.30"}, min_compatibility={"kubernetes": "1.28"})
    assert features.min_compatibility_of("kubernetes") == "1.28"
    features.emulate("1.4")
    assert (features.release, features.series) == ("1.4", {"kubernetes": "1.30"})
    assert features.copy().series == {"kubernetes": "1.30"}
    assert features.copy().min_compatibility_of("kubernetes") == "1.28"
    assert features.at_release("1.2", series={"kubernetes": "1.31"}).series == {"kubernetes": "1.31"}


@pytest.mark.parametrize(
    ("own", "configured", "expected"),
    [
        (None, {}, {"": Release(1, 5), "kubernetes": Release(1, 36)}),
        (Release(1, 2), {}, {"": Release(1, 2), "kubernetes": Release(1, 36)}),
        (None, {"kubernetes": Release(1, 30)}, {"": Release(1, 5), "kubernetes": Release(1, 30)}),
    ],
)
def test_default_releases_of_a_backend_input(
    tmp_path: Path, own: Release | None, configured: dict[str, Release], expected: dict[str, Release]
) -> None:
    sources = Sources(write_project(tmp_path), None, tmp_path, release=own, series=configured)
    checked = check(sources, Report())
    assert checked.backend_input is not None
    assert checked.backend_input.releases == expected


@pytest.mark.parametrize(
    ("introduced", "stages", "expected"),
    [
        (", introduced: '1.2'", ("1.1", "1.4"), Release(1, 2)),  # what is planned after it is inactive
        ("", ("1.1", "1.4"), Release(1, 4)),
        ("", (), Release(1, 0)),
    ],
)
def test_release_is_derived_from_gates_without_introduced(
    tmp_path: Path, introduced: str, stages: tuple[str, ...], expected: Release
) -> None:
    group = tmp_path / "api-specs" / "one"
    group.mkdir(parents=True)
    kinds = "hub: v1\nkinds: {Thing: {list: false}}\n"
    (group / "group.yaml").write_text(
        f"group: one.example.com\nversions: {{v1: {{storage: true{introduced}}}}}\n{kinds}"
    )
    fields = "metadata: {type: meta/v1.ObjectMeta, required: false}"
    (group / "v1.yaml").write_text(f"types: {{Thing: {{fields: {{{fields}}}}}}}\n")
    words = [
        f"{{release: '{release}', stage: {stage}}}" for release, stage in zip(stages, ("alpha", "beta"), strict=False)
    ]
    if words:
        (group.parent / "features.yaml").write_text(f"Wide: {{stages: [{', '.join(words)}]}}\n")
    checked = check(Sources(group.parent, None, tmp_path), Report())
    assert checked.backend_input is not None
    assert checked.backend_input.releases[""] == expected


def test_series_of_group_and_of_folder(tmp_path: Path) -> None:
    """A group's own `series:` counts before that of the features.yaml above it."""
    specs = write_project(tmp_path)
    for folder, text in (("other/a.example.com", ""), ("other/b.example.com", "series: third\n")):
        group = specs / folder
        group.mkdir(parents=True)
        (group / "group.yaml").write_text(
            f"group: {group.name}\n{text}versions: {{v1: {{introduced: '7.1'}}}}\nkinds: {{}}\n"
        )
        (group / "v1.yaml").write_text("types: {A: {fields: {a: {type: string, protobuf: 1}}}}\n")
    (specs / "other" / "features.yaml").write_text('series: {name: second, release: "7.4"}\n')
    checked = check(Sources(specs, None, tmp_path), Report())
    assert checked.api is not None and checked.backend_input is not None
    series = checked.api.series_of_groups
    assert (series["a.example.com"], series["b.example.com"]) == ("second", "third")
    assert (series["meta"], series["jobs.example.com"]) == ("kubernetes", "")
    assert checked.backend_input.releases["second"] == Release(7, 4)
    assert checked.backend_input.releases["third"] == Release(7, 1)  # the highest that is introduced


def test_root_series_is_the_series_of_the_project(tmp_path: Path) -> None:
    specs = write_project(tmp_path)
    features = specs / "features.yaml"
    features.write_text("series: shop\n" + features.read_text())
    scheme = import_scheme(Sources(specs, None, tmp_path, release=Release(1, 3)), tmp_path)
    assert scheme.features(series={"shop": "1.4"}).enabled("FastTasks")
    assert scheme.features().series == {"kubernetes": "1.36"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "featureGate: FastTasks",
            "featureGate: HPAConfigurableTolerance",
            "a gate of the release series `kubernetes`",
        ),
        (
            "FastTasks:\n",
            "FastTasks:\n  dependsOn: [HPAConfigurableTolerance]\n",
            "depends on `HPAConfigurableTolerance`",
        ),
    ],
)
def test_gates_of_another_series_are_rejected(tmp_path: Path, old: str, new: str, message: str) -> None:
    report = Report()
    check(Sources(write_project(tmp_path, changes=((old, new),)), None, tmp_path), report)
    assert {each.code for each in report.diagnostics if each.severity == "error"} == {"AG0554"}
    assert any(message in each.message for each in report.diagnostics)


@pytest.mark.slow
def test_history_and_records_use_the_own_series(tmp_path: Path) -> None:
    """Groups of another series in the folder are not recorded, and no rule compares them with a record."""
    specs = write_project(tmp_path)
    other = specs / "other.example.com"
    other.mkdir()
    (other / "group.yaml").write_text(
        'group: other.example.com\nseries: other\nversions: {v1beta1: {introduced: "9.1", deprecated: "9.4", removed: "9.9"}}\n'
        "kinds: {}\n"
    )
    (other / "v1beta1.yaml").write_text("types: {A: {fields: {a: {type: string, protobuf: 1}, b: {type: string}}}}\n")
    assert apigen(tmp_path, "release", "1.2").code == 0
    assert not (other / "history").exists()
    assert (specs / "jobs.example.com" / "history" / "1.2.yaml").exists()
    text = (other / "group.yaml").read_text()
    (other / "group.yaml").write_text(text.replace("9.4", "0.4").replace("9.1", "0.1"))
    assert "other.example.com" not in apigen(tmp_path, "lint", "--release", "1.3").out
    ran = apigen(tmp_path, "release", "1.3", "--group", "other.example.com")
    assert ran.code != 0 and "belongs to the release series `other`" in ran.out + ran.err


@pytest.mark.slow
def test_command_line_names_releases_of_series(tmp_path: Path) -> None:
    write_project(tmp_path)
    assert apigen(tmp_path, "generate", "--release", "1.3", "--release", "kubernetes=1.34").code == 0
    text = (tmp_path / "generated" / "features.py").read_text()
    assert 'RELEASE: Final = "1.3"' in text and '{"kubernetes": "1.34"}' in text
    task = tmp_path / "task.yaml"
    task.write_text(f"apiVersion: {GROUP}/v1beta1\nkind: Task\n")
    convert = ("convert", "task.yaml", "--to", "v1")
    assert "deprecated in v1.3+, unavailable in v1.6+" in apigen(tmp_path, *convert).err
    assert apigen(tmp_path, *convert, "--release", "1.2").err == ""
    assert "deprecated" in apigen(tmp_path, *convert, "--release", "kubernetes=1.2").err
    ran = apigen(tmp_path, *convert, "--release", "kubernets=1.2")
    assert ran.code != 0 and "did you mean kubernetes" in ran.out + ran.err
    ran = apigen(tmp_path, "generate", "--release", "kubernets=1.2")
    assert ran.code != 0 and "did you mean `kubernetes`" in ran.out + ran.err
    (tmp_path / "apigen.toml").write_text('release = "1.3"\nseries = { kubernetes = "1.34" }\n')
    assert apigen(tmp_path, "verify").code == 0
