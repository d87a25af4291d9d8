"""Users are sent elsewhere."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.verdict import Verdict


@change_rule("replacement-changed", altered(Trait.REPLACEMENT), severities="I/I/I")
def replacement_changed(change: AnyChange, context: Context) -> Verdict | None:
    """It is advice, and changes nothing."""
    if not isinstance(change, Altered):
        return None
    was = "" if change.before is None else f", and was {value_words(change.before)}"
    now = "not said any more" if change.after is None else value_words(change.after)
    message = f"the replacement of {change.element} is {now}{was}"
    return silent(message) if is_echo(change, context) else note(message, "")
