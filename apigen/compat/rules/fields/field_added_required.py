"""A field that has to be set was added."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.added_everywhere import AddedEverywhere
from apigen.compat.rules.claims import added
from apigen.compat.rules.fields.placing import added_field, hits_of_added
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Missing, Side
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "field-added-required",
    added(ElementKind.FIELD),
    severities="W/E/E",
    mitigated_by=(AddedEverywhere(),),
    presets=WIRE,
)
def field_added_required(change: AnyChange, context: Context) -> Verdict | None:
    """Nobody who does not know the field can send it, and no stored object has it."""
    field = added_field(change)
    if field is None:
        return None
    member = member_of(context.new, field)
    hits = hits_of_added(member, change, context)
    old_client = hits.get(Direction.OLD_CLIENT)
    if old_client is None or old_client.impact is not Impact.BREAKS:
        return None
    if field.required and not isinstance(member.default, Missing):
        return None
    what = "is required" if field.required else "is refused when it is left out"
    return Verdict(
        f"{change.element} was added, and {what}",
        hits,
        patch="optional: true",
        examples=example_of(member, Side.NEW),
    )
