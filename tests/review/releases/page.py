"""The table of the 20 steps of gateway-api: what a review of each finds, and how long it takes."""

from __future__ import annotations

import resource
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.review.grouping import SameChange, equal_findings, every
from apigen.review.reports.report import Style, format_named
from apigen.review.results import Severity
from apigen.review.running import Request, run_review
from apigen.runtime.gc import gc_paused
from tests.review.releases.gateway_api import steps, unpacked
from tests.yaml_files import read_yaml

PAGE = Path(__file__).resolve().parents[3] / "tests/records/releases-of-gateway-api.md"
BEFORE = Path(__file__).with_name("before.yaml")

_COUNTED = (Severity.ERROR, Severity.UNVERIFIED, Severity.WARNING)
COLUMNS = ("lines", "errors", "not verified", "warnings", "seconds")

HEAD = """# Reviews of the releases of gateway-api

`apigen diff` was run on the 10 steps of each channel of gateway-api, from v0.5.1 to v1.6.1. `python -m tests.review.releases --write`
writes the tables, except the numbers before the arrows; [three steps finding by finding](releases-read-in-full.md) says what is
wanted and what is noise.

The first table has the numbers of findings, before the level *not verified* and after it. The second one has the changes that the report counts: the same finding
in several versions, kinds and places is one change, together with its consequences, and so are the rules and values that one type gained together. An error is *shown* if an object was found that one side accepts and
the other rejects or changes. Lines are those of the text report; seconds are CPU time, without a cache.
"""


@dataclass(frozen=True, slots=True)
class Step:
    """What the review of a step found: the lines of the report, the numbers of findings, the changes, and the seconds."""

    name: str
    lines: int
    findings: Counter[Severity]
    changes: tuple[SameChange, ...]
    seconds: float

    @property
    def row(self) -> tuple[int, ...]:
        """Its numbers in the second table."""
        errors, unverified = (_of(self.changes, each) for each in (Severity.ERROR, Severity.UNVERIFIED))
        return (
            len(errors),
            sum(each.places for each in errors),
            sum(any(each.counterexamples for each in every(change.findings)) for change in errors),
            len(unverified),
            sum(each.places for each in unverified),
            sum(any(each.result.not_verified for each in every(change.findings)) for change in unverified),
        )


def _of(changes: Iterable[SameChange], severity: Severity) -> list[SameChange]:
    return [change for change in changes if change.severity is severity]


def step_of(folders: tuple[str, str], releases: Path) -> Step:
    """Review a step, with objects that show its findings."""
    report = Report()
    with gc_paused():  # `apigen diff` ends without a collection, too
        start = _seconds()
        reviewed = run_review(Request(*folders, Setting(releases), approvals=None, moment=None), report)
        seconds = _seconds() - start
    assert reviewed is not None, report.diagnostics
    summary = reviewed.summary
    lines = len(format_named("text").render(summary, Style()).splitlines())
    old, new = folders
    return Step(
        f"{old.removeprefix('gateway-api/')} to {new.rpartition('/')[2]}",
        lines,
        Counter(each.severity for each in every(summary.findings)),
        summary.changes,
        seconds,
    )


def _seconds() -> float:
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def page() -> str:
    """The page, from reviews that are made for it."""
    with tempfile.TemporaryDirectory() as folder:
        releases = unpacked(Path(folder))
        found = [step_of(folders, releases) for folders in steps()]
    return "\n".join([HEAD, *_compared(found), "", *_detailed(found), "", _in_all(found), ""])


def _compared(found: list[Step]) -> Iterator[str]:
    """The table of both states."""
    before = read_yaml(BEFORE.read_text(encoding="utf-8"))
    yield f"| step | {' | '.join(COLUMNS)} |"
    yield f"|---|{'---|' * len(COLUMNS)}"
    totals = [0.0] * 2 * len(COLUMNS)
    for step in found:
        old, new = [float(each) for each in before[step.name]], [
            step.lines,
            *(step.findings[each] for each in _COUNTED),
            step.seconds,
        ]
        totals = [one + other for one, other in zip(totals, [*old, *new], strict=True)]
        yield f"| {step.name} | {' | '.join(_cells(old, new))} |"
    yield f"| all | {' | '.join(_cells(totals[: len(COLUMNS)], totals[len(COLUMNS) :]))} |"


def _cells(old: list[float], new: list[float]) -> Iterator[str]:
    for name, one, other in zip(COLUMNS, old, new, strict=True):
        form = ".1f" if name == "seconds" else ".0f"
        yield f"{one:{form}} → {other:{form}}"


def _detailed(found: list[Step]) -> Iterator[str]:
    """The table of changes."""
    yield "| step | errors | their places | of them shown | not verified | their places | with a reason |"
    yield "|---|---|---|---|---|---|---|"
    rows = [step.row for step in found]
    for step, row in zip(found, rows, strict=True):
        yield f"| {step.name} | {' | '.join(map(str, row))} |"
    yield f"| all | {' | '.join(str(sum(column)) for column in zip(*rows, strict=True))} |"


def _in_all(found: list[Step]) -> str:
    """The number of changes, each once in all steps: both channels have most kinds."""
    errors, unverified = (_distinct([c for step in found for c in _of(step.changes, each)]) for each in _COUNTED[:2])
    return f"Each change counted once in all steps of both channels: {errors} errors, {unverified} not verified."


def _distinct(changes: list[SameChange]) -> int:
    """The number of changes, where those of two steps that have an equal finding count once."""
    owner = {id(finding): number for number, change in enumerate(changes) for finding in change.findings}
    joined = list(range(len(changes)))
    for group in equal_findings(finding for change in changes for finding in change.findings):
        numbers = {joined[owner[id(finding)]] for finding in group}
        joined = [min(numbers) if number in numbers else number for number in joined]
    return len(set(joined))
