"""A description promises, or asks for, another thing."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.documentation.promises import changed
from apigen.compat.rules.rule import change_rule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict

_SHOWN = 6


@change_rule("promise-changed", altered(Trait.DOC), severities="W/W/W", is_excusable=False)
def promise_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What is not in the schema is in the description, and people hold on to it."""
    if not isinstance(change, Altered) or change.before is None or change.after is None:
        return None
    words = changed(str(change.before), str(change.after))
    if not words:
        return None
    said = ", ".join(words[:_SHOWN]) + (" and more" if len(words) > _SHOWN else "")
    hit = depends("on whether the behaviour changed with the words")
    return Verdict(
        f"the description of {change.element} changed in what it promises: {said}",
        {Direction.OLD_CLIENT: hit},
    )
