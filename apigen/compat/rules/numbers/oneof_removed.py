"""A oneof is gone from a message."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.numbers.words import NOTHING, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Union
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict


@change_rule("oneof-removed", removed(ElementKind.UNION), added(ElementKind.UNION), severities="I/W/E", presets=SOURCE)
def oneof_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Generated code loses the oneof; what messages lose is told at the fields."""
    union = change.part if isinstance(change, Added | Removed) else None
    if not isinstance(union, Union) or not union.on_wire:
        return None
    if isinstance(change, Added):
        return silent(f"oneof {change.element} is new")
    return Verdict(f"oneof {change.element} is gone from generated code", NOTHING)
