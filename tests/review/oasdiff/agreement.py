"""The answers of oasdiff and ours, case by case."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from apigen.diagnostics import Report
from apigen.inputs.openapi.source import OpenApiSource
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.finding import Finding
from apigen.review.results import Severity
from apigen.review.review import review

CASES = Path(__file__).parent / "cases"
LEVELS = ("nothing", "information", "warning", "error")
"""The answers of oasdiff, by level."""


@dataclass(frozen=True)
class Row:
    """A case: the ids that oasdiff reports by their worst level, and our rules by their worst severity."""

    case: str
    level: int
    ids: tuple[str, ...]
    severity: Severity
    rules: tuple[str, ...]
    same_values: bool
    """Whether a part of our answer is a proof that the schema as a whole accepts the same values, or no others."""

    @property
    def agrees(self) -> bool:
        """Whether both report an error, or neither does."""
        return (self.level == len(LEVELS) - 1) is (self.severity is Severity.ERROR)


@cache
def rows(folder: Path) -> tuple[Row, ...]:
    """All cases, compared. `folder` is where documents are written for the reader."""
    documents = {}
    for line in (CASES / "documents.jsonl").read_text("utf-8").splitlines():
        read = json.loads(line)
        (folder / f"{read['id']}.json").write_text(json.dumps(read["document"], indent=1), "utf-8")
        documents[read["id"]] = _surface(f"{read['id']}.json", folder)
    lines = (CASES / "cases.jsonl").read_text("utf-8").splitlines()
    return tuple(_row(json.loads(line), documents) for line in lines)


def _surface(name: str, folder: Path) -> Surface:
    report = Report()
    found = OpenApiSource().load(name, Setting(folder), report)
    assert found is not None, [each.message for each in report.diagnostics]
    return found


def _row(case: dict[str, object], documents: dict[str, Surface]) -> Row:
    told = case["told"]
    assert isinstance(told, list)
    level = max((each[0] for each in told), default=0)
    ids = tuple(sorted(each[1] for each in told if each[0] == level))
    found = review(documents[str(case["base"])], documents[str(case["revision"])]).findings
    severity = max((each.severity for each in found), default=Severity.SILENT)
    worst = [each for each in found if each.severity is severity and severity is not Severity.SILENT]
    rules = tuple(sorted({each.rule for each in worst}))
    return Row(str(case["case"]), level, ids, severity, rules, any(map(_is_of_same_values, found)))


def _is_of_same_values(finding: Finding) -> bool:
    return any(each.name == "whole schema" and each.holds for each in finding.considered)
