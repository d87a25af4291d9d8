"""An enum of protobuf took the place of a scalar, or the reverse."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, Named, Scalar, Scalars
from apigen.compat.values.wire import wire_form
from apigen.compat.verdict.impact import Impact
from apigen.compat.verdict.preset import WIRE, Preset
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-and-scalar-swapped", altered(Trait.TYPE), severities="W/E/E", presets=WIRE)
def enum_and_scalar_swapped(change: AnyChange, context: Context) -> Verdict | None:
    """Bytes have its number, JSON its name."""
    if not isinstance(change, Altered):
        return None
    sides = ((context.old, change.before), (context.new, change.after))
    if sorted(_form(surface, type_) for surface, type_ in sides) != ["enum", "scalar"]:
        return None
    message = f"{change.element} is {change.after} instead of {change.before}: an enum on one side only"
    if context.preset is Preset.BYTES and any(_is_number(each) for each in (change.before, change.after)):
        text = "may be a number that is none of the enum's values, or beyond the range of the scalar"
        return Verdict(message, hits_in(EVERYWHERE, text, Impact.DEPENDS), severities=Severities.of("I/W/W"))
    return Verdict(message, hits_in(EVERYWHERE, "is not read where it is JSON, or bytes of another form"))


def _is_number(type_: object) -> bool:
    return isinstance(type_, Scalar) and wire_form(type_.name) == wire_form(Scalars.INT32)


def _form(surface: Surface, type_: object) -> str:
    if isinstance(type_, Scalar):
        return "scalar"
    known = surface.type(type_.name) if isinstance(type_, Named) else None
    is_numbered = isinstance(known, Enum) and any(value.number is not None for value in known.values.values())
    return "enum" if is_numbered else "other"
