"""The mitigations that are evaluated for every rule about a change, in addition to its own, and the registry of them."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.review.changes.change import Added, Altered, AnyChange, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.gating import OF_TYPES
from apigen.review.mitigations.gates import GateDisabled
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.results import CLIENTS, Direction, Effects, Impact, RuleResult, Severity, depends
from apigen.review.surface import Branch, Element, EnumValue, Field, Keyword, Slot

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
    direction, left = _MAY_READ[keeps]
    effect = result.effects.get(direction)
    return {} if effect is None or effect.impact is not Impact.BREAKS else {direction: left}


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


class Unreachable(Mitigation):
    """No served or stored kind of either side uses the type, so no request and no object contains it.

    It does not apply to versions without kinds: other projects may use types of a library, or of an input without kinds.
    Objects of a kind that is no longer served may still be stored: then only clients are safe.
    """

    name = "unused type"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None if a kind uses the type, and if there are no kinds."""
        element = change.element
        if element.kind not in OF_TYPES or not result.effects or not _has_kinds(element, context):
            return None
        name = element.type_name
        if context.old_reach.kinds(name) or context.new_reach.kinds(name):
            return None
        unserved = sorted(context.old_known.kinds(name) | context.new_known.kinds(name))
        if unserved:
            reason = f"only {unserved[0]} uses `{element.type}` and is not served, but objects may be stored"
            return MitigationResult(self.name, True, reason, clears=frozenset(CLIENTS))
        reason = f"no served or stored kind uses `{element.type}`"
        return MitigationResult(self.name, True, reason, clears=frozenset(Direction), at_most=Severity.INFO)


def _has_kinds(element: Element, context: Context) -> bool:
    """Return whether the version of the element has kinds on all sides that have the version."""
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    there = [version for version in versions if version is not None]
    return bool(there) and all(version.kinds for version in there)


_TIGHTENED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class HandWrittenValidation(Mitigation):
    """A side declares with `enforcedByHand` that its hand-written code rejects what generated code of the other side rejects.

    The rejected values of both sides are compared as a whole. Kubernetes declares its validation in this way: first next to
    the code that enforces it, then in its place.
    """

    name = "enforced by hand"

    def consider(self, change: AnyChange, result: RuleResult, context: Context) -> MitigationResult | None:
        """Return whether it applies; None for other changes, and without `enforcedByHand`."""
        if not isinstance(change, Altered) or change.trait is not Trait.CONSTRAINT or not result.effects:
            return None
        old, new, word = change.old, change.new, change.keyword
        if not isinstance(old, Slot) or not isinstance(new, Slot) or word in (None, Keyword.ENFORCED_BY_HAND):
            return None
        if not any(Keyword.ENFORCED_BY_HAND in slot.constraints for slot in (old, new)):
            return None
        from apigen.review.prover.enforced import rejects_no_more

        said = tuple(_said(old, new, word, context))
        if not said:
            return None
        reason = " and ".join(said)
        if not rejects_no_more(old, context.old, new, word):
            return MitigationResult(
                self.name, False, f"{reason}, but it may not reject all values that are rejected now"
            )
        if rejects_no_more(new, context.new, old, word):
            return MitigationResult(self.name, True, reason, clears=frozenset(Direction), at_most=Severity.INFO)
        if result.effects.keys() <= _TIGHTENED:
            return MitigationResult(self.name, True, reason, clears=_TIGHTENED, at_most=Severity.INFO)
        return MitigationResult(
            self.name, False, f"{reason}, but it may not reject all values that were rejected before"
        )


def _said(old: Slot, new: Slot, word: Keyword, context: Context) -> Iterator[str]:
    """Yield what hand-written code of both sides enforces for the keyword."""
    from apigen.review.prover.enforced import by_hand

    for slot, when in ((old, "enforced it before"), (new, "enforces it now")):
        value = by_hand(slot.constraints).get(word)
        if value is not None:
            place = slot.constraints[Keyword.ENFORCED_BY_HAND].place
            yield f"hand-written code {when} (`{word}: {value_words(value)}`, line {place.line})"


COMMON: tuple[Mitigation, ...] = (GateDisabled(), Unreachable(), HandWrittenValidation(), WholeSchema())
