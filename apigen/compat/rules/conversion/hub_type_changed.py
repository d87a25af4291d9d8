"""A type has another name in the hub."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.preset import Preset
from apigen.compat.verdict.verdict import Verdict


@change_rule("hub-type-changed", altered(Trait.HUB_NAME, ElementKind.STRUCT), severities="I/W/W")
def hub_type_changed(change: AnyChange, context: Context) -> Verdict | None:
    """The hub is never written: only code sees it."""
    if not isinstance(change, Altered):
        return None
    before, after = (value_words(each or change.element.type) for each in (change.before, change.after))
    message = f"{change.element.type} of {change.element.version} is {after} in the hub, and was {before}"
    if context.preset is not Preset.SOURCE:
        return note(message, "nothing")
    hit = depends(f"code of the server that names the hub's class {before} does not load")
    return Verdict(
        message,
        {Direction.OLD_CLIENT: hit},
    )
