"""A server does something else to objects before it stores them."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.rules.verdicts import silent
from apigen.compat.surface.surface import Kind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import API
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class StrategyChanged(ChangeRule):
    """What create and update keep, reset or set decides what becomes of what a client sends."""

    id = "strategy-changed"
    title = "what is done to objects of a kind before they are stored"
    severities = Severities.of("I/W/W")
    explanation = (
        "A strategy keeps fields as they were, resets or sets them, and counts changes as generations. A client that"
        " sends a field which is kept or reset from now on has it dropped without an error, and one that relied on that"
        " finds its value stored. Controllers wait for the generation that they know to move."
    )
    fix = "announce it, and let the server warn whoever sends what it drops for a release before"
    no_witness = "a strategy works on the way into the store, which encoding and decoding do not show"
    presets = API

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims kinds with another strategy; some forms of inputs say nothing of them."""
        if not isinstance(change, Altered) or not isinstance(change.old, Kind) or not isinstance(change.new, Kind):
            return None
        if change.old.strategy is None or change.new.strategy is None:
            return silent("one side says nothing of strategies")
        before, after = dict(change.old.strategy), dict(change.new.strategy)
        changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
        words = "; ".join(
            f"{name}: {value_words(after.get(name))}, and was {value_words(before.get(name))}" for name in changed
        )
        text = f"an object of kind {change.element.type} is stored in another way"
        hits = {
            Direction.OLD_CLIENT: depends(f"{text} than a client of before expects"),
            Direction.NEW_CLIENT: depends(f"{text} by a server of before than a new client expects"),
        }
        return Verdict(f"the strategy of kind {change.element.type} says of {words}", hits)
