"""The cases of buf (commit c9a5b265, Apache-2.0), unchanged: two trees each, a configuration, and the findings with their lines."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apigen.diagnostics import Report
from apigen.inputs.proto.proto import Proto
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.finding import Review
from apigen.review.results import Preset
from apigen.review.review import review

CASES = Path(__file__).parent / "cases"
_UNSTABLE = re.compile(r"(?:.*\.)?v[1-9][0-9]*(?:(?:p[1-9][0-9]*)?(?:alpha|beta)[0-9]*|test.*)")
"""Packages that `ignore_unstable_packages` is about."""


@dataclass(frozen=True, order=True)
class Told:
    """A finding: a rule of buf, the file of the new side (empty: the file is gone), and the line there (0: as a whole)."""

    rule: str
    file: str
    line: int


@dataclass(frozen=True)
class Case:
    """A case with what it selects."""

    name: str
    use: tuple[str, ...]
    excluded: frozenset[str]
    ignored: tuple[str, ...]
    ignores_unstable: bool
    expected: tuple[Told, ...]

    @property
    def folder(self) -> Path:
        return CASES / self.name


@cache
def categories() -> dict[str, set[str]]:
    """The categories of each rule."""
    rules = json.loads((CASES / "rules.json").read_text("utf-8"))["rules"]
    return {rule: set(said["categories"]) for rule, said in rules.items()}


def all_cases() -> list[Case]:
    """Every case, in order of the alphabet."""
    return [_case(path.parent) for path in sorted(CASES.glob("*/expected.json"))]


def _case(folder: Path) -> Case:
    said = json.loads((folder / "expected.json").read_text("utf-8"))
    config = said["config"]
    return Case(
        folder.name,
        tuple(config["use"]),
        frozenset(config.get("except", ())),
        tuple(config.get("ignore", ())),
        config.get("ignore_unstable_packages", False),
        tuple(sorted(_told(each) for each in said["findings"])),
    )


def _told(said: dict[str, object]) -> Told:
    start = said.get("start")
    line = start[0] if isinstance(start, list) else 0
    return Told(str(said["rule"]), str(said.get("file", "")), line)


def selected(case: Case) -> tuple[str, ...]:
    """The rules of buf that a case runs: those that it names, and those of the categories that it names."""
    named = {rule for rule, groups in categories().items() if rule in case.use or groups & set(case.use)}
    return tuple(sorted((named | {told.rule for told in case.expected}) - case.excluded))


def surface(case: Case, side: str) -> Surface:
    """One side of a case."""
    report = Report()
    found = Proto().load(side, Setting(case.folder), report)
    assert found is not None and not report.has_errors, (case.name, side, report.diagnostics)
    return found


@cache
def reviewed(case: Case, preset: Preset = Preset.SOURCE) -> Review:
    """The review of a case with all rules that count in a preset."""
    return review(surface(case, "old"), surface(case, "new"), preset)


def is_unstable(package: str) -> bool:
    """Whether a package is unstable by its name."""
    return _UNSTABLE.fullmatch(package) is not None
