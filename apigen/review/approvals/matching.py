"""Match approvals with findings: approved findings, open findings, and unused approvals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.diagnostics.quoting import quote
from apigen.language.releases import Release
from apigen.review.approvals.approval import SPANS, Approval, Moment, as_written
from apigen.review.finding import Finding
from apigen.review.results import Direction


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
    _report_unused(unused, findings, report)
    open_findings: list[Finding] = []
    approved: list[Approved] = []
    for finding in findings:
        approval_of = valid.get(finding.fingerprint)
        if approval_of is None:
            open_findings.append(finding)
            continue
        approved.append(_approved(finding, approval_of, moment))
        open_findings.extend(_rest(finding, approval_of))
    return Matched(tuple(open_findings), tuple(approved), tuple(unused))


def _approved(finding: Finding, approval: Approval, moment: Moment) -> Approved:
    directions = tuple(each for each in Direction if each in finding.effects and _is_for(approval, each))
    covered = _only(finding, frozenset(directions)) if directions else finding
    return Approved(covered, approval, moment.remaining(approval.expires), directions)


def _rest(finding: Finding, approval: Approval) -> Iterator[Finding]:
    """Yield the finding restricted to the directions that are not approved; nothing if all are."""
    rest = frozenset(each for each in finding.effects if not _is_for(approval, each))
    if rest:
        yield _only(finding, rest)


def _is_for(approval: Approval, direction: Direction) -> bool:
    return not approval.directions or direction in approval.directions


def _only(finding: Finding, directions: frozenset[Direction]) -> Finding:
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
        hint = "undo the change, or review it again and set a later `expires:`"
        is_release = isinstance(approval.expires, Release)
        end = f"expired with release {approval.expires}" if is_release else f"expired on {approval.expires}"
        report.error("AG1422", approval.expires_place, f"this approval {end}", hint=hint)
        return False
    if moment.is_too_far(approval.expires, approval.created, finding.stability):
        span = SPANS[finding.stability]
        message = (
            f"an approval of a {finding.stability} element lasts at most {span.days} days or {span.releases} releases"
        )
        report.error("AG1421", approval.expires_place, message, hint="set an earlier `expires:`")
        return False
    return True


def _report_unused(unused: Sequence[Approval], findings: Sequence[Finding], report: Report) -> None:
    if not unused:
        return
    by_name: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        by_name.setdefault((finding.rule, as_written(str(finding.element))), []).append(finding)
    for approval in unused:
        near = by_name.get((approval.rule, approval.element))
        if near is None:
            message = f"unused approval: no finding of `{approval.rule}` at {approval.element}"
            report.error("AG1423", approval.place, message, hint="run `apigen diff --prune-approvals`")
            continue
        same = next((finding for finding in near if approval.is_of(finding)), None)
        if same is not None:
            message = f"no finding has the fingerprint {approval.fingerprint}; that of the change is {same.fingerprint}"
            hint = f'if this is the change that was reviewed, write `fingerprint: "{same.fingerprint}"`'
            report.error("AG1424", approval.place, message, hint=hint)
            continue
        now = " and ".join(step(finding.old, finding.new) for finding in near[:3])
        message = f"the change differs from the approved one: {step(approval.old, approval.new)} is approved, but the change is {now}"
        hint = "undo the change, or run `apigen diff --write-approvals` and add a reason"
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
