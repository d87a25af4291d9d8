"""A field has another default."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.defaults.pair import defaults_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultChanged(ChangeRule):
    """What is left out means something else than it did."""

    id = "default-changed"
    title = "another default"
    severities = Severities.of("W/E/E")
    explanation = (
        "The same request has another result after the upgrade, and stored objects that do not hold the field"
        " change their meaning. A default is as much a part of an API as a name. (Kubernetes API changes,"
        " defaulting)"
    )
    fix = "keep the default, and use the other one in a new version, with a lens that writes it out"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims what is left of changes of defaults."""
        pair = defaults_of(change, context)
        if pair is None or not (pair.before is not None and pair.after is not None):
            return None
        return Verdict(
            f"{change.element} is {pair.after.text} by default, and was {pair.before.text}",
            pair.hits,
            severities=None if pair.hits else Severities.of("I/I/I"),
            examples=pair.examples,
            is_unproven=pair.is_unproven,
        )
