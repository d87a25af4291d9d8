"""Holds approvals against findings: what is approved, what stays open, and which approvals are good for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.ir.model import Release
from apigen.review.finding import Finding
from apigen.review.verdict.impact import Direction

if TYPE_CHECKING:
    from apigen.review.approvals.approvals_file import Approval, Moment


@dataclass(frozen=True, slots=True)
class Approved:
    """A finding with its approval; `left` says how long that still holds. `directions`: those that it is for."""

    finding: Finding
    approval: Approval
    left: str
    directions: tuple[Direction, ...]


@dataclass(frozen=True, slots=True)
class Matched:
    """What approvals leave. A finding that is approved in some directions only is in both, with its share of the hits."""

    open: tuple[Finding, ...]
    approved: tuple[Approved, ...] = ()
    unused: tuple[Approval, ...] = ()


def match(findings: Sequence[Finding], approvals: Iterable[Approval], moment: Moment, report: Report) -> Matched:
    """Match by fingerprint. Expired and unused approvals, and those that say another thing than they are of, are errors."""
    valid: dict[str, Approval] = {}
    unused: list[Approval] = []
    known = {finding.fingerprint: finding for finding in findings}
    for approval in approvals:
        finding = known.get(approval.fingerprint)
        if finding is None:
            unused.append(approval)
        elif _holds(approval, finding, moment, report):
            valid[approval.fingerprint] = approval
    _report_unused(unused, findings, report)
    left: list[Finding] = []
    approved: list[Approved] = []
    for finding in findings:
        approval_of = valid.get(finding.fingerprint)
        if approval_of is None:
            left.append(finding)
            continue
        approved.append(_approved(finding, approval_of, moment))
        left.extend(_rest(finding, approval_of))
    return Matched(tuple(left), tuple(approved), tuple(unused))


def _approved(finding: Finding, approval: Approval, moment: Moment) -> Approved:
    directions = tuple(each for each in Direction if each in finding.hits and _is_for(approval, each))
    shown = _only(finding, frozenset(directions)) if directions else finding
    return Approved(shown, approval, moment.left(approval.expires), directions)


def _rest(finding: Finding, approval: Approval) -> Iterator[Finding]:
    """What is left of a finding in the directions that are not approved."""
    rest = frozenset(each for each in finding.hits if not _is_for(approval, each))
    if rest:
        yield _only(finding, rest)


def _is_for(approval: Approval, direction: Direction) -> bool:
    return not approval.directions or direction in approval.directions


def _only(finding: Finding, directions: frozenset[Direction]) -> Finding:
    hits = {direction: hit for direction, hit in finding.hits.items() if direction in directions}
    witnesses = tuple(witness for witness in finding.witnesses if witness.direction in directions)
    return replace(finding, hits=hits, witnesses=witnesses)


def _holds(approval: Approval, finding: Finding, moment: Moment, report: Report) -> bool:
    """Whether an approval counts for the finding of its fingerprint."""
    if not approval.is_of(finding):
        from apigen.review.approvals.approvals_file import as_written

        message = (
            f"the fingerprint is of `{finding.rule}` at {as_written(str(finding.element))},"
            f" {step(finding.old, finding.new)}, and the entry says another thing"
        )
        hint = "what a reviewer reads has to be what is approved: `apigen diff --write-approvals` writes entries"
        report.error("AG1425", approval.place, message, hint=hint)
        return False
    if moment.release is None and isinstance(approval.expires, Release):
        hint = "name a day, or say with `--at-release` which release is in the making"
        message = f"this approval ends with release {approval.expires}, and nothing says which release is in the making"
        report.error("AG1421", approval.expires_place, message, hint=hint)
        return False
    if moment.is_over(approval.expires):
        hint = "mend the change, or approve it anew after another look, with a later end"
        is_release = isinstance(approval.expires, Release)
        end = f"ended at release {approval.expires}" if is_release else f"ended with {approval.expires}"
        report.error("AG1422", approval.expires_place, f"this approval {end}", hint=hint)
        return False
    if moment.is_too_far(approval.expires, approval.created, finding.stability):
        from apigen.review.approvals.approvals_file import SPANS

        span = SPANS[finding.stability]
        message = (
            f"an approval of something {finding.stability} lasts {span.days} days or {span.releases} releases at most"
        )
        report.error("AG1421", approval.expires_place, message, hint="choose an earlier end, and look again then")
        return False
    return True


def _report_unused(unused: Sequence[Approval], findings: Sequence[Finding], report: Report) -> None:
    if not unused:
        return
    from apigen.review.approvals.approvals_file import as_written

    by_name: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_name.setdefault((finding.rule, as_written(str(finding.element))), []).append(finding)
    for approval in unused:
        near = by_name.get((approval.rule, approval.element))
        if near is None:
            message = f"no finding is what this approval is of: `{approval.rule}` at {approval.element}"
            report.error("AG1423", approval.place, message, hint="`apigen diff --prune-approvals` removes it")
            continue
        now = " and ".join(step(finding.old, finding.new) for finding in near[:3])
        message = f"approval no longer matches: was {step(approval.old, approval.new)}, now {now}"
        hint = "the change is another one now: approve that one, or mend it"
        report.error("AG1424", approval.place, message, hint=hint)


def step(old: str, new: str) -> str:
    """`63 -> 32`, for texts such as `maxLength: 63` and `maxLength: 32`; nothing is told as such."""
    from apigen.review.approvals.approvals_file import as_written

    before, after = as_written(old), as_written(new)
    label, colon, _ = before.partition(": ")
    if colon and after.startswith(f"{label}: "):
        before, after = before[len(label) + 2 :], after[len(label) + 2 :]
    return f"{before or 'nothing'} -> {after or 'nothing'}"
