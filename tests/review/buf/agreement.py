"""Theirs and ours, side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from apigen.review.finding import Finding
from apigen.review.results import Severity
from tests.review.buf.cases import Case, Told
from tests.review.buf.ours import ours, place, told


class Outcome(StrEnum):
    """Result of comparing a finding of buf with those of apigen."""

    SAME = "same"
    MILDER = "same element, lower severity"  # reported, but not an error
    OTHERWISE = "another rule"  # an error of another rule at the place
    MISSING = "theirs alone"
    MORE = "ours alone"


@dataclass(frozen=True, order=True)
class Row:
    """A finding with how the two compare; `by` are our rules, with the severity where that is not error."""

    case: str
    told: Told
    outcome: Outcome
    by: tuple[str, ...]
    count: int = 1


def rows(case: Case) -> list[Row]:
    """All findings of a case, of theirs and ours."""
    mine, theirs = ours(case), Counter(case.expected)
    found = [_theirs(case, each, count, mine.get(each, [])) for each, count in theirs.items()]
    for each, findings in mine.items():
        extra = len(findings) if each not in theirs else len(findings) - theirs[each] if "NO_DELETE" in each.rule else 0
        if extra > 0:
            found.append(Row(case.name, each, Outcome.MORE, _names(findings), extra))
    return sorted(found)


def _theirs(case: Case, each: Told, count: int, mine: list[Finding]) -> Row:
    if len({str(finding.element) for finding in mine}) >= count:
        worst = max(finding.severity for finding in mine)
        outcome = Outcome.SAME if worst is Severity.ERROR else Outcome.MILDER
        return Row(case.name, each, outcome, _names(mine), count)
    there = [finding for finding in told(case, each.rule) if place(case, finding) == (each.file, each.line)]
    bad = [finding for finding in there if finding.severity is Severity.ERROR]
    return Row(case.name, each, Outcome.OTHERWISE if bad else Outcome.MISSING, _names(bad or there), count)


def _names(findings: list[Finding]) -> tuple[str, ...]:
    words = {
        finding.rule if finding.severity is Severity.ERROR else f"{finding.rule} ({finding.severity.word})"
        for finding in findings
    }
    return tuple(sorted(words))
