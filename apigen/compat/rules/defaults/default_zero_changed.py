"""A default became the zero value, or stopped being it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.defaults.words import is_zero_swap
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultZeroChanged(ChangeRule):
    """Zero is what many readers take for nothing, so this is worse than another number."""

    id = "default-zero-changed"
    title = "a default that became zero, or was zero"
    severities = Severities.of("W/E/E")
    explanation = (
        "A field that is left out when zero is not told from one that was never set: such objects get the default"
        " again whenever they are read. With a default of zero that does no harm, with another it overrules those"
        " who set zero."
    )
    fix = "keep the default; let zero be told from nothing with optional: true before it changes"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims changes of default to or from the zero value."""
        pair = defaults_of(change, context)
        if pair is None or not (is_zero_swap(pair)):
            return None
        return Verdict(
            f"{change.element} is {pair.after.text if pair.after else None} by default, and was {pair.before.text if pair.before else None}",
            pair.hits,
            severities=None if pair.hits else Severities.of("I/I/I"),
            examples=pair.examples,
            is_unproven=pair.is_unproven,
        )
