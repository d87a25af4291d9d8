"""Select the rule for a change, and apply mitigations to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability
from apigen.review.changes.change import Added, Altered, AnyChange
from apigen.review.context import Context
from apigen.review.mitigations.registry import COMMON
from apigen.review.results import (
    Direction,
    Effect,
    Impact,
    MitigationResult,
    NestedChange,
    RuleResult,
    Severities,
    Severity,
    breaks,
    depends,
)
from apigen.review.rules.rule import ChangeRule
from apigen.review.rules.rule_selection import select_rule
from apigen.review.surface import Element, ElementKind, Messages

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


def group_messages(element: Element, context: Context) -> Messages | None:
    """Return whether an element is part of requests, responses or both; None for types of stored objects."""
    for side in (context.new, context.old):
        group = side.groups.get(element.group)
        if group is not None and group.messages is not None:
            return group.messages
    return None


def of_messages(
    change: AnyChange, messages: Messages, effects: Mapping[Direction, Effect], severity: Severity
) -> tuple[dict[Direction, Effect], Severity]:
    """Return the effects and the severity of a change of requests or responses, given those for values in general.

    An added or removed type does not change a message; the field that refers to it does.
    """
    if change.element.kind in _TYPES and not isinstance(change, Altered):
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
    return remaining, min(severity, worst) if severity in (Severity.SILENT, Severity.UNVERIFIED) else worst


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


@dataclass(frozen=True, slots=True)
class EvaluatedChange:
    """A change with its rule, and the result after mitigations."""

    rule: ChangeRule
    result: RuleResult
    stability: Stability
    severity: Severity
    effects: dict[Direction, Effect]
    considered: tuple[MitigationResult, ...]


def evaluate_change(change: AnyChange, rules: tuple[ChangeRule, ...], context: Context) -> EvaluatedChange:
    """Return the result of the first rule that handles a change; `unclassified-change` if no rule does."""
    rule, result = select_rule(change, rules, context)
    stability = context.stability(change.element)
    severity = severity_of(result, rule.severities, stability)
    considered = _considered(change, (rule, result, severity), context)
    effects = dict(result.effects)
    for each in considered:
        effects = each.apply_to(effects)
        if each.holds and each.at_most is not None:
            severity = min(severity, each.at_most)
    messages = None if rule.knows_messages else group_messages(change.element, context)
    if messages is not None:
        effects, severity = of_messages(change, messages, effects, severity)
    return EvaluatedChange(rule, result, stability, severity, effects, considered)


def severity_of(result: RuleResult, severities: Severities, stability: Stability) -> Severity:
    """Return the severity of a result: below an error if it is not verified that anything breaks."""
    found = (result.severities or severities).at(stability)
    return min(found, Severity.UNVERIFIED) if result.not_verified else found


def _considered(
    change: AnyChange, result_of_rule: tuple[ChangeRule, RuleResult, Severity], context: Context
) -> tuple[MitigationResult, ...]:
    rule, result, severity = result_of_rule
    mitigations = (*COMMON, *rule.mitigated_by) if rule.is_excusable else rule.mitigated_by
    weighed = (each.consider(change, result, context) for each in mitigations if severity >= each.from_severity)
    return tuple(each for each in weighed if each is not None)


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
