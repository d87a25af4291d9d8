"""A field that has to be set was added."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.added_everywhere import AddedEverywhere
from apigen.compat.rules.fields.placing import added_field, hits_of_added
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.arriving import example_of
from apigen.compat.values.member import member_of
from apigen.compat.verdict.example import Missing, Side
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldAddedRequired(ChangeRule):
    """Nobody who does not know the field can send it, and no stored object has it."""

    id = "field-added-required"
    title = "a new field without which objects are refused"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients of before do not know the field, so each of their requests is refused, and stored objects are no longer"
        " valid. The same happens where the field is not called required, but its zero value violates its own constraints,"
        " or a field inside it is required. Kubernetes' API changes allow required fields in new versions only."
    )
    fix = "make the field optional, or give it a default that is filled in when objects are read"
    patch = "optional: true"
    presets = WIRE
    mitigations = (AddedEverywhere(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims added fields without which an object is refused, and those that a schema requires, without a default."""
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
            self.fix,
            self.patch,
            examples=example_of(member, Side.NEW),
        )
