"""Which gates a default asks has changed."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.default_gates_off import DefaultGatesOff
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.defaults.words import gates_of, named
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultDependsOnGate(ChangeRule):
    """Two servers with other gates give the same object two meanings."""

    id = "default-depends-on-gate"
    title = "a default that asks other gates"
    severities = Severities.of("W/W/E")
    explanation = (
        "While servers are upgraded or rolled back, and wherever gates differ, the same object without the field"
        " means two things. What was filled in by one is stored, and the other does not take it back."
    )
    fix = "let the default hold whatever gates are on, and have the gate guard the field instead"
    presets = WIRE
    mitigations = (DefaultGatesOff(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims defaults that ask other gates than before."""
        pair = defaults_of(change, context)
        if pair is None or gates_of(pair.before) == gates_of(pair.after):
            return None
        return Verdict(
            f"the default of {change.element} asks {named(pair.after)}, and asked {named(pair.before)}",
            pair.hits,
            severities=None if pair.hits else Severities.of("I/I/I"),
            examples=pair.examples,
            is_unproven=pair.is_unproven,
        )
