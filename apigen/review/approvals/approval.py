"""Approvals of findings: the entries of a file, how long they last, and the findings that they match."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence, Set
from datetime import date, timedelta
from pathlib import Path

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import counted, listing, quote, visible
from apigen.ir.stability import Stability, releases_later
from apigen.language.releases import Release
from apigen.review.finding import Finding
from apigen.review.results import Direction

_LONGEST = 300

Expiry = date | Release
"""The end of an approval: the last day on which it applies, or the first release to which it does not."""


@dataclass(frozen=True, slots=True)
class Approval:
    """An entry of the file. `rule`, `element`, `old` and `new` are the parts of the fingerprint, for reviewers.

    Without `directions`, it applies to all of them. `place` is the location of the entry, `expires_place` that of its
    expiry.
    """

    fingerprint: str
    rule: str
    element: str
    old: str
    new: str
    reason: str
    created: date
    expires: Expiry
    place: Place
    expires_place: Place
    owner: str = ""
    ticket: str = ""
    directions: frozenset[Direction] = frozenset()

    def is_of(self, finding: Finding) -> bool:
        """Return whether the texts of the entry are those of a finding, apart from the fingerprint."""
        texts = (str(finding.element), finding.old, finding.new)
        return self.rule == finding.rule and (self.element, self.old, self.new) == tuple(map(as_written, texts))


def as_written(text: str) -> str:
    """Return a text of a finding as the file stores it: shortened, in one line, without invisible characters."""
    line = visible(text)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


UNUSED = "AG1423"
"""The code of an approval without a finding."""


@dataclass(frozen=True, slots=True)
class ApprovalsFile:
    """A file of approvals. `text` is the whole content; `entries` are the locations of all entries, including invalid ones.

    `is_usable`: the file was parsed, or does not exist.
    """

    path: Path
    display_path: str
    text: str = ""
    approvals: tuple[Approval, ...] = ()
    entries: tuple[Place, ...] = ()
    is_usable: bool = True

    @property
    def place(self) -> Place:
        """The file as a whole."""
        return Place(self.display_path)


@dataclass(frozen=True, slots=True)
class Span:
    """The maximum time until an approval expires: days after its creation, and releases after the next release."""

    days: int
    releases: int


SPANS = {Stability.STABLE: Span(180, 2), Stability.BETA: Span(270, 3), Stability.ALPHA: Span(365, 4)}
"""Maximum time of approvals: more stable versions are reviewed again earlier."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Today, and the next release, if known. Without a day, as in `generate`, no approval expires by date."""

    today: date | None
    release: Release | None = None

    def is_over(self, expires: Expiry) -> bool:
        """Return whether an approval has expired. An expiry by release is not reached if the next release is unknown."""
        if isinstance(expires, date):
            return self.today is not None and expires < self.today
        return self.release is not None and expires <= self.release

    def latest(self, expires: Expiry, created: date, stability: Stability) -> Expiry | None:
        """Return the latest expiry for a stability, as a date or release like `expires`; None if the next release is unknown."""
        span = SPANS[stability]
        if isinstance(expires, date):
            return created + timedelta(days=span.days)
        return None if self.release is None else releases_later(self.release, span.releases)

    def is_too_far(self, expires: Expiry, created: date, stability: Stability) -> bool:
        """Return whether an expiry is later than the maximum for a stability."""
        match (expires, self.latest(expires, created, stability)):
            case (date() as end, date() as latest):
                return end > latest
            case (Release() as end, Release() as latest):
                return end > latest
        return False

    def remaining(self, expires: Expiry) -> str:
        """Return the time until an approval expires, in words."""
        if isinstance(expires, date):
            if self.today is None:
                return f"until {expires.isoformat()}"
            days = (expires - self.today).days
            return f"until {expires.isoformat()}, {counted(days, 'day')} left"
        if self.release is None or self.release.major != expires.major:
            return f"before release {expires}"
        count = expires.minor - self.release.minor
        return f"before release {expires}, {counted(count, 'release')} left"


@dataclass(frozen=True, slots=True)
class Approved:
    """A finding with its approval. `remaining` is the time until it expires, in words; `directions` are the approved ones."""

    finding: Finding
    approval: Approval
    remaining: str
    directions: tuple[Direction, ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """The findings after matching with approvals. A finding that is approved in some directions only is in both lists,
    each time with its own directions.
    """

    open: tuple[Finding, ...]
    approved: tuple[Approved, ...] = ()
    unused: tuple[Approval, ...] = ()


def match(findings: Sequence[Finding], approvals: Iterable[Approval], moment: Moment, report: Report) -> Matched:
    """Match approvals with findings by fingerprint. Reports expired and unused approvals, and approvals whose texts differ from
    the finding.
    """
    valid: dict[str, Approval] = {}
    unused: list[Approval] = []
    known = {finding.fingerprint: finding for finding in findings}
    for approval in approvals:
        finding = known.get(approval.fingerprint)
        if finding is None:
            unused.append(approval)
        elif _holds(approval, finding, moment, report):
            valid[approval.fingerprint] = approval
    if unused:
        _report_unused(unused, findings, report)
    open_findings: list[Finding] = []
    approved: list[Approved] = []
    for finding in findings:
        approval_of = valid.get(finding.fingerprint)
        if approval_of is None:
            open_findings.append(finding)
            continue
        wanted = approval_of.directions or frozenset(Direction)
        directions = tuple(each for each in Direction if each in finding.effects and each in wanted)
        covered = _only(finding, frozenset(directions)) if directions else finding
        approved.append(Approved(covered, approval_of, moment.remaining(approval_of.expires), directions))
        rest = finding.effects.keys() - wanted
        if rest:
            open_findings.append(_only(finding, rest))
    return Matched(tuple(open_findings), tuple(approved), tuple(unused))


def _only(finding: Finding, directions: Set[Direction]) -> Finding:
    effects = {direction: effect for direction, effect in finding.effects.items() if direction in directions}
    counterexamples = tuple(
        counterexample for counterexample in finding.counterexamples if counterexample.direction in directions
    )
    return replace(finding, effects=effects, counterexamples=counterexamples)


def _holds(approval: Approval, finding: Finding, moment: Moment, report: Report) -> bool:
    """Return whether an approval is valid for the finding with its fingerprint; report an error if it is not."""
    if not approval.is_of(finding):
        element = as_written(str(finding.element))
        declared = (approval.rule, approval.element, approval.old, approval.new)
        right = (finding.rule, element, as_written(finding.old), as_written(finding.new))
        wrong = [
            each for each in zip(("rule", "element", "old", "new"), declared, right, strict=True) if each[1] != each[2]
        ]
        message = (
            f"the fingerprint is of `{finding.rule}` at {element}, {step(finding.old, finding.new)}, but the entry"
            f" declares {' and '.join(quote(f'{key}: {value}') for key, value, _ in wrong)}"
        )
        written = " and ".join(quote(f"{key}: {json.dumps(value, ensure_ascii=False)}") for key, _, value in wrong)
        hint = f"write {written}, or remove the entry and run `apigen diff --write-approvals`"
        report.error("AG1425", approval.place, message, hint=hint)
        return False
    if moment.release is None and isinstance(approval.expires, Release):
        hint = "write a date, or pass the next release with `--at-release`"
        message = f"this approval expires with release {approval.expires}, but the next release is unknown"
        report.error("AG1421", approval.expires_place, message, hint=hint)
        return False
    if moment.is_over(approval.expires):
        hint = f"undo the change, or review it again and {_renewed(approval, finding, moment)}"
        is_release = isinstance(approval.expires, Release)
        end = f"expired with release {approval.expires}" if is_release else f"expired on {approval.expires}"
        report.error("AG1422", approval.expires_place, f"this approval {end}", hint=hint)
        return False
    if moment.is_too_far(approval.expires, approval.created, finding.stability):
        span = SPANS[finding.stability]
        message = (
            f"an approval of a {finding.stability} element lasts at most {span.days} days or {span.releases} releases"
        )
        latest = moment.latest(approval.expires, approval.created, finding.stability)
        report.error("AG1421", approval.expires_place, message, hint=f"set `expires: {_written(latest)}` or earlier")
        return False
    return True


def _renewed(approval: Approval, finding: Finding, moment: Moment) -> str:
    """Return the keys to write so that an expired approval is valid again, until the latest day or release."""
    created = moment.today or approval.created
    latest = _written(moment.latest(approval.expires, created, finding.stability))
    if isinstance(approval.expires, Release):
        return f"set `expires: {latest}` or earlier"
    return f"set `created: {created}` and `expires: {latest}` or earlier"


def _written(expires: Expiry | None) -> str:
    return f'"{expires}"' if isinstance(expires, Release) else f"{expires}"


def _report_unused(unused: Sequence[Approval], findings: Sequence[Finding], report: Report) -> None:
    by_name: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_name.setdefault((finding.rule, as_written(str(finding.element))), []).append(finding)
    for approval in unused:
        near = by_name.get((approval.rule, approval.element))
        if near is None:
            message = f"unused approval: no finding of `{approval.rule}` at {approval.element}"
            report.error(UNUSED, approval.place, message, hint="run the command again with `--prune-approvals`")
            continue
        same = next((finding for finding in near if approval.is_of(finding)), None)
        if same is not None:
            message = f"no finding has the fingerprint {approval.fingerprint}; that of the change is {same.fingerprint}"
            hint = f'if this is the change that was reviewed, write `fingerprint: "{same.fingerprint}"`'
            report.error("AG1424", approval.place, message, hint=hint)
            continue
        now = " and ".join(step(finding.old, finding.new) for finding in near[:3])
        message = f"the change differs from the approved one: {step(approval.old, approval.new)} is approved, but the change is {now}"
        is_now = (
            ("fingerprint", near[0].fingerprint),
            ("old", as_written(near[0].old)),
            ("new", as_written(near[0].new)),
        )
        was = {"fingerprint": approval.fingerprint, "old": approval.old, "new": approval.new}
        changed = (f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in is_now if was[key] != value)
        hint = f"undo the change, or review it again and write {listing(tuple(changed), 'and')} with its reason"
        report.error("AG1424", approval.place, message, hint=hint)


def step(old: str, new: str) -> str:
    """Return the change as an approval writes it: `63 -> 32` for `maxLength: 63` and `maxLength: 32`; an empty text is
    `absent`.
    """
    before, after = as_written(old), as_written(new)
    label, colon, _ = before.partition(": ")
    if colon and after.startswith(f"{label}: "):
        before, after = before[len(label) + 2 :], after[len(label) + 2 :]
    return f"{before or 'absent'} -> {after or 'absent'}"
