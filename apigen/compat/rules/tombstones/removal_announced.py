"""Something is to go, at a time that was not said before or is later."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.tombstones.elements import LIVING
from apigen.compat.rules.tombstones.gone_before import gone_before_hits
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.verdict import Verdict


@change_rule("removal-announced", altered(Trait.REMOVED, *LIVING), severities="I/I/I")
def removal_announced(change: AnyChange, context: Context) -> Verdict | None:
    """Users know until when they have time."""
    if not isinstance(change, Altered):
        return None
    if change.after is None:
        message = f"{change.element} was to go in {value_words(change.before)}, and stays"
    else:
        was = "" if change.before is None else f", and was to go in {value_words(change.before)}"
        message = f"{change.element} is to go in {value_words(change.after)}{was}"
    if is_echo(change, context):
        return silent(message)
    hits = gone_before_hits(change, context)
    return (
        Verdict(
            message,
            hits,
        )
        if hits
        else note(message, "")
    )
