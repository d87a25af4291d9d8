"""The review: all changes, evaluated by rules and mitigations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import replace
from apigen.files.hashing import sha256
from apigen.language.collecting import kept
from apigen.review.changes.change import Altered, AnyChange, Removed
from apigen.review.changes.comparing import compare
from apigen.review.changes.matching import located_at_partners, named_by_number, proposals
from apigen.review.changes.words import sides
from apigen.review.context import Context
from apigen.review.evaluating import evaluate_change, group_messages, nested_evaluator, severity_of
from apigen.review.finding import Finding, Review
from apigen.review.prover.regex import one_account
from apigen.review.results import Preset, RuleResult, Severity
from apigen.review.root_causes import owners_of
from apigen.review.rules.registry import RULES
from apigen.review.rules.rule import ChangeRule, Issue, Rule, StateRule
from apigen.review.rules.rule_text import rule_texts
from apigen.review.surface import Element, Messages, Surface, nearest_place

_LENGTH = 16


def fingerprint(rule: str, element: Element, old: str, new: str) -> str:
    """Return the hash of rule, element, old and new value. Locations and messages are not included, so that a reworded message
    does not invalidate approvals.
    """
    parts = [
        rule,
        *(str(part) for part in (element.kind, element.group, element.version, element.type, element.path)),
        old,
        new,
    ]
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass"))[:_LENGTH]


__all__ = ["Review", "review"]

_OF_RESPONSES = "counterexamples are requests, and the change is about responses"

_OF_BYTES = "counterexamples are JSON, and the review is about protobuf bytes"


def review(old: Surface, new: Surface, preset: Preset = Preset.API, rules: Iterable[Rule] = RULES) -> Review:
    """Compare two surfaces and evaluate every change. Two equal surfaces have no findings."""
    with one_account():
        return _reviewed(old, new, preset, tuple(rules))


def _reviewed(old: Surface, new: Surface, preset: Preset, rules: tuple[Rule, ...]) -> Review:
    if preset is Preset.BYTES:
        old = named_by_number(old, new)
    changes = kept(tuple(located_at_partners(compare(old, new), old, new)))
    proposed = proposals(changes, old, new)
    of_changes = tuple(rule for rule in rules if isinstance(rule, ChangeRule))
    context = kept(Context(old, new, nested_evaluator(of_changes), preset))
    findings = [each for change in changes for each in _evaluated(change, of_changes, context, proposed)]
    of_sides = (rule for rule in rules if isinstance(rule, StateRule) and preset in rule.presets)
    findings.extend(each for rule in of_sides for each in _issues(rule, context))
    texts = rule_texts({each.rule for each in findings}, new.form)
    return Review(old, new, tuple(findings), len(changes), preset, texts, owners_of(findings, old, new))


def _evaluated(
    change: AnyChange, rules: tuple[ChangeRule, ...], context: Context, proposed: Mapping[Element, str]
) -> Iterator[Finding]:
    evaluated = evaluate_change(change, rules, context)
    if context.preset not in evaluated.rule.presets:
        return
    old, new = sides(change)
    yield Finding(
        rule=evaluated.rule.id,
        element=change.element,
        severity=evaluated.severity,
        stability=evaluated.stability,
        result=_in_words_of(context.new, evaluated.result),
        effects=evaluated.effects,
        old=old,
        new=new,
        old_place=change.old_place,
        new_place=change.new_place,
        fingerprint=fingerprint(evaluated.rule.id, change.element, old, new),
        considered=evaluated.considered,
        proposal=proposed.get(change.element, "") if isinstance(change, Removed) else "",
        no_counterexample=evaluated.rule.prose.no_counterexample or _why_untried(change, context),
        kinds=context.kinds(change.element.type_name) if change.element.type else (),
        trait=change.trait if isinstance(change, Altered) and not change.keyword else None,
    )


def _in_words_of(surface: Surface, result: RuleResult) -> RuleResult:
    """Return a result without the patch if that is text of a spec, and the input is not."""
    return replace(result, patch="") if result.patch and not surface.is_of_specs else result


def _why_untried(change: AnyChange, context: Context) -> str:
    """Return the reason why no object is tried for a change; empty if one is."""
    if context.preset is Preset.BYTES:
        return _OF_BYTES
    return _OF_RESPONSES if group_messages(change.element, context) is Messages.RESPONSE else ""


def _issues(rule: StateRule, context: Context) -> Iterator[Finding]:
    """Yield the issues of the revision that the base does not have."""
    issues = tuple(rule.check(context.new, context))
    if not issues:
        return
    known = {(issue.element, issue.detail) for issue in rule.check(context.old, context)}
    for issue in issues:
        if (issue.element, issue.detail) not in known:
            yield _issue_finding(rule, issue, context)


def _issue_finding(rule: StateRule, issue: Issue, context: Context) -> Finding:
    stability = context.stability(issue.element)
    severity = severity_of(issue.result, rule.severities, stability)
    if group_messages(issue.element, context) is not None:  # rules of one side are about objects that are stored
        severity = min(severity, Severity.INFO)
    return Finding(
        rule=rule.id,
        element=issue.element,
        severity=severity,
        stability=stability,
        result=_in_words_of(context.new, issue.result),
        effects=dict(issue.result.effects),
        old="",
        new=issue.detail,
        old_place=nearest_place(context.old, issue.element),
        new_place=issue.place,
        fingerprint=fingerprint(rule.id, issue.element, "", issue.detail),
        no_counterexample=rule.prose.no_counterexample,
        kinds=context.kinds(issue.element.type_name) if issue.element.type else (),
    )
