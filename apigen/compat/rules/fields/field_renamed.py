"""A field has another name and the number that it had."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.changes.renames import same_number
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.fields.placing import struct_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field
from apigen.compat.values.arriving import example_of, removed_hits
from apigen.compat.values.hits import everywhere, joined
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("field-renamed", removed(ElementKind.FIELD), added(ElementKind.FIELD), severities="W/E/E", presets=WIRE)
def field_renamed(change: AnyChange, context: Context) -> Verdict | None:
    """In protobuf nothing happened; in JSON the field is another one."""
    part = change.part if isinstance(change, Added | Removed) else None
    old, new = struct_of(context.old, change.element), struct_of(context.new, change.element)
    if not isinstance(part, Field) or old is None or new is None:
        return None
    if isinstance(change, Added):
        partner = same_number(part, old, new)
        words = f"{change.element} was {partner.name} before" if partner else ""
        return Verdict(words, {}, severities=Severities.of("-/-/-")) if partner else None
    partner = same_number(part, new, old)
    if partner is None:
        return None
    member = member_of(context.old_types, part)
    text = f"{part.name} in JSON is {partner.name} now, so what one side writes the other does not find"
    hits = joined((everywhere(breaks(text)), removed_hits(member, new.unknown)))
    words = f"{change.element} was renamed to {partner.name}; the number {part.number} stays"
    return Verdict(words, hits, examples=example_of(member, Side.OLD))
