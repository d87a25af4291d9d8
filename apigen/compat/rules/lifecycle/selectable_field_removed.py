"""A field that lists could be filtered by is not one any more."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.lifecycle.entries import Entries
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("selectable-field-removed", altered(Trait.SELECTABLE_FIELDS, ElementKind.KIND), severities="I/I/W")
def selectable_field_removed(change: AnyChange, context: Context) -> Verdict | None:
    """A list with that selector is refused."""
    if not isinstance(change, Altered):
        return None
    entries = Entries.of(change)
    message = f"selectable fields of {change.element.type} changed: {entries.words}"
    if entries.gone:
        label = entries.gone[0].split(":")[0]
        hit = depends(f"a client that selects by {label} is refused")
        return Verdict(message, {Direction.OLD_CLIENT: hit}, patch=f"selectableFields: {{{entries.gone[0]}}}")
    return note(message, "nothing")
