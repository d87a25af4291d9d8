"""The table of the 20 steps of gateway-api: what a review of each finds, and how long it takes."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import yaml

from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.review.finding import Finding
from apigen.review.reports.first_screen import same_change
from apigen.review.reports.report import Style, format_named
from apigen.review.reports.summary import Summary
from apigen.review.root_causes import every
from apigen.review.running import Request, run_review
from apigen.review.sources.source import Setting
from apigen.review.verdict.severity import Severity
from tests.review.releases.gateway_api import steps, unpacked

PAGE = Path(__file__).resolve().parents[3] / "tests/records/releases-of-gateway-api.md"
BEFORE = Path(__file__).with_name("before.yaml")

COLUMNS = ("lines", "errors", "not verified", "warnings", "seconds")

HEAD = """# Reviews of the releases of gateway-api

`apigen diff` was run on the 10 steps of each channel of gateway-api, from v0.5.1 to v1.6.1. `python -m tests.review.releases --write`
writes the second table, and the numbers after the arrows in the first one; [three steps finding by finding](releases-read-in-full.md) says what is
wanted and what is noise.

Each number is that of findings, before the level *not verified* and after it. A *change* is the same finding in several versions, kinds and places, which is one
row of the report. An error is *shown* if an object that the base accepts was found that the revision rejects. Lines are those of the text
report; seconds are CPU time, without a cache.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """What the review of a step found. `changes` and `shown` are of errors, `reasons` those of findings that are not verified, by change."""

    name: str
    counts: tuple[int, int, int, int]
    seconds: float
    changes: int
    shown: int
    unverified_changes: int
    reasons: int


def step_of(folders: tuple[str, str], releases: Path) -> Step:
    """Review a step, with objects that show its findings."""
    start = _seconds()
    report = Report()
    reviewed = run_review(Request(*folders, Setting(releases), approvals=None, moment=None), report)
    assert reviewed is not None, report.diagnostics
    seconds = _seconds() - start
    summary = reviewed.summary
    lines = len(format_named("text").render(summary, Style()).splitlines())
    counts = summary.counts
    errors, unverified = (_of(summary, each) for each in (Severity.ERROR, Severity.UNVERIFIED))
    old, new = folders
    return Step(
        f"{old.removeprefix('gateway-api/')} to {new.rpartition('/')[2]}",
        (lines, counts[Severity.ERROR], counts[Severity.UNVERIFIED], counts[Severity.WARNING]),
        seconds,
        len({same_change(each) for each in errors}),
        sum(bool(each.witnesses) for each in errors),
        len({same_change(each) for each in unverified}),
        sum(bool(each.verdict.not_verified) for each in unverified),
    )


def _of(summary: Summary, severity: Severity) -> list[Finding]:
    return [each for each in every(summary.findings) if each.own_severity is severity]


def _seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def page() -> str:
    """The page, from reviews that are made for it."""
    with tempfile.TemporaryDirectory() as folder:
        releases = unpacked(Path(folder))
        found = [step_of(folders, releases) for folders in steps()]
    return "\n".join([HEAD, *_compared(found), "", *_detailed(found), ""])


def _compared(found: list[Step]) -> Iterator[str]:
    """The table of both states."""
    before = yaml.safe_load(BEFORE.read_text(encoding="utf-8"))
    yield f"| step | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---|' * len(COLUMNS)}"
    totals = [0.0] * 2 * len(COLUMNS)
    for step in found:
        old, new = [float(each) for each in before[step.name]], [*map(float, step.counts), step.seconds]
        totals = [one + other for one, other in zip(totals, [*old, *new], strict=True)]
        yield f"| {step.name} | {' | '.join(_cells(old, new))} |"
    yield f"| all | {' | '.join(_cells(totals[: len(COLUMNS)], totals[len(COLUMNS) :]))} |"


def _cells(old: list[float], new: list[float]) -> Iterator[str]:
    for name, one, other in zip(COLUMNS, old, new, strict=True):
        form = ".1f" if name == "seconds" else ".0f"
        yield f"{one:{form}} → {other:{form}}"


def _detailed(found: list[Step]) -> Iterator[str]:
    """The table of what is behind errors, and what is not verified."""
    yield "| step | errors | of them shown | changes behind errors | not verified | with a reason | changes behind them |"
    yield "|---|---|---|---|---|---|---|"
    rows = [(s.counts[1], s.shown, s.changes, s.counts[2], s.reasons, s.unverified_changes) for s in found]
    for step, row in zip(found, rows, strict=True):
        yield f"| {step.name} | {' | '.join(map(str, row))} |"
    yield f"| all | {' | '.join(str(sum(column)) for column in zip(*rows, strict=True))} |"
