"""Whether a list, a map or bytes tell empty from nothing."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.presence.pair import MemberPair, members_of
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.member import Form
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("empty-collapse-changed", altered(Trait.PRESENCE, ElementKind.FIELD), severities="I/W/W", presets=WIRE)
def empty_collapse_changed(change: AnyChange, context: Context) -> Verdict | None:
    """An empty list and none at all are one to some, and two to others."""
    pair = members_of(change, context)
    if pair is None or not {pair.old.form, pair.new.form} & {Form.CONTAINER, Form.BYTES}:
        return None
    return Verdict(
        f"presence of {change.element} is {pair.new.presence.value} instead of {pair.old.presence.value}:"
        f" {'empty and nothing are no longer what they were' if pair.passed.hits else 'readers see no difference'}",
        pair.passed.hits,
        severities=_severities(pair),
        examples=pair.passed.examples,
        is_unproven=pair.is_unproven,
    )


def _severities(pair: MemberPair) -> Severities | None:
    """None for those of the rule. Bytes that were nothing and are empty from now on are as bad as a text."""
    if not pair.passed.hits:
        return Severities.of("I/I/I")
    is_lost = pair.old.form is pair.new.form is Form.BYTES and pair.was_pointer and not pair.is_pointer
    return Severities.of("W/E/E") if pair.breaks or is_lost else None
