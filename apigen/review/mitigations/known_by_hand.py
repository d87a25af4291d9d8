"""Constraints that code by hand enforced before they were generated, or enforces in their place."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.review.changes.change import Altered, AnyChange, Trait
from apigen.review.changes.words import value_words
from apigen.review.context import Context
from apigen.review.mitigations.mitigation import Mitigation, MitigationResult
from apigen.review.surface import Keyword, Slot
from apigen.review.verdict.impact import Direction
from apigen.review.verdict.severity import Severity
from apigen.review.verdict.verdict import Verdict

_TIGHTENED = frozenset({Direction.OLD_CLIENT, Direction.STORED})


class KnownByHand(Mitigation):
    """A side says by `enforcedByHand` that its own code refuses what the other side's generated code refuses.

    What both sides refuse is compared as a whole, by inclusion: code by hand that refused less excuses nothing. Kubernetes
    declares its validation like this: first beside the code that enforces it, then in its place.
    """

    name = "enforced by hand"

    def consider(self, change: AnyChange, verdict: Verdict, context: Context) -> MitigationResult | None:
        """Whether it holds; None for what is no constraint, and where no side says anything of code by hand."""
        if not isinstance(change, Altered) or change.trait is not Trait.CONSTRAINT or not verdict.hits:
            return None
        old, new, word = change.old, change.new, change.keyword
        if not isinstance(old, Slot) or not isinstance(new, Slot) or word in (None, Keyword.ENFORCED_BY_HAND):
            return None
        if not any(Keyword.ENFORCED_BY_HAND in slot.constraints for slot in (old, new)):
            return None
        from apigen.review.prover.enforced import refuses_no_more

        said = tuple(_said(old, new, word, context))
        if not said:
            return None
        reason = " and ".join(said)
        if not refuses_no_more(old, context.old, new, word):
            return MitigationResult(self.name, False, f"{reason}: that is not proven to refuse all that is refused now")
        if refuses_no_more(new, context.new, old, word):
            return MitigationResult(self.name, True, reason, clears=frozenset(Direction), at_most=Severity.INFO)
        if verdict.hits.keys() <= _TIGHTENED:
            return MitigationResult(self.name, True, reason, clears=_TIGHTENED, at_most=Severity.INFO)
        return MitigationResult(self.name, False, f"{reason}: that is not proven to refuse all that was refused")


def _said(old: Slot, new: Slot, word: Keyword, context: Context) -> Iterator[str]:
    """What the sides say of the keyword in code by hand."""
    from apigen.review.prover.enforced import by_hand

    for slot, when in ((old, "enforced it before"), (new, "enforces it now")):
        value = by_hand(slot.constraints).get(word)
        if value is not None:
            place = slot.constraints[Keyword.ENFORCED_BY_HAND].place
            yield f"code by hand {when} ({word}: {value_words(value)}, line {place.line})"
