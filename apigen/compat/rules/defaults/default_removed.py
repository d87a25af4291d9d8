"""A field lost its default."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.waking import of_removed, woken_at
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultRemoved(ChangeRule):
    """What is left out meant something, and means nothing now."""

    id = "default-removed"
    title = "a field that lost its default"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients that leave the field out rely on its default, mostly without knowing. Stored objects without the"
        " field meant the default, and mean nothing from now on."
    )
    fix = "keep the default; what is to be chosen by everybody is required in a new version"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims defaults that are gone."""
        pair = defaults_of(change, context)
        if pair is None or not (pair.before is not None and pair.after is None):
            return None
        hits = of_removed(pair.hits, woken_at(context.old, context.new, change.element), ratchets=context.old.ratchets)
        return Verdict(
            f"{change.element} has no default, and was {pair.before.text} by default",
            hits,
            severities=None if hits else Severities.of("I/I/I"),
            examples=pair.examples,
            is_unproven=pair.is_unproven,
        )
