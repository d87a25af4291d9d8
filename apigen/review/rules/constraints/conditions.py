"""Constraints that depend on a mode or a feature gate."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.review.changes.change import Altered
from apigen.review.context import Context
from apigen.review.effects.member import quoted
from apigen.review.effects.validation import nested_in
from apigen.review.gating import switched_gates
from apigen.review.mitigations import ratcheting, ratcheting_before
from apigen.review.results import Effects, RuleResult, Severities
from apigen.review.rules.constraints.comparing import (
    CONDITIONAL,
    change_in_words,
    loosened_effects,
    tightened_effects,
)
from apigen.review.rules.constraints.schemas import Nested, nested_change
from apigen.review.rules.rule import Issue, change_rule, constraint, note, state_rule
from apigen.review.surface import Element, Keyword, Slot, Surface, slots_of


@change_rule(
    "conditional-constraint-tightened",
    constraint(*CONDITIONAL),
    severities="W/E/E",
    mitigated_by=(ratcheting, ratcheting_before),
)
def conditional_constraint_tightened(change: Altered, context: Context) -> RuleResult | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` reject more."""
    nested = nested_change(change, context)
    if not nested.tighter:
        return None
    loosened = (
        loosened_effects(f"a value that {quoted(dict.fromkeys(nested.looser))} rejected") if nested.looser else {}
    )
    tightened = tightened_effects(f"a value that violates {quoted(dict.fromkeys(nested.tighter))}")
    return _result(change, nested, {**loosened, **tightened})


def _result(change: Altered, nested: Nested, effects: Effects) -> RuleResult:
    names = quoted(dict.fromkeys((*nested.tighter, *nested.looser)))
    message = f"`{change.keyword}` of {change.element.words} changed for {names}"
    return RuleResult(message, effects, not_verified=", and ".join(nested.doubts))


@change_rule(
    "conditional-constraint-loosened", constraint(*CONDITIONAL), severities="I/W/W", mitigated_by=(ratcheting_before,)
)
def conditional_constraint_loosened(change: Altered, context: Context) -> RuleResult | None:
    """`ifEnabled`, `ifDisabled`, `ifMode` or `subfields` reject less."""
    nested = nested_change(change, context)
    if not nested.looser:
        return note(f"{change_in_words(change)}, without effect")
    return _result(change, nested, loosened_effects(f"a value that {quoted(nested.looser)} rejected"))


_IN_FORCE = {Keyword.IF_ENABLED: True, Keyword.IF_DISABLED: False}


@state_rule("conditional-constraint-switched", severities="W/E/E")
def conditional_constraint_switched(surface: Surface, context: Context) -> Iterator[Issue]:
    """`ifEnabled` and `ifDisabled` are the same, but their gate was enabled or disabled by default."""
    switched = switched_gates(context.old, context.new) if surface is context.new else {}
    for type_ in surface.types() if switched else ():
        old = context.old.type(type_.name)
        known = dict(slots_of(old)) if old is not None else {}
        for element, slot in slots_of(type_):
            if element in known:
                yield from _of_slot(element, known[element], slot, switched)


def _of_slot(element: Element, old: Slot, new: Slot, switched: dict[str, bool]) -> Iterator[Issue]:
    for word, in_force in _IN_FORCE.items():
        before, after = nested_in(old.constraints, word), nested_in(new.constraints, word)
        for gate in sorted(before.keys() & after.keys() & switched.keys()):
            result = _switched(element, gate, switched[gate], is_in_force=switched[gate] is in_force)
            yield Issue(element, new.constraints[word].place, result, f"{word} {gate}")


def _switched(element: Element, gate: str, is_enabled: bool, *, is_in_force: bool) -> RuleResult:
    state, was = ("enabled", "disabled") if is_enabled else ("disabled", "enabled")
    key = "ifEnabled" if is_enabled is is_in_force else "ifDisabled"
    gate_change = f"the feature gate changed from {was} to {state} by default"
    if not is_in_force:
        effects = loosened_effects(f"values that were rejected while {gate} was {was}")
        message = f"constraints of {element.words} under `{key}: {gate}` are no longer enforced: {gate_change}"
        return RuleResult(message, effects, severities=Severities.of("I/W/W"))
    message = f"constraints of {element.words} under `{key}: {gate}` are now enforced: {gate_change}"
    return RuleResult(message, tightened_effects(f"values that are rejected while {gate} is {state}"))
