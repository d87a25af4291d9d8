"""A new field has the number of one that is gone."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import Field, Struct
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict


@change_rule("field-number-reused", added(ElementKind.FIELD), severities="E/E/E", presets=WIRE, is_excusable=False)
def field_number_reused(change: AnyChange, context: Context) -> Verdict | None:
    """Bytes of the old field are read as the new one."""
    field = change.part if isinstance(change, Added) else None
    if not isinstance(field, Field) or field.number is None:
        return None
    old, new = context.old.type(change.element.type_name), context.new.type(change.element.type_name)
    if not isinstance(old, Struct) or not isinstance(new, Struct):
        return None
    was = next((each for each in old.fields.values() if each.number == field.number and each.via == field.via), None)
    if was is None or (was.name not in new.fields and was.slot.type == field.slot.type):
        return None
    message = f"{change.element} has the number {field.number}, which was that of {was.name} ({was.slot.type})"
    return Verdict(
        message,
        hits_in(EVERYWHERE, f"has {was.name} or {field.name} under a number that is the other one to the reader"),
    )
