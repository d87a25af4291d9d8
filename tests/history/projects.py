"""Projects that tests record releases of."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Mapping
from contextlib import chdir
from pathlib import Path

from apigen.cli.checking import record_reviewed
from apigen.codegen.pipeline import Checked, Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.history.load import Recorded, load_history
from apigen.language.configuration import Overrides, load_config
from apigen.language.load import BuiltinApis, builtin_apis_folder
from apigen.language.releases import parse_release
from apigen.review.release_step import report_breaking_changes

ROOT = Path(__file__).resolve().parents[2]
GROUP = "things.example.com"


class Project:
    """A folder with `api-specs`, which a test may change."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.specs = folder / "api-specs"

    def file(self, path: str) -> Path:
        """A file of the specs."""
        return self.specs / path

    def write(self, path: str, text: str) -> None:
        """Write a file of the specs."""
        self.file(path).parent.mkdir(parents=True, exist_ok=True)
        self.file(path).write_text(text, encoding="utf-8")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text that occurs once in a file."""
        text = self.file(path).read_text(encoding="utf-8")
        assert text.count(old) == 1, (path, old, text.count(old))
        self.write(path, text.replace(old, new))

    def release(self, release: str, *groups: str) -> Report:
        """What `apigen release` finds."""
        report = Report()
        with chdir(self.folder):
            config = load_config(None, self.folder, Overrides(release=release), report)
            assert config is not None, render(report.diagnostics)
            record_reviewed(config, parse_release(release), groups or None, report)
        return report

    def record(self, release: str, *groups: str) -> None:
        """Record a release; an error fails the test."""
        report = self.release(release, *groups)
        assert not report.has_errors, render(report.diagnostics)

    def lint(self, release: str | None = None) -> Report:
        """What `apigen lint` finds."""
        report = Report()
        self.check(report, release)
        return report

    def check(self, report: Report, release: str | None = None) -> Checked:
        """The project, read and checked."""
        parsed = None if release is None else parse_release(release)
        functions = self.folder / "handwritten"
        checked = check(Sources(self.specs, functions, self.folder, release=parsed), report, check_unselected=True)
        report_breaking_changes(checked, self.folder / "apigen-approvals.yaml", report)
        return checked

    def recorded(self, report: Report | None = None) -> Recorded:
        """Its history."""
        report = Report() if report is None else report
        return load_history(self.specs, self.folder, BuiltinApis(report, builtin_apis_folder()), report)

    def records(self) -> Mapping[str, bytes]:
        """All files of all histories, by path."""
        files = (path for path in self.specs.rglob("history/*") if path.is_file())
        return {path.relative_to(self.specs).as_posix(): path.read_bytes() for path in sorted(files)}


def frobbers(folder: Path) -> Project:
    """A project with a Frobber of its own: what these tests count lines and take checksums of stays as it is."""
    shutil.copytree(Path(__file__).parent / "specs", folder / "api-specs")
    return Project(folder)


def two_groups(folder: Path) -> Project:
    """A project with two groups, of which one names a type of the other."""
    project = Project(folder)
    for group, field in (("bells", "volume"), ("clocks", "hands")):
        kind = group.capitalize().removesuffix("s")
        project.write(
            f"{group}/group.yaml",
            f"group: {group}.example.com\nversions:\n  v1: {{introduced: '1.0', storage: true}}\nhub: v1\n"
            f"kinds:\n  {kind}: {{scope: Namespaced, plural: {group}}}\n",
        )
        extra = "      bell: {type: bells/v1.Tone, optional: true, protobuf: 3}\n" if group == "clocks" else ""
        project.write(
            f"{group}/v1.yaml",
            f"types:\n  {kind}:\n    fields:\n"
            "      metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}\n"
            f"      {field}: {{type: int32, required: false, protobuf: 2}}\n{extra}"
            "  Tone:\n    fields:\n      pitch: {type: int32, required: false, protobuf: 1}\n",
        )
    return project


def codes(report: Report) -> list[str]:
    """The codes of the errors of a report."""
    return [diagnostic.code for diagnostic in report.diagnostics if diagnostic.severity == "error"]


def mentioned(report: Report, names: Collection[str]) -> bool:
    """Whether the text of a report has all these words."""
    text = render(report.diagnostics)
    return all(name in text for name in names)
