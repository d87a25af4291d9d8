"""Branches that release different groups merge in git without a hand; those of the same group do not merge unseen."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.history.projects import Project, codes, two_groups


def git(project: Project, *words: str) -> subprocess.CompletedProcess[bytes]:
    identity = ("-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false")
    return subprocess.run(["git", *identity, *words], cwd=project.folder, capture_output=True, check=False)


def commit(project: Project, message: str) -> None:
    assert git(project, "add", "-A").returncode == 0
    done = git(project, "commit", "-qm", message)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A repository with a first release of two groups, and two branches."""
    project = two_groups(tmp_path)
    assert git(project, "init", "-qb", "main").returncode == 0
    project.record("1.0")
    commit(project, "1.0")
    assert git(project, "branch", "bells").returncode == git(project, "branch", "clocks").returncode == 0
    return project


def on(project: Project, branch: str, path: str, old: str, new: str, release: str) -> None:
    """Change a group on a branch, and record it."""
    assert git(project, "checkout", "-q", branch).returncode == 0
    project.edit(path, old, new)
    project.record(release, branch if branch in ("bells", "clocks") else "bells")
    commit(project, f"{branch} {release}")


def test_different_groups(project: Project) -> None:
    on(project, "bells", "bells/v1.yaml", "volume: {type: int32", "volume: {deprecated: '1.1', type: int32", "1.1")
    on(project, "clocks", "clocks/v1.yaml", "hands: {type: int32", "hands: {deprecated: '1.1', type: int32", "1.1")
    assert git(project, "checkout", "-q", "main").returncode == 0
    for branch in ("bells", "clocks"):
        merged = git(project, "merge", "-q", "--no-edit", branch)
        assert merged.returncode == 0, merged.stdout
    assert not project.lint().has_errors
    project.record("1.1")
    assert project.records().keys() >= {f"{group}/history/1.1.yaml" for group in ("bells", "clocks")}
    api = project.recorded().history
    assert [str(release) for release in api.releases] == ["1.0", "1.1"]


def test_different_groups_at_different_releases(project: Project) -> None:
    on(project, "bells", "bells/v1.yaml", "volume: {type: int32", "volume: {deprecated: '1.1', type: int32", "1.1")
    on(project, "clocks", "clocks/v1.yaml", "hands: {type: int32", "hands: {deprecated: '1.2', type: int32", "1.2")
    assert git(project, "merge", "-q", "--no-edit", "bells").returncode == 0
    assert not project.lint().has_errors
    assert [str(release) for release in project.recorded().history.releases] == ["1.0", "1.1", "1.2"]


def test_conflict_in_one_group_is_resolved_by_choosing_a_side(project: Project) -> None:
    on(project, "bells", "bells/v1.yaml", "volume: {type: int32", "volume: {deprecated: '1.2', type: int32", "1.1")
    git(project, "checkout", "-q", "-b", "other", "main")
    on(project, "other", "bells/v1.yaml", "pitch: {type: int32", "pitch: {deprecated: '1.2', type: int32", "1.1")
    assert git(project, "merge", "-q", "--no-edit", "bells").returncode != 0
    assert "AG0108" in codes(project.lint())
    git(project, "checkout", "--ours", "--", "api-specs/bells/history")
    assert not project.lint().has_errors, project.lint().diagnostics
    commit(project, "merged")
    project.record("1.2", "bells")


def test_same_group_at_different_releases_is_reported(project: Project) -> None:
    """The files have other names, so that git might put them together."""
    on(project, "bells", "bells/v1.yaml", "volume: {type: int32", "volume: {deprecated: '1.1', type: int32", "1.1")
    git(project, "checkout", "-q", "-b", "other", "main")
    on(project, "other", "bells/v1.yaml", "pitch: {type: int32", "pitch: {deprecated: '1.2', type: int32", "1.2")
    merged = git(project, "merge", "-q", "--no-edit", "bells")
    assert merged.returncode != 0
    project.write(
        "bells/history/chain.yaml", git(project, "show", "bells:api-specs/bells/history/chain.yaml").stdout.decode()
    )
    assert "AG1301" in codes(project.lint())
