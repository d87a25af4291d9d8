"""A change that breaks users of the last recorded release stops every command alike, until it is approved."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.running import apigen

GROUP = """
group: example.com
versions: {v1: {introduced: "1.0", storage: true}}
hub: v1
kinds: {Widget: {plural: widgets, scope: Namespaced}}
"""
TYPES = """
types:
  Widget:
    fields:
      metadata: {type: meta/v1.ObjectMeta, required: false, doc: The metadata.}
      size: {type: int32, optional: true, default: 1, doc: The size.}
"""
UNUSED = """
approvals:
  - {fingerprint: "6f1c0f2be1a5d3c7", rule: r, element: e, old: "1", new: "2", reason: of another revision, created: 2026-03-02, expires: 2026-03-03}
"""
FILE = "api-specs/example.com/v1.yaml"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project whose release 1.0 is recorded, and whose default has changed since."""
    folder = tmp_path / "api-specs/example.com"
    folder.mkdir(parents=True)
    (folder / "group.yaml").write_text(GROUP)
    (folder / "v1.yaml").write_text(TYPES)
    assert apigen(tmp_path, "generate").code == 0
    assert apigen(tmp_path, "release", "1.0").code == 0
    (folder / "v1.yaml").write_text(TYPES.replace("default: 1", "default: 2"))
    return tmp_path


def approve(project: Path) -> None:
    """Approve what `diff` reports, with a reason."""
    apigen(project, "diff", "release:1.0", "--write-approvals")
    file = project / "apigen-approvals.yaml"
    text = file.read_text().replace('reason: ""', "reason: no cluster has a widget yet")
    file.write_text(text.replace('owner: ""', "owner: widgets").replace('ticket: ""', "ticket: W-1"))


@pytest.mark.slow
@pytest.mark.parametrize("command", [("lint",), ("generate",), ("verify",), ("release", "1.1")])
def test_a_breaking_change_is_an_error_of_each_command(project: Path, command: tuple[str, ...]) -> None:
    ran = apigen(project, *command)
    assert ran.code == 1
    assert f"{FILE}:6:52: error default-changed: " in ran.out + ran.err
    assert "history/1.0.yaml" in ran.out + ran.err


@pytest.mark.slow
def test_diff_reports_the_same_rule_for_the_same_change(project: Path) -> None:
    ran = apigen(project, "diff", "release:1.0")
    assert ran.code == 1
    assert "default-changed" in ran.out


@pytest.mark.slow
def test_approved_change_passes_in_all_commands(project: Path) -> None:
    approve(project)
    for command in (("diff", "release:1.0"), ("lint",), ("generate",), ("verify",)):
        ran = apigen(project, *command)
        assert ran.code == 0, ran.out + ran.err


@pytest.mark.slow
def test_change_is_reported_again_if_its_approval_is_removed(project: Path) -> None:
    approve(project)
    assert [apigen(project, "generate").code for _ in range(2)] == [0, 0]
    (project / "apigen-approvals.yaml").unlink()
    assert apigen(project, "generate").code == 1


@pytest.mark.slow
def test_approval_of_another_change_has_no_effect(project: Path) -> None:
    approve(project)
    specs = project / FILE
    specs.write_text(specs.read_text().replace("default: 2", "default: 3"))
    assert apigen(project, "generate").code == 1


@pytest.mark.slow
def test_expired_approval_stops_lint_and_release_only(project: Path) -> None:
    approve(project)
    file = project / "apigen-approvals.yaml"
    dates = re.sub(
        r"expires: .*", "expires: 2026-02-01", re.sub(r"created: .*", "created: 2026-01-01", file.read_text())
    )
    file.write_text(dates)
    for command in (("lint",), ("release", "1.1")):
        ran = apigen(project, *command)
        assert ran.code == 1
        assert "apigen-approvals.yaml:14:14: error AG1422: this approval expired on 2026-02-01" in ran.out + ran.err
        assert f"{FILE}:6:52: error default-changed: " in ran.out + ran.err
    assert apigen(project, "generate").code == 0


@pytest.mark.slow
def test_invalid_approvals_are_reported_at_their_place(project: Path) -> None:
    file = project / "apigen-approvals.yaml"
    file.write_text("approvals: [\n")
    ran = apigen(project, "lint")
    assert ran.code == 1
    assert "apigen-approvals.yaml:1:13: error AG0110: invalid YAML" in ran.out + ran.err
    (project / FILE).write_text(TYPES)
    ran = apigen(project, "generate")
    assert ran.code == 0
    assert "1 warning" in ran.out + ran.err
    file.write_text(UNUSED)
    assert apigen(project, "lint").code == 0


def test_explain_points_from_a_retired_code_to_the_rule(tmp_path: Path) -> None:
    ran = apigen(tmp_path, "explain", "AG1382")
    assert ran.code == 0
    assert "apigen explain default-changed" in ran.out


@pytest.mark.slow
def test_policy_violation_without_recorded_release_is_a_warning(project: Path) -> None:
    specs = project / FILE
    specs.write_text(TYPES)
    group = specs.parent / "group.yaml"
    group.write_text(GROUP.replace('introduced: "1.0"', 'introduced: "1.0", deprecated: "1.1", removed: "1.5"'))
    ran = apigen(project, "lint")
    assert ran.code == 1
    assert "group.yaml:3:12: error removal-before-window: " in ran.out + ran.err
    for history in list((project / "api-specs").rglob("history")):
        shutil.rmtree(history)
    ran = apigen(project, "lint")
    assert ran.code == 0
    assert "group.yaml:3:12: warning removal-before-window: " in ran.out + ran.err
    ran = apigen(project, "release", "1.1")
    assert ran.code == 1, "it would be an error as soon as the release is recorded"
    assert "group.yaml:3:12: error removal-before-window: " in ran.out + ran.err
    group.write_text(GROUP)
    assert "removal-before-window" not in apigen(project, "lint").out
