"""A type that is new."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "type-added", added(ElementKind.STRUCT), added(ElementKind.ENUM), added(ElementKind.ALIAS), severities="I/I/I"
)
def type_added(change: AnyChange, context: Context) -> Verdict | None:
    """What it does is what the fields do that name it."""
    if not isinstance(change, Added):
        return None
    element = change.element
    return note(f"{element.kind} {element.type} is new in {element.group or 'core'}/{element.version}", "")
