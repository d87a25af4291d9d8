"""A new field has the number of one that is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Field, Struct
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class FieldNumberReused(ChangeRule):
    """Bytes of the old field are read as the new one."""

    id = "field-number-reused"
    title = "a number that another field had"
    severities = Severities.of("E/E/E")
    explanation = (
        "Stored bytes and clients of before still hold the old field under this number. Read as the new field"
        " they are refused, or are taken for a value that nobody wrote. A field of the same type is taken for one"
        " that was renamed, which is told as the removal and the addition that it is in JSON."
    )
    fix = "take a number that was never used, and reserve the old one"
    presets = WIRE
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims new fields whose number another one of the type had, unless that one was of the same type and is gone."""
        field = change.part if isinstance(change, Added) else None
        if not isinstance(field, Field) or field.number is None:
            return None
        old, new = context.old.type(change.element.type_name), context.new.type(change.element.type_name)
        if not isinstance(old, Struct) or not isinstance(new, Struct):
            return None
        was = next(
            (each for each in old.fields.values() if each.number == field.number and each.via == field.via), None
        )
        if was is None or (was.name not in new.fields and was.slot.type == field.slot.type):
            return None
        message = f"{change.element} has the number {field.number}, which was that of {was.name} ({was.slot.type})"
        return Verdict(
            message,
            hits_in(EVERYWHERE, f"has {was.name} or {field.name} under a number that is the other one to the reader"),
        )
