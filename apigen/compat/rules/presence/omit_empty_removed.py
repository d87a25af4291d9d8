"""A field is written even when there is nothing in it."""

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

_STEPS = {(Presence.OMIT_EMPTY, Presence.PLAIN), (Presence.OPTIONAL, Presence.NULLABLE)}


class OmitEmptyRemoved(ChangeRule):
    """Generated code reads both alike; in server-side apply, who sends a member owns it."""

    id = "omit-empty-removed"
    title = "a field that is always written, and was left out when zero"
    severities = Severities.of("I/W/W")
    explanation = (
        "Readers that know the type notice nothing. But clients that apply objects now send the member always, and become an"
        " owner of it in server-side apply; and those who take a member that is there for one that was set are misled."
    )
    fix = "leave the field out when it is zero, as before"
    presets = JSON

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims fields that were left out when zero and are always written from now on."""
        pair = members_of(change, context)
        if pair is None or (pair.old.presence, pair.new.presence) not in _STEPS:
            return None
        hits = joined((pair.passed.hits, _readers(pair)))
        zero = "null" if pair.new.can_be_none else shown(pair.new.zero)
        return Verdict(
            f"{change.element} is written as {zero} when there is nothing in it, and was left out",
            hits,
            severities=Severities.of("W/E/E") if pair.breaks else None if hits else Severities.of("I/I/I"),
            examples=pair.passed.examples,
            is_unproven=pair.is_unproven,
        )


def _readers(pair: MemberPair) -> Hits:
    if pair.new.can_be_none or pair.form is Form.MOMENT:
        return {}
    shown_zero = shown(pair.new.zero)
    return {
        Direction.OLD_CLIENT: depends(f"a client of before finds {shown_zero} that nobody has set"),
        Direction.ROLLBACK: depends(f"stored objects hold {shown_zero}, and whoever applied it owns the field"),
    }
