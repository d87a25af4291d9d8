"""A required field was added, with a default for those who do not send it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.fields.placing import added_field, hits_of_added
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.arriving import example_of
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Computed, member_of
from apigen.compat.values.text import shown
from apigen.compat.verdict.example import Missing, Side
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class RequiredWithDefaultAdded(ChangeRule):
    """By contract nobody may leave it out; whether anybody can depends on when the default is filled in."""

    id = "required-with-default-added"
    title = "a new required field that has a default"
    severities = Severities.of("I/W/E")
    explanation = (
        "A schema that requires the field refuses clients of before, which do not know it, unless its default is filled in"
        " before anything is judged. Where that is done whenever an object is read, and alike in all served versions, nothing"
        " is refused; but the contract still says that clients have to send it."
    )
    fix = "make the field optional: with a default that is filled in on reading it is never missing"
    presets = WIRE
    mitigations = (ReadTimeDefault(),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims added fields that are required and have a default."""
        field = added_field(change)
        if field is None or not field.required:
            return None
        member = member_of(context.new, field)
        if isinstance(member.default, Missing):
            return None
        is_computed = isinstance(member.default, Computed)
        default = member.default.text if isinstance(member.default, Computed) else shown(member.default)
        hits = joined((_hits(default), hits_of_added(member, change, context)))
        words = f"{change.element} was added as required, with the default {default}"
        unproven = f"{words}, and it is not known whether that always gives a value" if is_computed else words
        examples = example_of(member, Side.NEW)
        return Verdict(unproven, hits, self.fix, "optional: true", examples=examples, is_unproven=is_computed)


def _hits(default: str) -> Hits:
    return {
        Direction.OLD_CLIENT: breaks("a client of before does not send it, which the schema refuses"),
        Direction.STORED: depends(f"stored objects do not hold it, and mean {default} once it is filled in"),
    }
