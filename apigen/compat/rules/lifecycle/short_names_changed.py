"""A kind has other short names or categories."""

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


@change_rule(
    "short-names-changed",
    altered(Trait.SHORT_NAMES, ElementKind.KIND),
    altered(Trait.CATEGORIES, ElementKind.KIND),
    severities="I/W/W",
)
def short_names_changed(change: AnyChange, context: Context) -> Verdict | None:
    """People and scripts type them."""
    if not isinstance(change, Altered):
        return None
    entries = Entries.of(change)
    message = f"{change.trait} of kind {change.element.type} changed: {entries.words}"
    if not entries.gone:
        return note(message, "nothing")
    hit = depends(f"a script that types {entries.gone[0]} is not understood any more")
    return Verdict(
        message,
        {Direction.OLD_CLIENT: hit},
    )
