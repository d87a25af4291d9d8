"""What every report shows, before it is text: sorted, folded, counted. Reports only print it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic
from apigen.diagnostics.quoting import counted
from apigen.ir.stability import Stability
from apigen.review.approvals.baseline_file import Baselined
from apigen.review.approvals.matching import Approved
from apigen.review.finding import Finding
from apigen.review.reports.advice import Advice
from apigen.review.review import Review
from apigen.review.root_causes import members
from apigen.review.rules.rule_text import RuleText
from apigen.review.surface import Surface, Unread
from apigen.review.verdict.example import Side
from apigen.review.verdict.impact import Direction
from apigen.review.verdict.severity import Severity

SHOWN = (Severity.ERROR, Severity.UNVERIFIED, Severity.WARNING, Severity.INFO)
"""The severities that reports show, the worst first."""

DIRECTIONS: Mapping[Direction, str] = {
    Direction.OLD_CLIENT: "old client, new server",
    Direction.NEW_CLIENT: "new client, old server",
    Direction.STORED: "stored data, new release",
    Direction.ROLLBACK: "rollback",
}
"""The directions in words, in order."""

NO_DIRECTION = "no direction"
"""What findings are counted under that break nothing on the wire."""


class FailOn(StrEnum):
    """From which severity on a review fails."""

    ERROR = "error"
    UNVERIFIED = "unverified"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"

    def counts(self, severity: Severity) -> bool:
        """Whether a finding of a severity makes a review fail."""
        return self is not FailOn.NEVER and severity >= Severity[self.name]


@dataclass(frozen=True, slots=True)
class Summary:
    """A review, ready to be printed.

    `findings` are open, folded and in order, those of severity `silent` not among them: `harmless` has these. `approved` are
    out of the count. `additions` and `documentation` hurt nobody and are told in short. `problems` are what is wrong with the
    approvals of `approvals_file`. `baselined` are known findings, which are not counted as open. `rules` knows the words of the rule of each finding.
    """

    review: Review
    fail_on: FailOn
    findings: tuple[Finding, ...]
    approved: tuple[Approved, ...]
    additions: tuple[Finding, ...]
    documentation: tuple[Finding, ...]
    harmless: tuple[Finding, ...]
    problems: tuple[Diagnostic, ...]
    advice: Advice
    rules: Mapping[str, RuleText]
    partly: Mapping[str, Approved]
    siblings: Mapping[str, tuple[str, ...]]
    approvals_file: str = ""
    baselined: Baselined = Baselined()

    @property
    def old(self) -> Surface:
        """The old side."""
        return self.review.old

    @property
    def new(self) -> Surface:
        """The new side."""
        return self.review.new

    @property
    def unread(self) -> Sequence[tuple[Side, Unread]]:
        """What the inputs say that was not judged."""
        sides = ((Side.OLD, self.old), (Side.NEW, self.new))
        return [(side, unread) for side, surface in sides for unread in surface.unread]

    @property
    def counts(self) -> Mapping[Severity, int]:
        """How many findings of each severity are open, consequences included."""
        counted = Counter(finding.severity for finding in every(self.findings))
        return {severity: counted[severity] for severity in SHOWN}

    @property
    def matrix(self) -> Mapping[tuple[Direction | None, Severity], int]:
        """How many open findings strike in a direction, by severity. None: those that strike in no direction."""
        counted: Counter[tuple[Direction | None, Severity]] = Counter()
        for finding in every(self.findings):
            counted.update((direction, finding.severity) for direction in finding.hits or (None,))
        return {(direction, s): counted[direction, s] for direction in (*Direction, None) for s in SHOWN}

    @property
    def by_stability(self) -> Mapping[tuple[Stability, Severity], int]:
        """How many findings are open, by stability and severity."""
        counted = Counter((finding.stability, finding.severity) for finding in every(self.findings))
        return {(stability, s): counted[stability, s] for stability in reversed(Stability) for s in SHOWN}

    @property
    def fails(self) -> bool:
        """Whether there is an open finding that the review fails on."""
        return any(self.fail_on.counts(finding.severity) for finding in self.findings)

    def title(self, finding: Finding) -> str:
        """What the rule of a finding finds, in a few words."""
        rule = self.rules.get(finding.rule)
        return finding.rule if rule is None else rule.title

    def no_witness(self, finding: Finding) -> str:
        """Why a finding has no witness in all of its directions; empty where it has, or strikes in none."""
        return finding.why_no_witness if finding.directions_without_witness else ""

    @property
    def untried(self) -> str:
        """In how many findings no object was looked for, where that was too much; empty where it never was."""
        count = sum(finding.is_untried for finding in self.findings)
        if not count:
            return ""
        return f"no objects were tried for {count:,} of {len(self.findings):,} findings, which would take too long"

    def fix(self, finding: Finding) -> str:
        """What to do about a finding."""
        rule = self.rules.get(finding.rule)
        return finding.verdict.fix or ("" if rule is None else rule.fix)


def hit_lines(finding: Finding) -> Iterator[str]:
    """A line for each direction that a finding affects, with what it does there."""
    return (f"{name}: {finding.hits[each].text}" for each, name in DIRECTIONS.items() if each in finding.hits)


def every(findings: Iterable[Finding]) -> list[Finding]:
    """Findings and their consequences, each with the severity that it has alone; those that are silent omitted."""
    return [each for finding in findings for each in members(finding) if each.severity is not Severity.SILENT]


def verdict_line(summary: Summary) -> str:
    """One line: what was found, and whether it passes."""
    counts = [counted_word(severity, count) for severity, count in summary.counts.items() if count]
    found = ", ".join(counts) or "nothing to object to"
    what = f"{found} in {counted(summary.review.changes, 'change')}"
    if not summary.review.changes and not counts:
        what = "no changes"
    approved = f", {len(summary.approved)} approved" if summary.approved else ""
    if summary.baselined.findings:
        approved += f", {len(summary.baselined.findings):,} in the baseline"
    if summary.problems:
        return f"{what}{approved}: {counted(len(summary.problems), 'approval')} cannot stand"
    if summary.fails:
        return f"{what}{approved}: fails on {summary.fail_on.value}"
    return f"{what}{approved}: passes"


def counted_word(severity: Severity, count: int) -> str:
    """`2 errors`, `4 not verified`, `1 warning`, `3 info`."""
    if severity is Severity.UNVERIFIED:
        return f"{count} not verified"
    return f"{count} {severity.word}" if severity is Severity.INFO else counted(count, severity.word)


def siblings(findings: Iterable[Finding]) -> Mapping[str, tuple[str, ...]]:
    """By fingerprint, the other versions in which the very same was found."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        element = finding.element
        if element.version:
            key = (finding.rule, element.kind, element.group, element.type, element.path, finding.old, finding.new)
            groups.setdefault(key, []).append(finding)
    return {
        finding.fingerprint: tuple(other.element.version for other in group if other is not finding)
        for group in groups.values()
        if len(group) > 1
        for finding in group
    }
