"""The review: all changes, evaluated by rules and mitigations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from apigen.dataclass import replace
from apigen.files.hashing import sha256
from apigen.ir.stability import Stability
from apigen.ir.surface import Element, ElementKind, Messages, Surface, nearest_place
from apigen.review.changes.change import Added, Altered, AnyChange, Removed
from apigen.review.changes.comparing import compare
from apigen.review.changes.partners import located_at_partners, named_by_number, proposals
from apigen.review.changes.words import sides
from apigen.review.context import Context
from apigen.review.finding import Finding, Review
from apigen.review.grouping import owners_of
from apigen.review.mitigations import COMMON, lifecycle_of
from apigen.review.prover.regex import one_account
from apigen.review.results import (
    Direction,
    Effect,
    Impact,
    NestedChange,
    Preset,
    RuleResult,
    Severities,
    Severity,
    breaks,
    depends,
)
from apigen.review.rules.registry import RULES, rule_texts, select_rule
from apigen.review.rules.rule import ChangeRule, Rule, StateRule

_LENGTH = 16
"""Hexadecimal digits of a fingerprint."""

_OF_RESPONSES = "counterexamples are requests, and the change is about responses"
_OF_BYTES = "counterexamples are JSON, and the review is about protobuf bytes"


def fingerprint(rule: str, element: Element, old: str, new: str) -> str:
    """Return the hash of rule, element, old and new value.

    Locations and messages are not included, so that a reworded message does not invalidate approvals.
    """
    parts = [
        rule,
        *(str(part) for part in (element.kind, element.group, element.version, element.type, element.path)),
        old,
        new,
    ]
    return sha256("\0".join(parts).encode("utf-8", "surrogatepass"))[:_LENGTH]


def review(
    old: Surface,
    new: Surface,
    preset: Preset = Preset.API,
    rules: Iterable[Rule] = RULES,
    *,
    with_known_plans: bool = False,
) -> Review:
    """Compare two surfaces and evaluate every change. Two equal surfaces have no findings, except with `with_known_plans`:
    problems of plans that the base has, too.
    """
    of_changes = tuple(rule for rule in rules if isinstance(rule, ChangeRule))
    of_sides = tuple(rule for rule in rules if isinstance(rule, StateRule) and preset in rule.presets)
    if preset is Preset.BYTES:
        old = named_by_number(old, new)
    with one_account():
        changes = tuple(located_at_partners(compare(old, new), old, new))
        proposed = proposals(changes, old, new)
        context = Context(old, new, nested_evaluator(of_changes), preset)
        findings = [each for change in changes for each in _evaluated(change, of_changes, context, proposed)]
        findings.extend(
            each
            for rule in of_sides
            for each in _issues(rule, context, with_known=with_known_plans and rule.is_about_plans)
        )
    texts = rule_texts({each.rule for each in findings}, new.form)
    return Review(old, new, tuple(findings), len(changes), preset, texts, owners_of(findings, old, new))


def _evaluated(
    change: AnyChange, rules: tuple[ChangeRule, ...], context: Context, proposed: Mapping[Element, str]
) -> Iterator[Finding]:
    """Yield the finding of the first rule that handles a change, after mitigations; none if the preset excludes the rule."""
    rule, result = select_rule(change, rules, context)
    if context.preset not in rule.presets:
        return
    stability = context.stability(change.element)
    severity = _severity_of(result, rule.severities, stability)
    mitigations = (*COMMON, *rule.mitigated_by) if rule.is_excusable else rule.mitigated_by
    weighed = ((each, each.consider(change, result, context)) for each in mitigations if severity >= each.from_severity)
    considered = tuple(replace(found, name=each.name) for each, found in weighed if found is not None)
    effects = dict(result.effects)
    for each in considered:
        effects = each.apply_to(effects)
        if each.holds and each.at_most is not None:
            severity = min(severity, each.at_most)
    if result.effects and not effects:  # a proof for the whole schema
        result = replace(result, not_verified="")
    messages = None if rule.knows_messages else context.messages(change.element)
    if messages is not None:
        effects, severity = _of_messages(change, messages, effects, severity, context)
    is_response = context.messages(change.element) is Messages.RESPONSE
    untried = _OF_BYTES if context.preset is Preset.BYTES else _OF_RESPONSES if is_response else ""
    old, new = sides(change)
    yield Finding(
        rule=rule.id,
        element=change.element,
        severity=severity,
        stability=stability,
        result=_in_words_of(context.new, result),
        effects=effects,
        old=old,
        new=new,
        old_place=change.old_place,
        new_place=change.new_place,
        fingerprint=fingerprint(rule.id, change.element, old, new),
        considered=considered,
        proposal=proposed.get(change.element, "") if isinstance(change, Removed) else "",
        no_counterexample=rule.prose.no_counterexample or untried,
        kinds=context.kinds(change.element.type_name) if change.element.type else (),
        trait=change.trait if isinstance(change, Altered) and not change.keyword else None,
        keyword=change.keyword if isinstance(change, Altered) else None,
        lifecycle=lifecycle_of(change),
    )


def _in_words_of(surface: Surface, result: RuleResult) -> RuleResult:
    """Return a result without the patch if that is text of a spec, and the input is not."""
    return replace(result, patch="") if result.patch and not surface.is_of_specs else result


def _issues(rule: StateRule, context: Context, *, with_known: bool) -> Iterator[Finding]:
    """Yield the issues of the revision; only those that the base does not have, unless `with_known` is set."""
    issues = tuple(rule.check(context.new, context))
    if not issues:
        return
    known = set() if with_known else {(issue.element, issue.detail) for issue in rule.check(context.old, context)}
    for issue in issues:
        if (issue.element, issue.detail) in known:
            continue
        stability = context.stability(issue.element)
        severity = _severity_of(issue.result, rule.severities, stability)
        if context.messages(issue.element) is not None:  # rules of one side are about objects that are stored
            severity = min(severity, Severity.INFO)
        yield Finding(
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


_TYPES = frozenset({ElementKind.STRUCT, ElementKind.ENUM, ElementKind.ALIAS, ElementKind.KIND})

_STORED = {Direction.OLD_CLIENT: Direction.STORED, Direction.NEW_CLIENT: Direction.ROLLBACK}
"""The direction of storage that corresponds to each client direction, in which rules report effects on written values."""

_READS = {
    Direction.OLD_CLIENT: "older clients may read a response that their schema does not accept",
    Direction.NEW_CLIENT: "newer clients may read a response of an older server that their schema does not accept",
}
_IGNORES = {
    Direction.OLD_CLIENT: "older clients may read a response that is incomplete or has another meaning",
    Direction.NEW_CLIENT: "newer clients may read a response of an older server that is incomplete or has another meaning",
}
_SEVERITIES = {Impact.BREAKS: Severity.ERROR, Impact.DEPENDS: Severity.WARNING}


def _of_messages(
    change: AnyChange, messages: Messages, effects: Mapping[Direction, Effect], severity: Severity, context: Context
) -> tuple[dict[Direction, Effect], Severity]:
    """Return the effects and the severity of a change of requests or responses, given those for values in general.

    An added or removed type does not change a message; the field that refers to it does.
    """
    if change.element.kind in _TYPES and not isinstance(change, Altered) and not _is_root(change, context):
        return {}, Severity.SILENT
    if not effects:
        return {}, severity
    old, new = _of_writer(effects, Direction.OLD_CLIENT), _of_writer(effects, Direction.NEW_CLIENT)
    if messages is Messages.REQUEST:
        by_direction = {Direction.OLD_CLIENT: old, Direction.NEW_CLIENT: new}
    else:
        is_growth = isinstance(change, Added) and change.element.kind is ElementKind.ENUM_VALUE
        by_direction = {
            Direction.OLD_CLIENT: effects.get(Direction.OLD_CLIENT) if is_growth else _reads(Direction.OLD_CLIENT, new),
            Direction.NEW_CLIENT: _reads(Direction.NEW_CLIENT, old),
        }
    remaining = {direction: effect for direction, effect in by_direction.items() if effect is not None}
    on_older_clients = remaining.get(Direction.OLD_CLIENT)
    worst = Severity.INFO if on_older_clients is None else _SEVERITIES[on_older_clients.impact]
    if messages is Messages.REQUEST and worst is Severity.WARNING:
        worst = min(severity, worst)  # the rule weighs the same effect on the same clients
    return remaining, min(severity, worst) if severity in (Severity.SILENT, Severity.UNVERIFIED) else worst


def _is_root(change: AnyChange, context: Context) -> bool:
    """Return whether a removed schema is one of a document without operations, to which other documents refer."""
    if change.element.kind is not ElementKind.KIND or not isinstance(change, Removed):
        return False
    services = (service for version in context.old.versions() for service in version.services.values())
    return not any(service.methods for service in services)


def _of_writer(effects: Mapping[Direction, Effect], client: Direction) -> Effect | None:
    """The effects on values that a client writes. If stored values are safe, only clients that read them are affected."""
    stored, effect = effects.get(_STORED[client]), effects.get(client)
    if effect is not None and effect.impact is Impact.BREAKS:
        return effect
    return None if stored is None else effect or stored


def _reads(reader: Direction, written: Effect | None) -> Effect | None:
    """Return the effect on a reader of responses with values that the other side writes."""
    if written is None:
        return None
    return breaks(_READS[reader]) if written.impact is Impact.BREAKS else depends(_IGNORES[reader])


def _severity_of(result: RuleResult, severities: Severities, stability: Stability) -> Severity:
    """Return the severity of a result: below an error if it is not verified that anything breaks."""
    found = (result.severities or severities).at(stability)
    return min(found, Severity.UNVERIFIED) if result.not_verified else found


def nested_evaluator(rules: tuple[ChangeRule, ...]) -> Callable[[AnyChange, Context], NestedChange]:
    """Return the function that evaluates nested changes. Common mitigations are considered for the outer change only."""

    def evaluate(change: AnyChange, context: Context) -> NestedChange:
        rule, result = select_rule(change, rules, context)
        effects, severities = dict(result.effects), result.severities or rule.severities
        for mitigation in rule.mitigated_by:
            mitigated = mitigation.consider(change, result, context)
            if mitigated is not None and mitigated.holds:
                effects = mitigated.apply_to(effects)
                severities = severities if mitigated.at_most is None else severities.capped(mitigated.at_most)
        return NestedChange(change, result, effects, severities)

    return evaluate
