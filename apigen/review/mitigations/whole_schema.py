"""What a schema accepts as a whole, whatever became of its parts."""

from __future__ import annotations

from apigen.review.changes.change import Added, Altered, AnyChange, Trait
from apigen.review.context import Context
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.surface import Branch, EnumValue, Field, Keyword
from apigen.review.verdict.impact import Direction, Effects, Impact, depends
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict

_OF_VALUES = frozenset({Trait.TYPE, Trait.NULLABLE, Trait.FORM, Trait.UNKNOWN_FIELDS, Trait.REQUIRED})
_NOT_OF_VALUES = frozenset({Keyword.READ_ONLY, Keyword.WRITE_ONLY})
_ALL = frozenset(Direction)
_MAY_READ = {
    True: (Direction.OLD_CLIENT, depends("a client of before may read a value that no object could have")),
    False: (
        Direction.NEW_CLIENT,
        depends("a new client may read a value of before that no object can have any longer"),
    ),
}
"""What is left for a client where the whole keeps all values, and where it adds none."""


class WholeSchema(Mitigation):
    """A part of a JSON Schema says something else, and the whole accepts the same, or no less, or no more.

    A direction in which a value would be refused is then safe: what was accepted still is (an old client that writes, what
    is stored), or what is accepted now was before (a new client that writes, a rollback). Whoever reads is hurt by what is
    accepted in addition, and by nothing else.
    """

    name = "whole schema"
    from_severity = Severity.WARNING  # a proof takes its time

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for what is no matter of which values are accepted, and where nothing came of looking for a proof."""
        if not verdict.hits or not context.new.schemas or not _is_of_values(change):
            return None
        step = context.whole_schemas.step(change.element, of_holder=_is_of_holder(change))
        if step is None:
            return None
        if not (step.keeps or step.adds_nothing):
            reason = step.given_up or ("" if verdict.not_verified else step.may_keep or step.may_add_nothing)
            return MitigationResult(self.name, False, f"not proven: {reason}") if reason else None
        cleared = _cleared(verdict, step.keeps, step.adds_nothing)
        readers = {} if verdict.hits.keys() <= cleared else _readers(verdict, step.keeps)
        if not (cleared | readers.keys()) & verdict.hits.keys():
            return None
        at_most = Severity.INFO if verdict.hits.keys() <= cleared else None
        reason = _reason(step.keeps, step.adds_nothing)
        return MitigationResult(self.name, True, reason, cleared, instead=readers, at_most=at_most)


def _cleared(verdict: Verdict, keeps: bool, adds_nothing: bool) -> frozenset[Direction]:
    if keeps and adds_nothing:
        return _ALL
    if keeps:
        return frozenset({Direction.STORED}) if Direction.ROLLBACK in verdict.hits else _ALL
    return frozenset({Direction.ROLLBACK}) if Direction.STORED in verdict.hits else _ALL


def _readers(verdict: Verdict, keeps: bool) -> Effects:
    """What is left for clients of the side of which everything is accepted by the other: they read from it."""
    direction, left = _MAY_READ[keeps]
    hit = verdict.hits.get(direction)
    return {} if hit is None or hit.impact is not Impact.BREAKS else {direction: left}


def _reason(keeps: bool, adds_nothing: bool) -> str:
    if keeps and adds_nothing:
        return "the schema as a whole accepts the same values as before"
    if keeps:
        return "the schema as a whole accepts every value that it accepted before"
    return "the schema as a whole accepts no value that it did not accept before"


def _is_of_holder(change: AnyChange) -> bool:
    """Whether the object around a member says it: that it has to be there, alone or beside another one."""
    if isinstance(change, Altered):
        return change.trait is Trait.REQUIRED or change.keyword is Keyword.REQUIRES
    return isinstance(change.part, Field)


def _is_of_values(change: AnyChange) -> bool:
    """Whether a change does no more than to accept other values. What becomes of a value is another matter: defaults, removed members."""
    if isinstance(change, Altered):
        if change.trait is Trait.CONSTRAINT:
            return change.keyword not in _NOT_OF_VALUES
        return change.trait in _OF_VALUES
    if isinstance(change, Added) and isinstance(change.part, Field):
        return change.part.slot.default is None
    return isinstance(change.part, Branch | EnumValue)
