"""A description says it in other words."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.verdict.verdict import Verdict


@change_rule("description-changed", altered(Trait.DOC), severities="I/I/I", is_excusable=False)
def description_changed(change: AnyChange, context: Context) -> Verdict | None:
    """It changes no object."""
    if not isinstance(change, Altered):
        return None
    how = "was added" if change.before is None else "was removed" if change.after is None else "changed"
    return note(f"the description of {change.element} {how}", "")
