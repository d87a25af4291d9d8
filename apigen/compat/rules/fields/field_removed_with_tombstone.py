"""A field is gone, and its name and number never return."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.never_on import NeverOn
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.claims import removed
from apigen.compat.rules.fields.placing import holder_of, removed_field, tombstone_of
from apigen.compat.rules.fields.removal import removal_hits
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "field-removed-with-tombstone",
    removed(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(NeverOn(), WindowElapsed()),
    presets=WIRE,
)
def field_removed_with_tombstone(change: AnyChange, context: Context) -> Verdict | None:
    """Nothing will ever be taken for it; but what was stored in it is lost all the same."""
    field = removed_field(change)
    if field is None or not tombstone_of(holder_of(change), field.name):
        return None
    member = member_of(context.old_types, field)
    hits = removal_hits(change, field, context)
    words = f"{change.element} was removed, and left a tombstone"
    return Verdict(words, hits, examples=example_of(member, Side.OLD))
