"""A field that was required may be left out."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.presence.pair import MemberPair, members_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, Hits, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence


@change_rule("became-optional", altered(Trait.REQUIRED, ElementKind.FIELD), severities="I/W/E", presets=WIRE)
def became_optional(change: AnyChange, context: Context) -> Verdict | None:
    """Who counts on the field meets objects without it, and a server of before refuses them."""
    pair = members_of(change, context)
    if pair is None or pair.new.required:
        return None
    hits = joined((pair.passed.refusals, _readers(pair)))
    milder = Severities.of("I/W/W" if hits else "I/I/I")
    return Verdict(
        f"{change.element} may be left out, and was required",
        hits,
        severities=None if pair.refuses else milder,
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


def _readers(pair: MemberPair) -> Hits:
    if pair.new.presence in (Presence.PLAIN, Presence.NULLABLE):
        return {}
    return {Direction.OLD_CLIENT: depends("a client of before that counts on the field meets objects without it")}
