"""A field got a default."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.waking import of_added, woken_at
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultAdded(ChangeRule):
    """What is left out meant nothing, and means something now."""

    id = "default-added"
    title = "a default for a field that had none"
    severities = Severities.of("W/W/E")
    explanation = (
        "Objects that were written without the field now have a value that nobody chose, as soon as they are"
        " read. Clients of before meet it, too. It is harmless where the server always took what is left out for"
        " this value."
    )
    fix = "default to what the server did so far with what is left out"
    presets = WIRE
    mitigations = (ReadTimeDefault(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims defaults where there were none."""
        pair = defaults_of(change, context)
        if pair is None or not (pair.before is None and pair.after is not None):
            return None
        hits = of_added(pair.hits, woken_at(context.new, context.old, change.element), ratchets=context.new.ratchets)
        return Verdict(
            f"{change.element} is {pair.after.text} by default, and had no default",
            hits,
            severities=None if hits else Severities.of("I/I/I"),
            examples=pair.examples,
            is_unproven=pair.is_unproven,
        )
