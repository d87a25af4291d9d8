"""Spec folders with a history: releases recorded as `apigen release` does it, once for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import chdir
from pathlib import Path

from apigen.cli.checking import record_reviewed
from apigen.codegen.pipeline import Sources, check
from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.language.configuration import Overrides, load_config
from apigen.language.releases import Release, parse_release
from apigen.review.release_step import report_breaking_changes
from tests.evolution.editing import apply_all, edits_of
from tests.yaml_files import read_yaml

BASES = Path(__file__).parent / "bases"


def lint(specs: Path, release: Release | None = None) -> Report:
    """What `apigen lint` finds in a spec folder, with its paths from the folder above."""
    report = Report()
    checked = check(Sources(specs, None, specs.parent, release=release), report, check_unselected=True)
    report_breaking_changes(checked, specs.parent / "apigen-approvals.yaml", report)
    return report


def try_to_record(specs: Path, release: Release) -> Report:
    """What `apigen release` finds; it has recorded the release if that is nothing."""
    report = Report()
    with chdir(specs.parent):
        config = load_config(None, specs.parent, Overrides(specs=specs.name, release=str(release)), report)
        assert config is not None, render(report.diagnostics)
        record_reviewed(config, release, None, report)
    return report


def record(specs: Path, release: Release) -> None:
    """Record a release; whatever is found fails the test."""
    report = try_to_record(specs, release)
    assert not report.diagnostics, render(report.diagnostics)


def copied(specs: Path, folder: Path) -> Path:
    """A copy that a test may change, which becomes `folder`."""
    return Path(shutil.copytree(specs, folder))


class Bases:
    """The folders of `bases/` with their releases: a folder for the first one, edits for each that follows."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._recorded: dict[str, Mapping[Release, Path]] = {}

    def folder(self, name: str, after: Release) -> Path:
        """A base as it was when `after` had just been recorded; to be left as it is."""
        if name not in self._recorded:
            self._recorded[name] = self._all_releases(name)
        return self._recorded[name][after]

    def _all_releases(self, name: str) -> Mapping[Release, Path]:
        base = BASES / name
        first = next(entry for entry in base.iterdir() if entry.is_dir())
        changes = {parse_release(file.stem): file for file in base.glob("*.yaml")}
        current = copied(first, self._root / name / "api-specs")
        releases: dict[Release, Path] = {}
        for release in sorted({parse_release(first.name), *changes}):
            if release in changes:
                edits = edits_of(read_yaml(changes[release].read_text(encoding="utf-8")) or ())
                apply_all(edits, current, first)
            record(current, release)
            releases[release] = copied(current, self._root / name / str(release))
        return releases
