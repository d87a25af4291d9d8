"""Each file's own commands, in a scratch repository: they pass where nothing breaks, and fail where something does."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import ROOT, environment
from tests.review.cli.repository import IDENTITY, commit, git, new_repository, remove_field
from tests.yaml_files import read_yaml

pytestmark = pytest.mark.slow(one_in=4)

SECONDS = 120


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone with a branch that has a commit of its own, ahead of `origin/main`."""
    origin = new_repository(tmp_path / "origin") if (tmp_path / "origin").mkdir() is None else tmp_path
    git(tmp_path, "clone", "--quiet", str(origin), "clone")
    git(tmp_path / "clone", "switch", "--quiet", "--create", "feature/x")
    return tmp_path / "clone"


def run(clone: Path, script: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a CI system does: by bash, failing at the first command that does."""
    programs = clone.parent / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "apigen").write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m apigen "$@"\n')
    (programs / "python").write_text(f'#!/bin/sh\necho "python $*" >> "{clone.parent}/installed"\n')  # installs nothing
    for program in programs.iterdir():
        program.chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
        cwd=clone,
        env=environment(**IDENTITY, PATH=path, **more),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def breaking(clone: Path) -> None:
    remove_field(clone)
    commit(clone, "breaks")


def read(path: Path) -> Any:
    return read_yaml(path.read_text(encoding="utf-8"))


def test_make_diff(clone: Path) -> None:
    assert run(clone, "make --silent diff").returncode == 0
    breaking(clone)
    ran = run(clone, "make --silent diff")
    assert ran.returncode == 2  # make's own, for a command that failed
    assert "field-removed" in ran.stdout
    assert run(clone, "make --silent diff OLD=HEAD").returncode == 0


def test_pre_commit_hook(clone: Path) -> None:
    (hook,) = [each for each in read(ROOT / ".pre-commit-hooks.yaml") if each["id"] == "apigen-diff"]
    assert hook["language"] == "python" and hook["pass_filenames"] is False
    assert shlex.split(hook["entry"])[0] == "apigen"
    assert run(clone, hook["entry"]).returncode == 0
    breaking(clone)
    ran = run(clone, hook["entry"])
    assert ran.returncode == 1
    assert "error field-removed" in ran.stdout


def action_steps() -> list[dict[str, Any]]:
    return list(read(ROOT / "action.yml")["runs"]["steps"])


def step_named(id_: str) -> dict[str, Any]:
    return next(step for step in action_steps() if step.get("id") == id_)


def inputs(**given: str) -> Mapping[str, str]:
    """The environment that the steps of the action get from its inputs."""
    action = read(ROOT / "action.yml")
    values = {name: given.get(name.replace("-", "_"), each["default"]) for name, each in action["inputs"].items()}
    review = step_named("review")
    return {name: values[text.removeprefix("${{ inputs.").removesuffix(" }}")] for name, text in review["env"].items()}


def act(
    clone: Path, base: str = "main", workspace: Path | None = None, **given: str
) -> subprocess.CompletedProcess[str]:
    runner = clone.parent / "runner"
    runner.mkdir(exist_ok=True)
    own = {
        "GITHUB_ACTION_PATH": str(ROOT),
        "GITHUB_BASE_REF": base,
        "GITHUB_WORKSPACE": str(workspace or clone),
        "GITHUB_STEP_SUMMARY": str(runner / "summary.md"),
        "GITHUB_OUTPUT": str(runner / "output"),
        "RUNNER_TEMP": str(runner),
    }
    install, review = action_steps()[0], step_named("review")
    assert run(clone, install["run"], **own).returncode == 0
    assert (clone.parent / "installed").read_text().strip().endswith(f"python -m pip install --quiet {ROOT}")
    return run(clone, review["run"], **own, **inputs(**given))


def test_the_action_passes(clone: Path) -> None:
    ran = act(clone)
    assert (ran.returncode, ran.stderr, ran.stdout) == (0, "", "no changes: passed\n")


def test_the_action_fails_with_annotations_a_summary_and_a_page(clone: Path) -> None:
    breaking(clone)
    ran = act(clone)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "::error file=api-specs/example.com/v1.yaml,line=" in ran.stdout
    runner = clone.parent / "runner"
    outputs = dict(line.split("=", 1) for line in (runner / "output").read_text().splitlines())
    assert set(outputs) == set(read(ROOT / "action.yml")["outputs"])
    assert "<!DOCTYPE html>" in Path(outputs["html"]).read_text()
    assert Path(outputs["markdown"]).read_text() == (runner / "summary.md").read_text()
    assert json.loads(Path(outputs["sarif"]).read_text())["version"] == "2.1.0"


def test_annotations_are_at_files_of_the_repository(clone: Path) -> None:
    breaking(clone)
    ran = act(clone, workspace=clone.parent)
    assert "::error file=clone/api-specs/example.com/v1.yaml,line=" in ran.stdout
    results = json.loads((clone.parent / "runner" / "api-review.sarif").read_text())["runs"][0]["results"]
    files = {each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in results}
    assert files == {"clone/api-specs/example.com/v1.yaml"}


def test_inputs_of_the_action(clone: Path) -> None:
    breaking(clone)
    assert act(clone, fail_on="never").returncode == 0
    assert act(clone, base="", old="HEAD").returncode == 0
    assert act(clone, base="").returncode == 1
    assert act(clone, old="HEAD~1", new="HEAD").returncode == 1


@pytest.mark.parametrize("text", ["$(touch ran)", "`touch ran`", "'; touch ran #", "--output=html=ran"])
def test_action_inputs_are_not_executed_as_commands(clone: Path, text: str) -> None:
    assert act(clone, old=text).returncode in (2, 3)
    assert not (clone / "ran").exists()


def test_workflow_uses_outputs_of_the_action() -> None:
    action = read(ROOT / "action.yml")
    workflow = (ROOT / "docs/examples/review/github.yml").read_text()
    steps = read_yaml(workflow)["jobs"]["review"]["steps"]
    used = next(step for step in steps if step["uses"].startswith("apigen/apigen@"))
    assert set(used.get("with", {})) <= set(action["inputs"])
    assert all(f"outputs.{name}" in workflow for name in ("html",))


def test_the_job_for_gitlab(clone: Path) -> None:
    job = read(ROOT / "docs/examples/review/gitlab.yml")["api-review"]
    base = git(clone, "rev-parse", "HEAD").strip()
    script = "\n".join([*job["before_script"], *job["script"]])
    assert run(clone, script, CI_MERGE_REQUEST_DIFF_BASE_SHA=base, CI_PROJECT_DIR=str(clone)).returncode == 0
    breaking(clone)
    ran = run(clone, script, CI_MERGE_REQUEST_DIFF_BASE_SHA=base)
    assert ran.returncode == 1
    for file in (*job["artifacts"]["paths"], *job["artifacts"]["reports"].values()):
        assert (clone / file).stat().st_size
    assert json.loads((clone / job["artifacts"]["reports"]["codequality"]).read_text())[0]["check_name"]
