"""Comparison of a whole schema, independently of changes of its parts."""

from __future__ import annotations

from apigen.review.changes.change import Added, Altered, AnyChange, Trait
from apigen.review.context import Context
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.results import Direction, Effects, Impact, MitigationResult, RuleResult, Severity, depends
from apigen.review.surface import Branch, EnumValue, Field, Keyword

_OF_VALUES = frozenset({Trait.TYPE, Trait.NULLABLE, Trait.FORM, Trait.UNKNOWN_FIELDS, Trait.REQUIRED})


_NOT_OF_VALUES = frozenset({Keyword.READ_ONLY, Keyword.WRITE_ONLY})


_ALL = frozenset(Direction)


_MAY_READ = {
    True: (Direction.OLD_CLIENT, depends("older clients may receive a value that no object could contain")),
    False: (
        Direction.NEW_CLIENT,
        depends("newer clients may receive a value of older objects that no object can contain any more"),
    ),
}
"""The remaining effect on clients if the whole schema keeps all values, and if it adds none."""


class WholeSchema(Mitigation):
    """A part of a JSON Schema changed, but the whole accepts the same values, no fewer, or no more.

    A direction in which a value would be rejected is then safe: accepted values still are (older clients that write, stored
    objects), or were before (newer clients that write, a rollback). Readers are only affected by additional values.
    """

    name = "whole schema"
    from_severity = Severity.WARNING  # the comparison is slow

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for changes that do not affect accepted values, and if nothing was verified."""
        if not result.effects or not context.new.schemas or not _is_of_values(change):
            return None
        step = context.whole_schemas.step(change.element, of_holder=_is_of_holder(change))
        if step is None:
            return None
        if not (step.keeps or step.adds_nothing):
            reason = step.given_up or ("" if result.not_verified else step.may_keep or step.may_add_nothing)
            return MitigationResult(self.name, False, f"not verified, because {reason}") if reason else None
        cleared = _cleared(result, step.keeps, step.adds_nothing)
        readers = {} if result.effects.keys() <= cleared else _readers(result, step.keeps)
        if not (cleared | readers.keys()) & result.effects.keys():
            return None
        at_most = Severity.INFO if result.effects.keys() <= cleared else None
        reason = _reason(step.keeps, step.adds_nothing)
        return MitigationResult(self.name, True, reason, cleared, instead=readers, at_most=at_most)


def _cleared(result: RuleResult, keeps: bool, adds_nothing: bool) -> frozenset[Direction]:
    if keeps and adds_nothing:
        return _ALL
    if keeps:
        return frozenset({Direction.STORED}) if Direction.ROLLBACK in result.effects else _ALL
    return frozenset({Direction.ROLLBACK}) if Direction.STORED in result.effects else _ALL


def _readers(result: RuleResult, keeps: bool) -> Effects:
    """Return the remaining effects on clients of the side whose values the other side accepts: they read its values."""
    direction, remaining = _MAY_READ[keeps]
    effect = result.effects.get(direction)
    return {} if effect is None or effect.impact is not Impact.BREAKS else {direction: remaining}


def _reason(keeps: bool, adds_nothing: bool) -> str:
    if keeps and adds_nothing:
        return "the whole schema accepts the same values as before"
    if keeps:
        return "the whole schema accepts every value that it accepted before"
    return "the whole schema accepts no value that it did not accept before"


def _is_of_holder(change: AnyChange) -> bool:
    """Return whether the containing object declares the constraint: a required field, alone or next to another one."""
    if isinstance(change, Altered):
        return change.trait is Trait.REQUIRED or change.keyword is Keyword.REQUIRES
    return isinstance(change.part, Field)


def _is_of_values(change: AnyChange) -> bool:
    """Return whether a change only affects which values are accepted, and not their meaning (defaults, removed fields)."""
    if isinstance(change, Altered):
        if change.trait is Trait.CONSTRAINT:
            return change.keyword not in _NOT_OF_VALUES
        return change.trait in _OF_VALUES
    if isinstance(change, Added) and isinstance(change.part, Field):
        return change.part.slot.default is None
    return isinstance(change.part, Branch | EnumValue)
