"""A field is no longer written when there is nothing in it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.presence.pair import MemberPair, members_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Form
from apigen.compat.values.text import shown
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence

_STEPS = {(Presence.PLAIN, Presence.OMIT_EMPTY), (Presence.NULLABLE, Presence.OPTIONAL)}


class OmitEmptyAdded(ChangeRule):
    """Generated code reads both alike; those who look at the JSON miss the member."""

    id = "omit-empty-added"
    title = "a field that is left out when zero or null, and was written"
    severities = Severities.of("I/W/E")
    explanation = (
        "Readers that know the type take a member that is left out for zero, or for null. Those who look at the JSON itself,"
        " by JSONPath or in a language without types, do not find it any more. If zero is a value that counts, it can no"
        " longer be said where the field is required. null that is no longer written is equal to all readers."
    )
    fix = "leave the field written always, unless zero is no value that anybody would set"
    presets = JSON

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims fields that were always written and are not any more."""
        pair = members_of(change, context)
        if pair is None or (pair.old.presence, pair.new.presence) not in _STEPS:
            return None
        hits = joined((pair.passed.hits, _readers(pair)))
        zero = "null" if pair.old.can_be_none else shown(pair.old.zero)
        return Verdict(
            f"{change.element} is left out when it is {zero}, and was written",
            hits,
            severities=None if pair.breaks else Severities.of("I/W/W" if hits else "I/I/I"),
            examples=pair.passed.examples,
            is_unproven=pair.is_unproven,
        )


def _readers(pair: MemberPair) -> Hits:
    if pair.old.can_be_none or pair.form is Form.MOMENT:
        return {}
    text = (
        f"a client of before that reads the JSON without types does not find {shown(pair.old.zero)}, which is left out"
    )
    return {Direction.OLD_CLIENT: depends(text)}
