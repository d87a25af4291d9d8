"""What a review says of a case, next to what crdify says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from apigen.diagnostics import Report
from apigen.diagnostics.printers.text import render
from apigen.inputs.crd.source import CrdSource
from apigen.inputs.source import Setting
from apigen.ir.surface import ElementKind, Surface
from apigen.review.finding import Finding
from apigen.review.results import Severity
from apigen.review.review import review
from tests.review.crdify.given import Case, Said
from tests.review.crdify.mapping import RULES_OF

AGREED, MILDER, MISSED, MORE = "agreed", "lower severity", "not reported", "more"


@dataclass(frozen=True)
class Line:
    """One thing that either of the two says: of crdify (empty: nothing), of ours, and how they compare."""

    theirs: str
    ours: str
    agreement: str

    @property
    def key(self) -> str:
        """What a reason is filed under."""
        return f"{self.agreement}: {self.theirs or self.ours}"


def outcome(case: Case, folder: Path) -> list[Line]:
    """Every thing that either says of a case."""
    old, new = (surface_of(text, folder, name) for text, name in ((case.old, "old"), (case.new, "new")))
    findings = [each for each in review(old, new).findings if each.severity >= Severity.INFO]
    matched: set[int] = set()
    lines = [_line(said, findings, matched) for said in case.said]
    lines.extend(
        Line("", _words(each), MORE)
        for index, each in enumerate(findings)
        if index not in matched and each.severity >= Severity.WARNING
    )
    return lines


def surface_of(text: str, folder: Path, name: str) -> Surface:
    """A definition as a surface."""
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    report = Report()
    surface = CrdSource().load(f"{name}.yaml", Setting(folder), report)
    assert surface is not None, render(report.diagnostics)
    return surface


def _line(said: Said, findings: list[Finding], matched: set[int]) -> Line:
    fitting = list(_fitting(said, findings))
    matched.update(fitting)
    if not fitting:
        return Line(str(said), "", MISSED)
    worst = max((findings[index] for index in fitting), key=lambda each: each.severity)
    return Line(str(said), _words(worst), AGREED if worst.severity is Severity.ERROR else MILDER)


def _fitting(said: Said, findings: list[Finding]) -> Iterator[int]:
    rule, _, pair = said.rule.partition(" of ")
    rules = RULES_OF["served"] if pair else RULES_OF.get(rule)
    for index, finding in enumerate(findings):
        is_rule = rules is None or finding.rule in rules or (rule == "type" and finding.rule in RULES_OF["served"])
        if is_rule and _is_at(said, pair, finding):
            yield index


def _is_at(said: Said, pair: str, finding: Finding) -> bool:
    place = path_of(finding)
    versions = set(pair.split(" -> "))
    if pair and not versions <= set(f"{finding.result.message} {finding.new}".replace(",", " ").split()):
        return False
    return not said.path or place == said.path or (said.rule == "required" and place.rpartition(".")[0] == said.path)


def path_of(finding: Finding) -> str:
    """The place of a finding as crdify writes it."""
    element = finding.element
    parts = (element.type, "" if element.kind is ElementKind.ENUM_VALUE else element.path)
    whole = ".".join(part for part in parts if part)
    inside = whole.partition(".")[2].replace("[]", ".items").replace("{}", ".additionalProperties")
    return f"^.{inside}" if inside else "^"


def _words(finding: Finding) -> str:
    place = path_of(finding)
    return f"{finding.severity.word} {finding.rule}" + (f" at {place}" if place != "^" else "")
