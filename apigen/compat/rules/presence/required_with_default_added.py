"""A required field was added, with a default for those who do not send it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.read_time_default import ReadTimeDefault
from apigen.compat.rules.claims import added
from apigen.compat.rules.fields.placing import added_field, hits_of_added
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.arriving import example_of
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Computed, member_of
from apigen.compat.values.text import shown
from apigen.compat.verdict.example import Missing, Side
from apigen.compat.verdict.impact import Direction, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "required-with-default-added",
    added(ElementKind.FIELD),
    severities="I/W/E",
    mitigated_by=(ReadTimeDefault(),),
    presets=WIRE,
)
def required_with_default_added(change: AnyChange, context: Context) -> Verdict | None:
    """By contract nobody may leave it out; whether anybody can depends on when the default is filled in."""
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
    return Verdict(unproven, hits, patch="optional: true", examples=examples, is_unproven=is_computed)


def _hits(default: str) -> Hits:
    return {
        Direction.OLD_CLIENT: breaks("a client of before does not send it, which the schema refuses"),
        Direction.STORED: depends(f"stored objects do not hold it, and mean {default} once it is filled in"),
    }
