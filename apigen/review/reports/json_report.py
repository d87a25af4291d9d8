"""The report for programs: one JSON object in ASCII; `apigen schema review` describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from apigen import __version__
from apigen.diagnostics import Place
from apigen.ir.stability import Stability
from apigen.ir.surface import Element, Surface
from apigen.language.json_values import JsonValue
from apigen.review.approvals.approval import Approved
from apigen.review.finding import Finding
from apigen.review.reports.report import Style
from apigen.review.reports.summary import DIRECTIONS, SHOWN, Summary, result_line
from apigen.review.results import Severity

FORMAT = 1
"""The version of the format; it changes if older readers would not understand it."""

Plain = dict[str, JsonValue]


def values(summary: Summary) -> Plain:
    """Return the whole review, in a deterministic order."""
    matrix, by_stability = summary.matrix, summary.by_stability
    return {
        "format": FORMAT,
        "apigen": __version__,
        "result": {
            "passes": summary.passes,
            "failOn": summary.fail_on.value,
            "text": result_line(summary),
            "counts": _counts(summary.counts),
            "places": _counts(summary.places),
            "approved": len(summary.approved),
        },
        "old": _side(summary.old),
        "new": _side(summary.new),
        "preset": summary.review.preset.value,
        "changes": summary.review.changes,
        "matrix": {
            "none" if direction is None else direction.value: {s.word: matrix[direction, s] for s in SHOWN}
            for direction in (*DIRECTIONS, None)
        },
        "stability": {
            stability.value: {severity.word: by_stability[stability, severity] for severity in SHOWN}
            for stability in reversed(Stability)
        },
        "release": {
            "bump": summary.advice.bump.value,
            "earliestRemoval": _text(summary.advice.earliest_removal),
        },
        "findings": [_finding(finding, summary) for finding in summary.findings],
        "approved": [_approved(each, summary) for each in summary.approved],
        "additions": [_finding(finding, summary) for finding in summary.additions],
        "documentation": [_finding(finding, summary) for finding in summary.documentation],
        "harmless": [_finding(finding, summary) for finding in summary.harmless],
        "unread": [
            {"side": side.value, **_place(unread.place), "message": unread.message} for side, unread in summary.unread
        ],
        "approvals": {
            "file": summary.approvals_file or None,
            "problems": [
                {"code": each.code, **_place(each.place), "message": each.message, "hint": each.hint}
                for each in summary.problems
            ],
        },
        "baseline": {
            "file": summary.baselined.file or None,
            "findings": [finding.fingerprint for finding in summary.baselined.findings],
            "stale": list(summary.baselined.stale),
        },
    }


def _counts(counts: Mapping[Severity, int]) -> Plain:
    return {severity.word: count for severity, count in counts.items()}


def _side(surface: Surface) -> Plain:
    return {"label": surface.label, "form": surface.form, "release": _text(surface.release)}


def _finding(finding: Finding, summary: Summary) -> Plain:
    partly = summary.partly.get(finding.fingerprint)
    return {
        "rule": finding.rule,
        "title": summary.title(finding),
        "fingerprint": finding.fingerprint,
        "severity": finding.severity.word,
        "ownSeverity": finding.own_severity.word,
        "stability": finding.stability.value,
        "message": finding.result.message,
        "notVerified": finding.result.not_verified,
        "element": _element(finding.element),
        "kinds": list(finding.kinds),
        "old": {"text": finding.old, **_place(finding.old_place)},
        "new": {"text": finding.new, **_place(finding.new_place)},
        "effects": {
            direction.value: {
                "impact": finding.effects[direction].impact.value,
                "text": finding.effects[direction].text,
            }
            for direction in DIRECTIONS
            if direction in finding.effects
        },
        "counterexamples": [
            {
                "direction": counterexample.direction.value,
                "kind": counterexample.kind,
                "before": counterexample.before,
                "outcome": counterexample.outcome,
                "after": counterexample.after,
            }
            for counterexample in finding.counterexamples
        ],
        "noCounterexample": finding.why_no_counterexample,
        "mitigations": [
            {
                "name": each.name,
                "applies": each.holds,
                "reason": each.reason,
                "clears": [direction.value for direction in DIRECTIONS if direction in each.clears],
                "atMost": None if each.at_most is None else each.at_most.word,
            }
            for each in finding.considered
        ],
        "fix": summary.fix(finding),
        "patch": finding.result.patch,
        "proposal": finding.proposal,
        "sameIn": list(summary.siblings.get(finding.fingerprint, ())),
        "approvedDirections": [direction.value for direction in partly.directions] if partly else [],
        "consequences": [_finding(each, summary) for each in finding.consequences],
    }


def _element(element: Element) -> Plain:
    return {
        "text": str(element),
        "kind": element.kind.value,
        "group": element.group,
        "version": element.version,
        "type": element.type,
        "path": element.path,
    }


def _approved(approved: Approved, summary: Summary) -> Plain:
    approval = approved.approval
    return {
        "finding": _finding(approved.finding, summary),
        "directions": [direction.value for direction in approved.directions],
        "reason": approval.reason,
        "owner": approval.owner,
        "ticket": approval.ticket,
        "created": approval.created.isoformat(),
        "expires": str(approval.expires),
        "left": approved.remaining,
        **_place(approval.place),
    }


def _place(place: Place) -> Plain:
    return {"file": place.file, "line": place.line or None, "column": place.column or None}


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def render(summary: Summary, _: Style) -> str:
    """Return the review as JSON."""
    return json.dumps(values(summary), indent=2) + "\n"
