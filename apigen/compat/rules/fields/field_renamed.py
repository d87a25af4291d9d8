"""A field has another name and the number that it had."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.changes.renames import same_number
from apigen.compat.context import Context
from apigen.compat.rules.fields.placing import struct_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Field
from apigen.compat.values.arriving import example_of, removed_hits
from apigen.compat.values.hits import everywhere, joined
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldRenamed(ChangeRule):
    """In protobuf nothing happened; in JSON the field is another one."""

    id = "field-renamed"
    title = "a field of another name and the same number"
    severities = Severities.of("W/E/E")
    explanation = (
        "Protobuf knows fields by number, JSON by name. Clients that speak JSON no longer find the field and set one that"
        " nobody knows, and objects that are stored as JSON lose it. A new name is a new field of a new version, with a lens"
        " from the one to the other."
    )
    fix = "keep the name; in a new version write `hub: <old name>` at the new one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims both halves of such a pair: the removal tells it, the addition is silent."""
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
        return Verdict(words, hits, self.fix, examples=example_of(member, Side.OLD))
