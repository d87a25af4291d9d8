"""The review of the step that is being made: from the last recorded release to the specs as they are written.

`lint`, `generate`, `verify` and `release` report its errors; `apigen diff release:X` reports all of it.
"""

from __future__ import annotations

from pathlib import Path

from apigen.codegen.pipeline import Checked
from apigen.dataclass import replace
from apigen.diagnostics import Related, Report
from apigen.ir.stability import Stability
from apigen.review.approvals.approvals_file import FILE_NAME, Moment, read_approvals
from apigen.review.approvals.matching import match
from apigen.review.finding import Finding
from apigen.review.review import Review, review
from apigen.review.root_causes import group_by_root_cause
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import StateRule
from apigen.review.sources.api.surface_of import Own, surface_of
from apigen.review.sources.releases import recorded_surface
from apigen.review.surface import Surface
from apigen.review.verdict.severity import Severity

ENFORCED = frozenset(
    {
        "annotation-key-changed",
        "default-added",
        "default-changed",
        "default-removed",
        "default-zero-changed",
        "enum-opened",
        "kind-names-changed",
        "kind-removed",
        "list-type-associative",
        "list-type-atomic",
        "map-type-changed",
        "merge-keys-changed",
        "preferred-advanced-too-early",
        "removal-before-window",
        "replacement-is-less-stable",
        "scope-changed",
        "storage-advanced-too-early",
        "storage-moved-to-less-stable",
        "subresource-removed",
        "update-restricted",
        "version-removed",
    }
)
"""The rules whose errors stop the build. `lint/evolution` reports the problems of the others, with codes of its own."""

ENFORCED_WARNINGS = frozenset(
    {
        "became-required",
        "enum-closed",
        "omit-empty-added",
        "omit-empty-removed",
        "pointer-added",
        "pointer-removed",
        "union-added",
        "union-tightened",
        "unknown-value-changed",
    }
)
"""The rules whose warnings also stop the build, except in alpha versions. `diff` reviews any two APIs, and some clients handle
these changes; the policy of a release series does not allow them in beta and stable versions.
"""


UNRECORDED = Surface("no release", "specs", {})
"""The base of a project that has recorded no release: there is nothing that a change could break."""

_ALWAYS_ENFORCED = tuple(rule for rule in RULES if rule.id in ENFORCED and isinstance(rule, StateRule))
"""The rules about one state. What they find stays a problem if it was recorded: no base of a step contains it."""


def report_breaking_changes(checked: Checked, folder: Path, report: Report) -> None:
    """Report what the specs break for users of the last recorded release, and lifecycles that break the policy, as errors.

    The latter are warnings if no release was recorded. Each has the id of its rule. Those that the file of approvals in
    `folder` approves are omitted: the day does not count, so that a commit builds the same next year. Problems of that
    file are reported by `apigen diff`.
    """
    newest = checked.recorded.history.newest
    base = UNRECORDED if newest is None else recorded_surface(newest, checked.recorded, report)
    if checked.api is None or base is None:
        return
    own = Own(checked.own, checked.own_gates)
    found = review_step(base, surface_of(checked.api, "the specs", "specs", checked.release, own))
    report_errors(replace(found, findings=_unapproved(found, folder / FILE_NAME)), report)


def review_step(base: Surface, revision: Surface) -> Review:
    """The review of a step, with the findings of enforced rules about one state that the base has, too."""
    states = review(UNRECORDED, revision, rules=_ALWAYS_ENFORCED)
    if base is UNRECORDED:
        return states
    step = review(base, revision)
    known = {finding.fingerprint for finding in step.findings}
    kept = (each for each in states.findings if each.rule in ENFORCED and each.fingerprint not in known)
    return replace(step, findings=(*step.findings, *kept), rules={**states.rules, **step.rules})


def report_errors(found: Review, report: Report) -> None:
    """Report the findings that stop the build, grouped by root cause: as errors, or as warnings if nothing was recorded."""
    for finding in group_by_root_cause(found.findings, found.old, found.new, found.owners):
        if _stops(finding):
            _report(finding, found, report)


def _stops(finding: Finding) -> bool:
    if finding.severity >= Severity.UNVERIFIED:
        return finding.rule in ENFORCED or finding.rule in ENFORCED_WARNINGS
    is_warning = finding.severity is Severity.WARNING and finding.stability is not Stability.ALPHA
    return is_warning and finding.rule in ENFORCED_WARNINGS


def _unapproved(found: Review, approvals: Path) -> tuple[Finding, ...]:
    if not approvals.exists():
        return found.findings
    problems = Report()
    file = read_approvals(approvals, FILE_NAME, None, problems)
    return match(found.findings, file.approvals, Moment(None, found.new.release), problems).open


def _report(finding: Finding, found: Review, report: Report) -> None:
    related = [Related(finding.old_place, f"as {found.old.release} shipped it")] if finding.old_place.file else []
    place = finding.new_place if finding.new_place.file else finding.old_place
    hint = finding.verdict.fix or found.rules[finding.rule].fix
    tell = report.warning if found.old is UNRECORDED else report.error
    tell(finding.rule, place, finding.verdict.text, hint=hint, related=related)
