"""Something is deprecated, or was."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.verdict import Verdict


@change_rule("deprecated", altered(Trait.DEPRECATED), severities="I/I/I")
def deprecated(change: AnyChange, context: Context) -> Verdict | None:
    """It is there as ever; users are told."""
    if not isinstance(change, Altered) or not change.after:
        return None
    message = f"{change.element} is deprecated{_since(change)}"
    return silent(message) if is_echo(change, context) else note(message, "")


def _since(change: Altered) -> str:
    after = "" if change.after is True else f" in {value_words(change.after)}"
    before = "" if change.before in (None, False, True) else f", and was in {value_words(change.before)}"
    return f"{after}{before}"
