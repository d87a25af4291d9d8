"""A field is no longer written when there is nothing in it."""

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

_STEPS = {(Presence.PLAIN, Presence.OMIT_EMPTY), (Presence.NULLABLE, Presence.OPTIONAL)}


@change_rule("omit-empty-added", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/E", presets=JSON)
def omit_empty_added(change: AnyChange, context: Context) -> Verdict | None:
    """Generated code reads both alike; those who look at the JSON miss the member."""
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
