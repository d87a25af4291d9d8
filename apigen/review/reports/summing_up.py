"""Builds the summary for reports from a review and its approvals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from apigen.dataclass import replace
from apigen.diagnostics import Diagnostic
from apigen.review.approvals.baseline_file import Baselined
from apigen.review.approvals.matching import Approved, Matched
from apigen.review.finding import Finding
from apigen.review.reports.advice import advise
from apigen.review.reports.summary import FailOn, Summary
from apigen.review.results.severity import Severity
from apigen.review.review import Review
from apigen.review.root_causes import group_by_root_cause, is_added, worst
from apigen.review.rules.rule_text import RuleText
from apigen.review.same_change import equal_findings, same_changes


def sum_up(
    review: Review,
    matched: Matched,
    problems: Iterable[Diagnostic],
    fail_on: FailOn,
    approvals_file: str = "",
    baselined: Baselined | None = None,
) -> Summary:
    """Sort and group the findings."""
    left, approved = _with_consequences(review, matched)
    findings: list[Finding] = []
    additions: list[Finding] = []
    documentation: list[Finding] = []
    harmless: list[Finding] = []
    for finding in group_by_root_cause(left, review.old, review.new, review.owners):
        if _is_documentation(finding, review.rules):
            documentation.append(finding)
        elif _is_addition(finding, review.rules):
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
        advice=advise(review.findings, review.old, review.new),
        rules=review.rules,
        partly={finding.fingerprint: partly[finding.fingerprint] for finding in left if finding.fingerprint in partly},
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


def _is_documentation(finding: Finding, rules: Mapping[str, RuleText]) -> bool:
    rule = rules.get(finding.rule)
    return rule is not None and rule.is_of_documentation and worst([finding]) <= Severity.INFO


def _is_addition(finding: Finding, rules: Mapping[str, RuleText]) -> bool:
    """Return whether a finding is about a new element that affects no client, and neither do its consequences."""
    fold_of = (finding, *finding.consequences)
    of_state = {id_ for id_, rule in rules.items() if rule.is_of_state}
    return all(
        is_added(each) and not each.effects and each.severity <= Severity.INFO and each.rule not in of_state
        for each in fold_of
    )
