"""Fields became members of a union."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.mitigations.ratcheting import Ratcheting
from apigen.compat.rules.claims import added
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("union-added", added(ElementKind.UNION), severities="W/E/E", mitigated_by=(Ratcheting(),))
def union_added(change: AnyChange, context: Context) -> Verdict | None:
    """A union among new fields hurts nobody; among those of before it excludes what was valid."""
    found = union_change(change, context)
    if found is None or not isinstance(change, Added) or found.new is None:
        return None
    names = ", ".join(f"`{name}`" for name in found.new.members)
    if found.effect.refused is not None or found.effect.accepted is not None:
        how = "" if found.old is None else f", instead of {', '.join(f'`{name}`' for name in found.old.members)}"
        message = f"{names} of `{change.element.type}` are members of a union{how}"
        return Verdict(message, found.hits, examples=found.examples)
    message = f"{names} of `{change.element.type}` are members of a union that refuses no object of before"
    hit = depends("a server of before does not judge whether members exclude each other")
    return Verdict(message, {Direction.NEW_CLIENT: hit}, severities=Severities.of("I/I/I"))
