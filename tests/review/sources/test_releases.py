"""Recorded releases as sides of a review."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.inputs.source import Setting
from apigen.language.releases import Release
from apigen.review.changes.comparing import compare
from apigen.review.review import review
from tests.history.projects import Project
from tests.review.sources.things import GROUP, TYPES, commit, git, loaded, rejected, struct, write_things


@pytest.fixture
def project(tmp_path: Path) -> Setting:
    """A project that recorded 1.2, and whose specs have one field more since."""
    folder = tmp_path / "project"
    write_things(folder / "api-specs")
    Project(folder).record("1.2")
    write_things(folder / "api-specs", TYPES + "      more: {type: string, protobuf: 3}\n")
    return Setting(folder, folder / "api-specs")


@pytest.mark.parametrize("said", ["release:1.2", "1.2", "v1.2"])
def test_release_is_read_as_recorded(said: str, project: Setting) -> None:
    surface = loaded(said, project)
    assert "more" not in struct(surface, "Thing").fields
    assert (surface.label, surface.release) == ("release:1.2", Release(1, 2))
    assert "/history/1.2.yaml" in str(struct(surface, "Thing").place)


def test_content_missing_in_records_is_not_a_change(project: Setting) -> None:
    """Records have no docs, and do not include the catalog."""
    changes = compare(loaded("1.2", project), loaded("api-specs", project))
    assert [str(change.element) for change in changes] == [f"{GROUP}/v1.Thing.more"]


def test_specs_belong_to_the_next_release(project: Setting) -> None:
    assert loaded("api-specs", project).release == Release(1, 3)


def test_unknown_release_lists_recorded_releases(project: Setting) -> None:
    error = rejected("release:1.9", project)
    assert (error.code, error.hint) == ("AG1406", "recorded releases: 1.2")


def test_without_any_record(tmp_path: Path) -> None:
    specs = write_things(tmp_path / "api-specs")
    hint = rejected("1.2", Setting(tmp_path, specs)).hint
    assert hint is not None and "no release is recorded" in hint


def test_git_tag_takes_precedence_over_a_record(project: Setting) -> None:
    git(project.folder, "init", "--quiet", "--initial-branch=main")
    git(project.folder, "add", "--all")
    git(project.folder, "commit", "--quiet", "--message=x")
    git(project.folder, "tag", "v1.2")
    assert loaded("v1.2", project).form == "specs"
    assert loaded("release:v1.2", project).form == "release"


GROWING = """\
  Mode: {enum: {A: {}, B: {}%s}%s}
"""
WITH_MODE = TYPES + "      mode: {type: Mode, omitEmpty: true, protobuf: 3}\n"


@pytest.mark.parametrize("base", ["HEAD", "release:1.3"])
@pytest.mark.parametrize("value", ["C: {}", 'C: {tolerated: "1.4", introduced: "1.5"}'])
def test_declaration_after_the_first_release_of_an_enum_is_too_late(base: str, value: str, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    write_things(folder / "api-specs", WITH_MODE + GROWING % ("", ""))
    Project(folder).record("1.2")
    write_things(folder / "api-specs", WITH_MODE + GROWING % ("", ", unknown: A"))
    Project(folder).record("1.3")
    git(folder, "init", "--quiet", "--initial-branch=main")
    commit(folder)
    write_things(folder / "api-specs", WITH_MODE + GROWING % (f", {value}", ", unknown: A"))
    setting = Setting(folder, folder / "api-specs")
    found = review(loaded(base, setting), loaded("api-specs", setting)).findings
    assert any(
        "which did not declare in 1.2, its first release, that it may grow" in each.result.text for each in found
    )
