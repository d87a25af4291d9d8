"""A default became a rule that computes it, or stopped being one."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultComputedChanged(ChangeRule):
    """What a rule gives is not known from the spec alone."""

    id = "default-computed-changed"
    title = "a default that is computed, or no longer"
    severities = Severities.of("I/W/W")
    explanation = (
        "A value that stands in the spec is the same for every object. One that is computed from other fields, or"
        " by a function, need not give it for all of them, and cannot be compared here."
    )
    fix = "let the rule give the old value for all objects that could be there before"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims defaults of which one is computed, and those that are computed in another way."""
        pair = defaults_of(change, context)
        if pair is None or not (
            pair.before is not None and pair.after is not None and (pair.before.is_computed or pair.after.is_computed)
        ):
            return None
        return Verdict(
            f"the default of {change.element} is {pair.after.text}, and was {pair.before.text}; whether both give the same is not proven",
            pair.hits,
            severities=None if pair.hits else Severities.of("I/I/I"),
            examples=pair.examples,
            is_unproven=pair.is_unproven,
        )
