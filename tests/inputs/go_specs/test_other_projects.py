"""Go modules of other projects: imported, completed by the edits in `projects/projects.yaml`, checked, and imported again.

Modules are read from Go's module cache. `python -m tests.inputs.go_specs.test_other_projects` writes the record of all of them, for which
it also generates their packages and runs the generated tests.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report, Severity
from apigen.inputs.go.importing import Imported, ImportRequest, import_go
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import root_of, with_modules
from apigen.inputs.merging import write_together
from tests.inputs.go.kubernetes_modules import PROJECT, module
from tests.inputs.go.modules import FoundModule
from tests.inputs.go_specs.running import files_of
from tests.yaml_files import read_yaml

Project = dict[str, Any]
FOLDER = Path(__file__).parent / "projects"
PROJECTS: list[Project] = read_yaml((FOLDER / "projects.yaml").read_text(encoding="utf-8"))
RECORD = PROJECT / "tests" / "records" / "imports.md"


def imported(project: Project, specs: Path, report: Report) -> Imported | None:
    """Import a project into a folder, and write what changed; skip the test if a module is not there."""
    found = _module(project["module"], project["release"])
    roots = [root_of(found.folder / path, report) for path in project["paths"]]
    roots += [_module(*name.split("@")).root(is_reference=True) for name in project.get("modules", ())]
    packages = read_packages(with_modules(root for root in roots if root is not None), report)
    result = import_go(ImportRequest(packages, specs, "specs"), report)
    if result is not None:
        write_together({file.path: file.after for file in result.written})
    return result


def _module(name: str, release: str) -> FoundModule:
    found = module(name, release)
    if not isinstance(found, FoundModule):
        pytest.skip(str(found))
    return found


def edit(project: Project, folder: Path) -> None:
    """Make the edits of a person, each of which has exactly one place, or copy the files that a person completed."""
    if "completed" in project:
        for name in ("specs", "handwritten"):
            shutil.copytree(PROJECT / project["completed"] / name, folder / name, dirs_exist_ok=True)
    for file, edits in project.get("edits", {}).items():
        path = folder / "specs" / file
        for old, new in edits.items():
            text = path.read_text(encoding="utf-8")
            assert text.count(old) == 1, old
            path.write_text(text.replace(old, new), encoding="utf-8")
    for file, text in project.get("hand_written", {}).items():
        path = folder / "handwritten" / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def errors(folder: Path) -> Counter[str]:
    """The codes of the errors that `generate` reports."""
    report = Report()
    check(Sources(folder / "specs", folder / "handwritten"), report)
    return Counter(one.code for one in report.diagnostics if one.severity is Severity.ERROR)


@pytest.mark.slow
@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project["project"])
def test_project_imports_and_keeps_edits(project: Project, tmp_path: Path) -> None:
    report = Report()
    assert imported(project, tmp_path / "specs", report) is not None
    assert report.error_count == 0, [one.message for one in report.diagnostics if one.severity is Severity.ERROR]
    edit(project, tmp_path)
    assert errors(tmp_path) == {}
    before = files_of(tmp_path / "specs")
    again = Report()
    assert imported(project, tmp_path / "specs", again) is not None
    assert files_of(tmp_path / "specs") == before
    differing = {one.message for one in again.diagnostics if one.code in ("AG1230", "AG1231")}
    kept = project.get("kept", ())
    assert {message for message in differing if not any(field in message for field in kept)} == set()
    assert all(any(field in message for message in differing) for field in kept)


def test_record_has_every_project() -> None:
    rows = re.findall(r"^\| ([\w-]+) (\S+) \|", RECORD.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(project["project"], project["release"]) for project in PROJECTS]


INTRODUCTION = """\
# Imports of other projects

Go modules that `apigen import go` reads. After the declarations in the last column, `apigen generate` succeeds, the generated tests
pass, and a second import changes nothing. Files, kinds and types are those of the project's own groups. `python -m
tests.inputs.go_specs.test_other_projects` writes this page from Go's module cache.

| module | kinds | types | not imported | generated tests | a person declared |
|---|---|---|---|---|---|
"""


def row(project: Project, folder: Path) -> str:
    """The row of a project, after an import, its edits, `generate`, its tests and a second import."""
    report = Report()
    result = imported(project, folder / "specs", report)
    assert result is not None
    edit(project, folder)
    before = files_of(folder / "specs")
    specs = [read_yaml(text) for path, text in before.items() if path.endswith(".yaml")]
    kinds = sum(len(one.get("kinds", {})) for one in specs)
    types = sum(len(one.get("types", {})) for one in specs)
    imported(project, folder / "specs", report)
    assert files_of(folder / "specs") == before
    (folder / "pyproject.toml").write_text('[tool.apigen]\nspecs = "specs"\n', encoding="utf-8")
    command = [sys.executable, "-m", "apigen", "generate"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, timeout=600)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "generated/tests"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=1800)
    tests = re.findall(r"\d+ passed", ran.stdout)[-1]
    lines = _hand_written_lines(folder / "handwritten")
    decided = project.get("decided", "nothing") + (f" ({lines} lines of Python)" if lines else "")
    return f"| {project['project']} {project['release']} | {kinds} | {types} | {len(result.findings)} | {tests} | {decided} |\n"


def _hand_written_lines(folder: Path) -> int:
    """The lines of Python that a person wrote, without blank ones."""
    texts = (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    return sum(1 for text in texts for line in text.splitlines() if line.strip())


def main() -> None:
    """Write the record; with names of projects, only their rows."""
    text = RECORD.read_text(encoding="utf-8")
    rows = {line.split()[1]: f"{line}\n" for line in text.splitlines() if re.match(r"\| [\w-]+ v", line)}
    for project in PROJECTS:
        if not sys.argv[1:] or project["project"] in sys.argv[1:]:
            with tempfile.TemporaryDirectory() as folder:
                rows[project["project"]] = row(project, Path(folder))
                print(rows[project["project"]], end="", flush=True)
    RECORD.write_text(INTRODUCTION + "".join(rows[project["project"]] for project in PROJECTS), encoding="utf-8")


if __name__ == "__main__":
    main()
