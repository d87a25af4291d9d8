"""Recorded names, numbers, values, versions and kinds are never reused; and a missing one is reported once."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.diagnostics.model import Diagnostic
from apigen.history import load
from apigen.history.load import with_past
from apigen.ir.model import Api, TypeId
from apigen.ir.resolve import resolve
from apigen.language.load import BuiltinApis, builtin_apis_folder, load_api, with_builtin_apis
from apigen.language.model import ApiSpec
from tests.cli.running import apigen
from tests.history.projects import GROUP, Project, codes, frobbers, two_groups

V6, V7 = f"{GROUP}/v6.yaml", f"{GROUP}/v7alpha1.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project after a release, whose locks are gone."""
    project = frobbers(tmp_path)
    project.record("1.12")
    for lock in project.specs.rglob("*.lock.yaml"):
        lock.unlink()
    return project


def only_error(project: Project) -> Diagnostic:
    errors = [diagnostic for diagnostic in project.lint().diagnostics if diagnostic.severity == "error"]
    assert len(errors) == 1, errors
    return errors[0]


EMAIL = "      email: {type: string, omitEmpty: true, protobuf: 2, doc: Where to write to.}\n"


def test_removed_field_without_tombstone_is_one_error_with_fix(project: Project) -> None:
    project.edit(V7, EMAIL, "")
    error = only_error(project)
    assert error.code == "AG0408"
    assert (error.hint or "").endswith('tombstones:\n  email: {protobuf: 2, removed: "1.13", reason: REASON}')
    assert [(one.place.file, one.message) for one in error.related] == [
        (f"api-specs/{GROUP}/history/1.12.yaml", "release 1.12 has `email`")
    ]
    project.edit(
        V7,
        "name:  {type: string, protobuf: 1, doc: Their name.}\n",
        "name:  {type: string, protobuf: 1, doc: Their name.}\n    tombstones:\n      email: {protobuf: 2}\n",
    )
    assert "AG0408" not in codes(project.lint())


@pytest.mark.parametrize(
    ("release", "fix"), [("1.13", "restore it, and deprecate it instead; only if"), ("2.0", "restore it, or reserve")]
)
def test_fix_of_a_removed_stable_field_depends_on_the_major_version(project: Project, release: str, fix: str) -> None:
    project.edit(V6, "      param:    {type: string, protobuf: 3, doc: What it frobs.}\n", "")
    hints = [each.hint or "" for each in project.lint(release).diagnostics if each.code == "AG0408"]
    assert [hint.startswith(fix) for hint in hints] == [True], hints


def test_removed_field_with_lock_is_one_error(tmp_path: Path) -> None:
    project = frobbers(tmp_path)
    project.record("1.12")
    project.edit(V7, EMAIL, "")
    assert codes(project.lint()) == ["AG0408"]


def resolved(project: Project) -> tuple[Api, Report]:
    """The specs with what was recorded, before anything else is asked of them."""
    report = Report()
    recorded = project.recorded(report)
    own = with_past(load_api(project.specs, report, display_root=project.folder), recorded.chains)
    return resolve(with_builtin_apis(own, BuiltinApis(report, builtin_apis_folder())), report), report


def numbers_of(api: Api, type_: str) -> dict[str, int | None]:
    return {field.json_name: field.number for field in api.struct(TypeId("bells", "v1", type_)).fields}


TONE = "  Tone:\n    fields:\n      pitch: {type: int32, required: false, protobuf: 1}\n"


@pytest.fixture
def bells(tmp_path: Path, not_validated: None) -> Project:
    """After two releases: `length` with the highest number was in the first one, and has a tombstone in the second."""
    project = two_groups(tmp_path)
    project.edit("bells/v1.yaml", TONE, f"{TONE}      length: {{type: int32, protobuf: 7}}\n")
    project.record("1.0")
    project.edit(
        "bells/v1.yaml", "      length: {type: int32, protobuf: 7}\n", "    tombstones:\n      length: {protobuf: 7}\n"
    )
    project.record("1.1")
    assert not list(project.specs.rglob("*.lock.yaml"))
    return project


def test_number_is_not_reused(bells: Project, not_validated: None) -> None:
    bells.edit("bells/v1.yaml", "protobuf: 1}\n    tomb", "protobuf: 1}\n      timbre: {type: string}\n    tomb")
    api, report = resolved(bells)
    assert not report.has_errors
    assert numbers_of(api, "Tone") == {"pitch": 1, "timbre": 8}
    bells.edit("bells/v1.yaml", "timbre: {type: string}", "timbre: {type: string, protobuf: 7}")
    assert codes(resolved(bells)[1]) == ["AG0404"]


def test_number_is_not_reused_if_the_tombstone_is_removed(bells: Project, not_validated: None) -> None:
    bells.edit("bells/v1.yaml", "    tombstones:\n      length: {protobuf: 7}\n", "      timbre: {type: string}\n")
    api, report = resolved(bells)
    assert numbers_of(api, "Tone") == {"pitch": 1, "timbre": 8}
    assert codes(report) == ["AG0408"]


def test_number_is_not_reused_if_the_type_was_removed(bells: Project, not_validated: None) -> None:
    bells.edit(
        "clocks/v1.yaml",
        "      bell: {type: bells/v1.Tone, optional: true, protobuf: 3}\n",
        "    tombstones:\n      bell: {protobuf: 3}\n",
    )
    bells.edit("bells/v1.yaml", TONE + "    tombstones:\n      length: {protobuf: 7}\n", "")
    bells.record("1.2")
    bells.edit(
        "bells/v1.yaml",
        "volume: {type: int32, required: false, protobuf: 2}\n",
        "volume: {type: int32, required: false, protobuf: 2}\n  Tone:\n    fields:\n      timbre: {type: string}\n      pitch: {type: int32, required: false}\n    tombstones: {length: {}}\n",
    )
    api, report = resolved(bells)
    assert not report.has_errors, report.diagnostics
    assert numbers_of(api, "Tone") == {"timbre": 8, "pitch": 1}


def test_reserved_numbers_are_not_reused(bells: Project, not_validated: None) -> None:
    """Written as a range, known to the lock only, or recorded and removed: no field gets these numbers."""
    bells.edit("bells/v1.yaml", "    tombstones:\n", "    reserved: [3, 11-12]\n    tombstones:\n")
    assert apigen(bells.folder, "generate").code == 0
    bells.edit("bells/v1.yaml", "    reserved: [3, 11-12]\n", "")
    bells.record("1.2")
    assert '    reserved: [3, "11-12"]\n' in bells.file("bells/history/1.2.yaml").read_text()
    bells.file("bells/v1.lock.yaml").unlink()
    bells.edit("bells/v1.yaml", "protobuf: 1}\n    tomb", "protobuf: 1}\n      timbre: {type: string}\n    tomb")
    assert numbers_of(resolved(bells)[0], "Tone") == {"pitch": 1, "timbre": 13}
    bells.edit("bells/v1.yaml", "timbre: {type: string}", "timbre: {type: string, protobuf: 3}")
    assert codes(resolved(bells)[1]) == ["AG0412"]


def test_group_named_history_is_rejected(tmp_path: Path) -> None:
    project = two_groups(tmp_path)
    project.file("clocks").rename(project.file("history"))
    assert codes(project.lint()) == ["AG0121"]


def test_lock_is_regenerated_with_all_past_fields(bells: Project, not_validated: None) -> None:
    assert apigen(bells.folder, "generate").code == 0
    lock = bells.file("bells/v1.lock.yaml").read_text()
    assert "length: {protobuf: 7}" in lock and "highest: 7" in lock


def test_released_tombstone_must_be_kept(project: Project) -> None:
    tombstone = project.file(V6).read_text().partition("    tombstones:\n")[2].partition("\n")[0]
    project.edit(V6, f"    tombstones:\n{tombstone}\n", "")
    error = only_error(project)
    assert error.code == "AG0408"
    assert "depth: {protobuf: 4}" in (error.hint or "")
    project.edit(V6, "      param: ", "      girth: {type: int32, optional: true, protobuf: 4}\n      param: ")
    assert "AG0405" in codes(project.lint())


def test_name_of_released_tombstone_is_not_reused(project: Project) -> None:
    tombstone = project.file(V6).read_text().partition("    tombstones:\n")[2].partition("\n")[0]
    project.edit(V6, f"    tombstones:\n{tombstone}\n", "")
    project.edit(V6, "      param: ", "      depth: {type: int32, optional: true, protobuf: 10}\n      param: ")
    assert codes(project.lint())[0] in ("AG0407", "AG0409")


def test_another_number_is_another_field(project: Project) -> None:
    project.edit(V7, "omitEmpty: true, protobuf: 2, doc: Where", "omitEmpty: true, protobuf: 3, doc: Where")
    error = only_error(project)
    assert error.code == "AG0409"
    assert error.related[0].message == "release 1.12 has 2 for `email`"


def test_python_name_is_preserved(project: Project) -> None:
    project.edit(
        V7, "omitEmpty: true, protobuf: 2, doc: Where", "omitEmpty: true, pyName: mail, protobuf: 2, doc: Where"
    )
    error = only_error(project)
    assert error.code == "AG0410"
    assert error.related[0].message == "release 1.12 has `email`"


def test_removed_enum_value(project: Project) -> None:
    for version in (V6, V7):
        project.edit(version, "      Never: {doc: Not at all.}\n", "")
        project.edit(version, "    unknown: Never", "    unknown: Always")
    assert "AG0408" in codes(project.lint())


def test_removed_version_and_its_kinds(project: Project) -> None:
    project.edit(f"{GROUP}/group.yaml", '  v7alpha1: {introduced: "1.11"}\n', "")
    project.file(V7).unlink()
    found = [one for one in project.lint().diagnostics if one.code == "removed-without-tombstone"]
    assert len(found) == 1 and "version `v7alpha1` of group things.example.com was removed" in found[0].message
    assert 'v7alpha1: {removed: "1.13"}' in (found[0].hint or "")
    project.edit(f"{GROUP}/group.yaml", "hub: v6", 'tombstones:\n  versions:\n    v7alpha1: {removed: "1.13"}\nhub: v6')
    assert "removed-without-tombstone" not in codes(project.lint())


def test_group_can_be_removed_after_all_its_versions(tmp_path: Path, not_validated: None) -> None:
    project = frobbers(tmp_path)
    project.write(
        "old/group.yaml", 'group: old.example.com\nversions:\n  v1: {introduced: "1.0", storage: true}\nhub: v1\n'
    )
    project.write("old/v1.yaml", "types:\n  T:\n    fields:\n      a: {type: string, protobuf: 1}\n")
    project.record("1.12")
    for name in ("group.yaml", "v1.yaml"):
        project.file(f"old/{name}").unlink()
    report = project.lint()
    assert codes(report) == ["AG1305"]
    assert report.diagnostics[0].place.file == "api-specs/old/history/1.12.yaml"
    project.write(
        "old/group.yaml",
        'group: old.example.com\nversions:\n  v1: {introduced: "1.0", deprecated: "1.1", removed: "1.14", storage: true}\nhub: v1\n',
    )
    project.write("old/v1.yaml", "types:\n  T:\n    fields:\n      a: {type: string, protobuf: 1}\n")
    project.record("1.13")
    for name in ("group.yaml", "v1.yaml"):
        project.file(f"old/{name}").unlink()
    assert "AG1305" not in codes(project.lint())
    assert "AG1305" in codes(project.lint("1.13"))
    project.record("1.14")
    history = project.recorded().history
    assert [any(group.folder == "old" for group in history.api(r).groups) for r in history.releases] == [
        True,
        True,
        False,
    ]
    assert not codes(project.lint())


def test_specs_without_history_have_no_overhead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = frobbers(tmp_path)

    def never(*_: object) -> None:
        raise AssertionError("no release is recorded")

    monkeypatch.setattr("apigen.history.load.read_folder", never)
    assert not codes(project.lint())


def test_release_is_built_on_first_use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = frobbers(tmp_path)
    for release in ("1.12", "1.13", "1.14"):
        project.record(release)
    built: list[object] = []
    recorded = project.recorded()
    assert recorded.rebuilder is not None

    def counted(spec: ApiSpec, report: Report) -> Api:
        built.append(spec)
        return resolve(spec, report)

    monkeypatch.setattr(load, "resolve", counted)
    assert recorded.history.newest is not None and not built
    recorded.history.api(recorded.history.newest)
    recorded.history.api(recorded.history.newest)
    assert len(built) == 1
