"""A field can no longer be nothing: what is left out is zero."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.presence.pair import members_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class PointerRemoved(ChangeRule):
    """Who left the field out meant something else than zero, and can no longer say so."""

    id = "pointer-removed"
    title = "a field that no longer tells nothing from zero"
    severities = Severities.of("W/E/E")
    explanation = (
        "Before, a field left out was told from one that is zero. Now both are zero, in stored objects, too: what was nothing"
        " becomes zero when it is next written, and a zero that was set becomes nothing to whoever still tells the two apart."
    )
    fix = "keep the field optional; a default says what is meant by leaving it out"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims presences that could be nothing before and cannot after."""
        pair = members_of(change, context)
        if pair is None or not pair.was_pointer or pair.is_pointer:
            return None
        return Verdict(
            f"{change.element} is zero when left out, and was nothing",
            pair.passed.hits,
            severities=None if pair.passed.hits else Severities.of("I/I/I"),
            examples=pair.passed.examples,
            is_unproven=pair.is_unproven,
        )
