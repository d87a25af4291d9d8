"""Constraints that hand-written code enforced before they were generated, or enforces instead."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.mitigations.mitigation import Mitigation
from apigen.review.results import Direction, MitigationResult, RuleResult, Severity
from apigen.review.surface import Keyword, Slot

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

        reasons = tuple(_enforcements(old, new, word, context))
        if not reasons:
            return None
        reason = " and ".join(reasons)
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


def _enforcements(old: Slot, new: Slot, word: Keyword, context: Context) -> Iterator[str]:
    """Yield what hand-written code of both sides enforces for the keyword."""
    from apigen.review.prover.enforced import by_hand

    for slot, when in ((old, "enforced it before"), (new, "enforces it now")):
        value = by_hand(slot.constraints).get(word)
        if value is not None:
            place = slot.constraints[Keyword.ENFORCED_BY_HAND].place
            yield f"hand-written code {when} (`{word}: {value_words(value)}`, line {place.line})"
