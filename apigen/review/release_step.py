"""The review of the next release: from the last recorded release to the current specs.

`lint`, `generate`, `verify` and `release` report its errors; `apigen diff release:X` reports all findings.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from apigen.codegen.pipeline import Checked
from apigen.dataclass import replace
from apigen.diagnostics import Related, Report
from apigen.diagnostics import Severity as DiagnosticSeverity
from apigen.diagnostics.model import shown_path
from apigen.ir.stability import Stability
from apigen.ir.surface import Surface
from apigen.review.approvals.approval import UNUSED, Moment, match
from apigen.review.approvals.approvals_file import read_approvals
from apigen.review.finding import Finding, Review
from apigen.review.grouping import group_by_root_cause
from apigen.review.mitigations import COMMON
from apigen.review.results import Severity
from apigen.review.review import review
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import StateRule
from apigen.review.sources.api.surface_of import Own, surface_of
from apigen.review.sources.releases import recorded_surface

UNRECORDED = Surface("", "specs", {})
"""The base of a project that has recorded no release: there is nothing that a change could break."""

_OF_PLANS = tuple(rule for rule in RULES if isinstance(rule, StateRule) and rule.is_about_plans)
_COMMON = frozenset(mitigation.name for mitigation in COMMON)
_IDS_OF_PLANS = frozenset(rule.id for rule in _OF_PLANS)


def report_breaking_changes(
    checked: Checked, approvals: Path, report: Report, today: date | None = None, *, is_shipped: bool = False
) -> None:
    """Report what the specs break for users of the last recorded release, and lifecycles that break the policy, as errors.

    Lifecycles are warnings if no release was recorded, unless the first one `is_shipped` now: they are plans that may still
    change. Each diagnostic has the id of its rule. Findings that the file
    `approvals` approves are omitted. Invalid and expired approvals are errors; without `today`, no approval
    expires by date and they are warnings, so that a commit has the same result at any time. Unused ones are reported by
    `apigen diff` only, which compares with other revisions, too.
    """
    newest = checked.recorded.history.newest
    base = UNRECORDED if newest is None else recorded_surface(newest, checked.recorded, report, checked.api)
    if checked.api is None or base is None:
        return
    own = Own(checked.own, checked.own_gates)
    step_review = review_step(base, surface_of(checked.api, "the specs", "specs", checked.release, own))
    unapproved = _unapproved(step_review, approvals, today, report)
    report_errors(replace(step_review, findings=unapproved), report, is_shipped=is_shipped)


def review_step(base: Surface, revision: Surface) -> Review:
    """Return the review of a step, including findings about plans that the base has, too; only these if the base is
    `UNRECORDED`.
    """
    if base is not UNRECORDED:
        return review(base, revision, with_known_plans=True)
    found = review(base, revision, rules=_OF_PLANS)  # without rules about changes, each of them is unclassified
    return replace(found, findings=tuple(each for each in found.findings if each.rule in _IDS_OF_PLANS))


def report_errors(found: Review, report: Report, *, is_shipped: bool = False) -> None:
    """Report the findings that stop the build, grouped by root cause: as errors, or as warnings if nothing was recorded and
    nothing `is_shipped` now.

    A finding stops it by its rule, and a warning outside of alpha elements only. A warning that the rule does not have for
    alpha elements is one for the version: an alpha gate does not change it.
    """
    for finding in group_by_root_cause(found.findings, found.old, found.new, found.owners):
        rule = found.rules[finding.rule]
        is_alpha = finding.stability is Stability.ALPHA and finding.severity <= rule.severities.alpha
        if finding.severity >= max(rule.stops_from, Severity.UNVERIFIED if is_alpha else Severity.SILENT):
            _report(finding, found, report.warning if found.old is UNRECORDED and not is_shipped else report.error)


def _unapproved(found: Review, approvals: Path, today: date | None, report: Report) -> tuple[Finding, ...]:
    if not approvals.exists():
        return found.findings
    problems = Report()
    file = read_approvals(approvals, shown_path(approvals), today, problems)
    matched = match(found.findings, file.approvals, Moment(today, found.new.release), problems)
    for problem in problems.diagnostics:
        if problem.code != UNUSED:
            report.add(problem if today is not None else replace(problem, severity=DiagnosticSeverity.WARNING))
    return matched.open


def _report(finding: Finding, found: Review, tell: Callable[..., None]) -> None:
    related = [Related(finding.old_place, f"in release {found.old.release}")] if finding.old_place.line else []
    place = finding.new_place if finding.new_place.line else finding.old_place
    hint = finding.result.fix or found.rules[finding.rule].fix
    patch = finding.result.patch
    if patch and "\n" not in patch and patch not in hint:
        edit, separator, later = hint.partition("; ")
        hint = f"{edit}: `{patch}`{separator}{later}"
    own = (each for each in finding.considered if not each.holds and each.name not in _COMMON)
    reasons = "; ".join(dict.fromkeys(each.reason for each in own))
    message = f"{finding.result.text}: {reasons}" if reasons else finding.result.text
    tell(finding.rule, place, message, hint=hint, related=related)
