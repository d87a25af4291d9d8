"""Strategic merge patches do something else."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "patch-strategy-changed", altered(Trait.PATCH_STRATEGY), altered(Trait.PATCH_MERGE_KEY), severities="W/E/E"
)
def patch_strategy_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Clients compute such patches by the strategy that they know, and servers apply them by theirs."""
    if not isinstance(change, Altered):
        return None
    before, after = value_words(change.before), value_words(change.after)
    text = f"a patch that was made for {before} is applied by {after}, or the reverse"
    hits = alike(breaks(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
    return Verdict(f"{change.trait.value} of {change.element} is {after}, and was {before}", hits)
