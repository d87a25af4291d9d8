"""Something is not deprecated any more."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.tombstones.echoes import is_echo
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.verdict.verdict import Verdict


@change_rule("undeprecated", altered(Trait.DEPRECATED), severities="I/I/I")
def undeprecated(change: AnyChange, context: Context) -> Verdict | None:
    """Who moved away did so for nothing."""
    if not isinstance(change, Altered) or change.after:
        return None
    message = f"{change.element} is not deprecated any more"
    return silent(message) if is_echo(change, context) else note(message, "")
