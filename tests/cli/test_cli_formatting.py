"""The `formatter` of a project: what it changes, what the manifest records, and what `verify` reports of another one."""

from __future__ import annotations

import ast
import json
import os
import stat
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.running import Ran, apigen, new_project, tree

MANIFEST = "generated/.apigen-manifest.json"
TYPES = "generated/example_com/v1/types.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_project(tmp_path)


def with_formatter(project: Path, value: str) -> Path:
    path = project / "apigen.toml"
    lines = [line for line in path.read_text().splitlines() if not line.startswith("formatter")]
    path.write_text("\n".join([f"formatter = {value}", *lines, ""]))
    return project


def generate(project: Path, **changed: str) -> Ran:
    ran = apigen(project, "generate", **changed)
    assert ran.code == 0, ran.out + ran.err
    return ran


def recorded(project: Path) -> object:
    return json.loads((project / MANIFEST).read_text()).get("formatter")


def record(project: Path, label: str) -> None:
    path = project / MANIFEST
    path.write_text(path.read_text().replace(f'"{recorded(project)}"', f'"{label}"'))


@pytest.mark.slow
def test_ruff_is_the_default_and_is_recorded(project: Path) -> None:
    generate(project)
    default = tree(project / "generated")
    assert recorded(project) == f"ruff {version('ruff')}"
    generate(with_formatter(project, '"ruff"'))
    assert tree(project / "generated") == default
    assert apigen(project, "verify").code == 0


def syntax_trees(files: Mapping[str, bytes]) -> dict[str, str]:
    return {path: ast.dump(ast.parse(content)) for path, content in files.items() if path.endswith((".py", ".pyi"))}


@pytest.mark.slow(one_in=16)
def test_black_generates_the_same_code(project: Path) -> None:
    generate(project)
    default = tree(project / "generated")
    generate(with_formatter(project, '"black"'))
    assert recorded(project) == f"black {version('black')}"
    assert syntax_trees(tree(project / "generated")) == syntax_trees(default)


@pytest.mark.slow
def test_formatter_none_keeps_long_lines(project: Path) -> None:
    generate(with_formatter(project, '"none"'))
    assert recorded(project) == "none"
    assert any(
        len(line) > 120 for path in (project / "generated").rglob("*.py") for line in path.read_text().splitlines()
    )
    assert apigen(project, "verify").code == 0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ('"blakc"', "`formatter` is ruff, black or none, not `blakc`"),
        ("true", "`formatter` is a string, not a boolean"),
    ],
)
def test_other_formatters_are_rejected(project: Path, value: str, message: str) -> None:
    ran = apigen(with_formatter(project, value), "generate")
    assert ran.code == 2
    assert f"apigen.toml:1:1: error AG0902: {message}\n" in ran.err


@pytest.mark.slow
def test_configuration_next_to_the_output_is_ignored(project: Path) -> None:
    generate(project)
    before = tree(project / "generated")
    for folder in (project, project / "generated"):
        (folder / "ruff.toml").write_text("line-length = 320\n[format]\nquote-style = 'single'\n")
        (folder / ".gitignore").write_text("*\n")
    (project / "pyproject.toml").write_text("[tool.ruff]\nline-length = 320\n[tool.black]\nline-length = 320\n")
    assert apigen(project, "verify").code == 0
    generate(project, XDG_CACHE_HOME=str(project / "cache"))
    assert before.items() <= tree(project / "generated").items()


@pytest.mark.slow
def test_other_formatter_version_with_same_result_is_no_drift(project: Path) -> None:
    generate(project)
    record(project, "ruff 0.1.2")
    ran = apigen(project, "verify", "--quiet")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    generate(project, XDG_CACHE_HOME=str(project / "cache"))
    assert recorded(project) == f"ruff {version('ruff')}"


@pytest.mark.slow
def test_another_version_is_reported_before_differences(project: Path) -> None:
    generate(project)
    record(project, "ruff 0.1.2")
    (project / TYPES).write_text((project / TYPES).read_text() + "\n")
    ran = apigen(project, "verify", "--format", "json")
    assert ran.code == 1
    assert [each["code"] for each in json.loads(ran.out)["diagnostics"]] == ["AG0915", "AG0910"]


@pytest.mark.slow
def test_malformed_recorded_version_is_not_printed(project: Path) -> None:
    generate(project)
    record(project, "ruff \\u001b[31m")
    ran = apigen(project, "verify")
    assert ran.code == 1 and "AG0915" not in ran.err and "\x1b" not in ran.err


@pytest.mark.slow
def test_unchanged_output_does_not_run_the_formatter(project: Path, tmp_path: Path) -> None:
    generate(project)
    broken = without_ruff(tmp_path)
    assert " unchanged" in generate(project, PYTHONPATH=broken).out


@pytest.mark.slow
def test_edit_formats_changed_files_only(project: Path) -> None:
    generate(project)
    spec = next((project / "api-specs").glob("*/v1.yaml"))
    spec.write_text(spec.read_text() + "\n  Idle: {fields: {name: {type: string}}}\n")
    generate(project)
    partly = tree(project / "generated")
    assert apigen(project, "generate", "--no-cache").code == 0
    assert tree(project / "generated") == partly
    assert apigen(project, "verify").code == 0


@pytest.mark.slow
@pytest.mark.parametrize("command", ["generate", "verify"])
def test_failing_formatter_is_an_error(project: Path, tmp_path: Path, command: str) -> None:
    before = tree(project)
    ran = apigen(project, command, PYTHONPATH=without_ruff(tmp_path))
    assert ran.code == 3
    assert "error AG0914: ruff failed with exit code 7: cannot run today\n" in ran.err
    assert "Traceback" not in ran.out + ran.err
    assert tree(project) == before


def without_ruff(folder: Path) -> str:
    """A path for imports on which ruff is a program that fails; its version is that which is installed."""
    package = folder / "broken" / "ruff"
    package.mkdir(parents=True)
    program = package / "program"
    program.write_text("#!/bin/sh\necho cannot run today >&2\nexit 7\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    (package / "__init__.py").write_text(f"def find_ruff_bin(): return {str(program)!r}\n")
    about = folder / "broken" / f"ruff-{version('ruff')}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: ruff\nVersion: {version('ruff')}\n")
    return os.pathsep.join([str(folder / "broken"), str(Path(__file__).resolve().parents[2])])
