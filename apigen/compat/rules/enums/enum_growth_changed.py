"""An enum says something else of whether it may grow."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumGrowthChanged(ChangeRule):
    """`open: false` came or went: a promise, and no validation."""

    id = "enum-growth-changed"
    title = "an enum that took back, or gave, its word never to grow"
    severities = Severities.of("W/E/E")
    explanation = (
        "An enum with `open: false` will never have another value, so clients handle all of them and nothing else. Taking that"
        " back is what breaks them, before any value comes. To promise it later hurts nobody."
    )
    fix = "leave `open: false` where it was released"
    no_witness = "the same objects are accepted; what changes is what may come"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims both ways."""
        if not isinstance(change, Altered):
            return None
        name = change.element.type
        if change.after is True:
            return Verdict(f"`{name}` says that it never gets another value", {}, severities=Severities.of("I/I/I"))
        text = "a client of before handles all values and nothing else"
        return Verdict(
            f"`{name}` no longer says that it never gets another value", {Direction.OLD_CLIENT: depends(text)}
        )
