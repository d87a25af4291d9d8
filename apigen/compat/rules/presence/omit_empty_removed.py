"""A field is written even when there is nothing in it."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.presence.pair import MemberPair, members_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import joined
from apigen.compat.values.member import Form
from apigen.compat.values.text import shown
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence

_STEPS = {(Presence.OMIT_EMPTY, Presence.PLAIN), (Presence.OPTIONAL, Presence.NULLABLE)}


@change_rule("omit-empty-removed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=JSON)
def omit_empty_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Generated code reads both alike; in server-side apply, who sends a member owns it."""
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
