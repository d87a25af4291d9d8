"""A constraint came, went or changed, and accepts what was accepted before."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.constraints.uniqueness import uniqueness_compared
from apigen.compat.rules.constraints.words import JUDGED_BY_VALUES, change_in_words
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class ConstraintWithoutEffect(ChangeRule):
    """Proven by inclusion both ways: the range of the type, another keyword or an equal pattern says the same."""

    id = "constraint-without-effect"
    title = "a constraint that says what was said already"
    severities = Severities.of("I/I/I")
    explanation = (
        "A pattern may be written in another way, a bound may follow from the type or from another keyword. Where all values of"
        " one side are proven to be values of the other, both ways, nobody can tell the two sides apart."
    )
    fix = "nothing has to be done"
    no_witness = "no object is judged differently"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims what is proven to change nothing."""
        found = constraint_change(change, *JUDGED_BY_VALUES)
        if found is None:
            return None
        both = uniqueness_compared(found, context)
        if both.tightens or both.loosens:
            return None
        return Verdict(f"{change_in_words(found)}, which accepts the same values", {})
