"""A oneof is gone from a message."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Union
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class OneofRemoved(ChangeRule):
    """Generated code loses the oneof; what messages lose is told at the fields."""

    id = "oneof-removed"
    title = "a oneof that is gone"
    severities = Severities.of("I/W/E")
    explanation = (
        "Generated code has something for a oneof as a whole: a case, an interface, a method that says which"
        " member is set. It is gone with it. That its fields can be set together now is told at each field."
    )
    fix = "keep the oneof under its name"
    no_witness = "it is about generated code"
    presets = SOURCE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims oneofs; a new one changes nothing but what its members tell."""
        union = change.part if isinstance(change, Added | Removed) else None
        if not isinstance(union, Union) or not union.on_wire:
            return None
        if isinstance(change, Added):
            return silent(f"oneof {change.element} is new")
        return Verdict(f"oneof {change.element} is gone from generated code", NOTHING)
