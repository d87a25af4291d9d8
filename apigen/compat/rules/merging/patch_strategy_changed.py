"""Strategic merge patches do something else."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PatchStrategyChanged(ChangeRule):
    """Clients compute such patches by the strategy that they know, and servers apply them by theirs."""

    id = "patch-strategy-changed"
    title = "another patch strategy or patch merge key"
    severities = Severities.of("W/E/E")
    explanation = (
        "kubectl and other clients compute a strategic merge patch by the strategy and the key that they were built with. A"
        " server with others replaces where they meant to merge, or merges by another field, and says nothing."
    )
    fix = "keep strategy and key; server-side apply goes by the list type, which should agree with them"
    no_witness = "the objects are the same; only patches of them do something else"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims all such changes."""
        if not isinstance(change, Altered):
            return None
        before, after = value_words(change.before), value_words(change.after)
        text = f"a patch that was made for {before} is applied by {after}, or the reverse"
        hits = alike(breaks(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
        return Verdict(f"{change.trait.value} of {change.element} is {after}, and was {before}", hits)
