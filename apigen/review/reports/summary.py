"""The content of every report, before it is text: sorted, grouped, counted, with advice for releases. Reports only print it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from apigen.dataclass import dataclass, replace
from apigen.diagnostics.model import Diagnostic
from apigen.diagnostics.quoting import counted
from apigen.ir.model import Release
from apigen.ir.stability import WINDOW, Stability, releases_later
from apigen.ir.surface import Surface, Unread
from apigen.review.approvals.approval import Approved, Matched
from apigen.review.approvals.baseline_file import Baselined
from apigen.review.changes.change import Trait
from apigen.review.finding import Finding, Review
from apigen.review.grouping import SameChange, equal_findings, group_by_root_cause, is_added, is_removed, same_changes
from apigen.review.results import Direction, RuleText, Severity, Side


class Bump(StrEnum):
    """The part of a semantic version that must be increased at least, with the type of a conventional commit."""

    NONE = "none"
    PATCH = "patch"
    MINOR = "minor"
    MAJOR = "major"

    @property
    def commit(self) -> str:
        """The start of the message of a conventional commit."""
        return {Bump.MAJOR: "feat!:", Bump.MINOR: "feat:", Bump.PATCH: "docs:", Bump.NONE: "chore:"}[self]


@dataclass(frozen=True, slots=True)
class Advice:
    """The minimum bump, and the first release that may remove the removed elements; None if it is unknown or nothing is removed."""

    bump: Bump
    earliest_removal: Release | None = None


def advise(findings: Iterable[Finding], new: Surface) -> Advice:
    """Return the advice for all findings, including approved and harmless ones: they affect users, too."""
    found = tuple(findings)
    removals = [release for each in found if (release := _earliest(each, new)) is not None]
    is_text = all(each.trait is Trait.DOC for each in found)
    bump = Bump.NONE if not found else Bump.PATCH if is_text else Bump.MINOR
    serious = (each for each in found if each.own_severity >= Severity.WARNING and each.stability > Stability.ALPHA)
    if any(each.effects for each in serious):
        bump = Bump.MAJOR
    return Advice(bump, max(removals, default=None))


def _earliest(finding: Finding, new: Surface) -> Release | None:
    """Return when a removed beta element may be removed: after the deprecation period."""
    is_beta = finding.stability is Stability.BETA and finding.own_severity >= Severity.WARNING
    if not is_beta or not is_removed(finding) or finding.lifecycle is None:
        return None
    since = finding.lifecycle.deprecated or new.release_in(finding.element.group)
    return None if since is None else releases_later(since, WINDOW)


SHOWN = (Severity.ERROR, Severity.UNVERIFIED, Severity.WARNING, Severity.INFO)
"""The severities that reports print, the worst first."""

DIRECTIONS: Mapping[Direction, str] = {
    Direction.OLD_CLIENT: "older client, newer server",
    Direction.NEW_CLIENT: "newer client, older server",
    Direction.STORED: "stored data, newer release",
    Direction.ROLLBACK: "rollback",
}
"""The names of the directions, in order."""

NO_DIRECTION = "no direction"
"""The row of findings without an effect on clients or data."""


class FailOn(StrEnum):
    """The severity from which on a review fails."""

    ERROR = "error"
    UNVERIFIED = "unverified"
    WARNING = "warning"
    INFO = "info"
    NEVER = "never"

    def counts(self, severity: Severity) -> bool:
        """Return whether a finding of a severity makes a review fail."""
        return self is not FailOn.NEVER and severity >= Severity[self.name]


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A direction (or none) with its name and its numbers by severity."""

    direction: str
    name: str
    cells: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A review, ready to be printed.

    `findings` are open, grouped and sorted, without those of severity `silent`, which are in `harmless`. `changes` are the
    same findings, each change once. `approved` findings are not counted. `additions` and `documentation` affect no client and are printed in short. `problems` are those of the
    approvals in `approvals_file`. `baselined` are known findings, which are not counted as open. `rules` are the texts of
    the rules of all findings.
    """

    review: Review
    fail_on: FailOn
    findings: tuple[Finding, ...]
    changes: tuple[SameChange, ...]
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
        """The base."""
        return self.review.old

    @property
    def new(self) -> Surface:
        """The revision."""
        return self.review.new

    @property
    def unread(self) -> Sequence[tuple[Side, Unread]]:
        """The parts of the inputs that were not reviewed."""
        sides = ((Side.OLD, self.old), (Side.NEW, self.new))
        return [(side, unread) for side, surface in sides for unread in surface.unread]

    @property
    def counts(self) -> Mapping[Severity, int]:
        """The number of open changes of each severity."""
        counted = Counter(change.severity for change in self.changes)
        return {severity: counted[severity] for severity in SHOWN}

    @property
    def places(self) -> Mapping[Severity, int]:
        """The number of elements that the open changes of each severity are about."""
        return {s: sum(change.places for change in self.changes if change.severity is s) for s in SHOWN}

    @property
    def matrix(self) -> Mapping[tuple[Direction | None, Severity], int]:
        """The number of open changes by direction and severity; None is the direction of findings without an effect."""
        counted = Counter(each for change in self.changes for each in change.by_direction.items())
        return {(direction, s): counted[direction, s] for direction in (*Direction, None) for s in SHOWN}

    @property
    def matrix_rows(self) -> tuple[MatrixRow, ...]:
        """The matrix as rows for people, with one for findings without direction if there are any."""
        matrix = self.matrix
        cells = {each: tuple((s.word, matrix[each, s]) for s in SHOWN) for each in (*DIRECTIONS, None)}
        rows = [MatrixRow(each.value, name, cells[each]) for each, name in DIRECTIONS.items()]
        rows += [MatrixRow("none", NO_DIRECTION, cells[None])] if any(count for _, count in cells[None]) else []
        return tuple(rows)

    @property
    def by_stability(self) -> Mapping[tuple[Stability, Severity], int]:
        """The number of open changes by stability and severity."""
        counted = Counter(each for change in self.changes for each in change.by_stability.items())
        return {(stability, s): counted[stability, s] for stability in reversed(Stability) for s in SHOWN}

    @property
    def fails(self) -> bool:
        """Return whether an open finding makes the review fail."""
        return any(self.fail_on.counts(finding.severity) for finding in self.findings)

    @property
    def passes(self) -> bool:
        """Return whether the review passes."""
        return not self.fails and not self.problems

    def title(self, finding: Finding) -> str:
        """Return the title of the rule of a finding."""
        rule = self.rules.get(finding.rule)
        return finding.rule if rule is None else rule.title

    def no_counterexample(self, finding: Finding) -> str:
        """Return why a finding has no counterexample in some directions; empty if it has one in all."""
        return finding.why_no_counterexample if finding.directions_without_counterexample else ""

    @property
    def untried(self) -> str:
        """The number of findings for which no counterexample was searched, in words; empty if it is zero."""
        count = sum(finding.is_untried for finding in self.findings)
        if not count:
            return ""
        return f"no counterexamples were searched for {count:,} of {len(self.findings):,} findings, which would take too long"

    def approved_in_part(self, finding: Finding) -> str:
        """Return the directions in which an open finding is approved, with the reason; empty without any."""
        approved = self.partly.get(finding.fingerprint)
        if approved is None:
            return ""
        return f"approved for {', '.join(map(DIRECTIONS.__getitem__, approved.directions))}: {approved.approval.reason}"

    def fix(self, finding: Finding) -> str:
        """Return the fix of a finding."""
        rule = self.rules.get(finding.rule)
        return finding.result.fix or ("" if rule is None else rule.fix)


def effect_lines(finding: Finding) -> Iterator[str]:
    """Yield a line for each direction that a finding affects, with its effect."""
    return (f"{name}: {finding.effects[each].text}" for each, name in DIRECTIONS.items() if each in finding.effects)


def result_line(summary: Summary) -> str:
    """Return the result in one line: the number of changes and of their places, and whether the review passed."""
    counts = [counted_word(severity, count) for severity, count in summary.counts.items() if count]
    places = sum(summary.places.values())
    counted_changes = ", ".join(counts) or ("no open findings" if summary.review.changes else "no changes")
    if places > len(summary.changes):
        counted_changes = f"{counted_changes} in {places:,} places"
    approved = f", {len(summary.approved)} approved" if summary.approved else ""
    if summary.baselined.findings:
        approved += f", {len(summary.baselined.findings):,} in the baseline"
    if summary.problems:
        return f"{counted_changes}{approved}: failed, {counted(len(summary.problems), 'invalid approval')}"
    if summary.fails:
        return f"{counted_changes}{approved}: failed (--fail-on {summary.fail_on.value})"
    return f"{counted_changes}{approved}: passed"


def counted_word(severity: Severity, count: int) -> str:
    """Return a number of changes or findings: `2 errors`, `4 not verified`, `1 warning`, `3 info`."""
    if severity is Severity.UNVERIFIED:
        return f"{count} not verified"
    return f"{count} {severity.word}" if severity is Severity.INFO else counted(count, severity.word)


def sum_up(
    review: Review,
    matched: Matched,
    problems: Iterable[Diagnostic],
    fail_on: FailOn,
    approvals_file: str = "",
    baselined: Baselined | None = None,
) -> Summary:
    """Sort and group the findings."""
    open_findings, approved = _with_consequences(review, matched)
    findings: list[Finding] = []
    additions: list[Finding] = []
    documentation: list[Finding] = []
    harmless: list[Finding] = []
    of_documentation = {id_ for id_, rule in review.rules.items() if rule.is_of_documentation}
    of_state = {id_ for id_, rule in review.rules.items() if rule.is_of_state}
    for finding in group_by_root_cause(open_findings, review.old, review.new, review.owners):
        if finding.rule in of_documentation and finding.severity <= Severity.INFO:
            documentation.append(finding)
        elif all(
            is_added(each) and not each.effects and each.severity <= Severity.INFO and each.rule not in of_state
            for each in (finding, *finding.consequences)
        ):
            additions.append(finding)
        elif finding.severity is Severity.SILENT:
            harmless.append(finding)
        else:
            findings.append(finding)
    partly = {each.finding.fingerprint: each for each in approved}
    return Summary(
        review=review,
        fail_on=fail_on,
        findings=tuple(findings),
        changes=same_changes(findings),
        approved=approved,
        additions=tuple(additions),
        documentation=tuple(documentation),
        harmless=tuple(harmless),
        problems=tuple(problems),
        advice=advise(review.findings, review.new),
        rules=review.rules,
        partly={
            finding.fingerprint: partly[finding.fingerprint]
            for finding in open_findings
            if finding.fingerprint in partly
        },
        siblings=_siblings(review.findings),
        approvals_file=approvals_file,
        baselined=baselined or Baselined(),
    )


def _with_consequences(review: Review, matched: Matched) -> tuple[Sequence[Finding], tuple[Approved, ...]]:
    """Approve the consequences of an approved finding, if their severity is at most info."""
    if not matched.approved:
        return matched.open, ()
    is_open = {finding.fingerprint for finding in matched.open}
    roots = {
        finding.fingerprint: finding
        for finding in group_by_root_cause(review.findings, review.old, review.new, review.owners)
    }
    covered: set[str] = set()
    approved: list[Approved] = []
    for each in matched.approved:
        root = roots.get(each.finding.fingerprint)
        if root is None or root.fingerprint in is_open:
            approved.append(each)
            continue
        mild = tuple(one for one in root.consequences if one.severity <= Severity.INFO and one.fingerprint in is_open)
        covered.update(one.fingerprint for one in mild)
        approved.append(replace(each, finding=replace(each.finding, consequences=mild)))
    return [finding for finding in matched.open if finding.fingerprint not in covered], tuple(approved)


def _siblings(findings: Iterable[Finding]) -> Mapping[str, tuple[str, ...]]:
    """Return the other versions with the same change, by fingerprint."""
    found: dict[str, tuple[str, ...]] = {}
    for group in equal_findings(findings):
        versions = tuple(dict.fromkeys(each.element.version for each in group if each.element.version))
        for finding in group if len(versions) > 1 else ():
            found[finding.fingerprint] = tuple(each for each in versions if each != finding.element.version)
    return found
