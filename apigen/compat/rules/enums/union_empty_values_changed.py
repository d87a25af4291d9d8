"""The values of a discriminator that go with no member changed."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class UnionEmptyValuesChanged(ChangeRule):
    """Validation does not judge them; clients may."""

    id = "union-empty-values-changed"
    title = "values of a discriminator that go with no member"
    severities = Severities.of("I/I/W")
    explanation = (
        "`empty:` says which values of a discriminator have no member, so that none is missed. Validation leaves such values alone"
        " on both sides; a client that switches over all values meets one that it took for something else."
    )
    fix = "leave a value without a member as it was; a member that is added gets a value of its own"
    no_witness = "both sides accept the same objects"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims any change of them."""
        if not isinstance(change, Altered):
            return None
        words = f"the union of `{change.element.type}` has no member for {value_words(change.after)}, and had none for {value_words(change.before)}"
        text = "a client of before may look for a member, or for none, where it is the other way round"
        return Verdict(words, {Direction.OLD_CLIENT: depends(text)})
