"""A field whose gate is alpha became another thing under the same name."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.gating import is_never_on, mark_of
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.resolving import behind, definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, ListOf, MapOf, Named, Scalar, Scalars, Struct, Type
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict

_TEXTS = frozenset({Scalars.STRING, Scalars.BYTES, Scalars.TIME, Scalars.MICRO_TIME, Scalars.DURATION})
_MIXED = frozenset(
    {Scalars.QUANTITY, Scalars.INT_OR_STRING, Scalars.RAW_EXTENSION, Scalars.ANYTHING, Scalars.FIELDS_V1}
)


@change_rule(
    "gated-field-reshaped",
    altered(Trait.TYPE, ElementKind.FIELD),
    altered(Trait.TYPE, ElementKind.ITEM),
    altered(Trait.TYPE, ElementKind.VALUE),
    severities="E/E/E",
    is_excusable=False,
)
def gated_field_reshaped(change: AnyChange, context: Context) -> Verdict | None:
    """Those who switched the gate on have objects with the old shape, and those who will do get the new one."""
    if not isinstance(change, Altered) or not _is_alpha(change.element, context):
        return None
    before, after = (
        _form(value, side)
        for value, side in ((change.before, context.old), (change.after, context.new))
        if isinstance(value, Type)
    )
    if not before or not after or before == after:
        return None
    hit = breaks(f"{change.element.path} is {before} on one side, and {after} on the other")
    was, now = value_words(change.before), value_words(change.after)
    message = (
        f"{change.element} was {was}, and is {now}, under the same name: its gate is alpha, and objects may have it"
    )
    return Verdict(
        message,
        dict.fromkeys(Direction, hit),
    )


def _is_alpha(element: Element, context: Context) -> bool:
    """Whether the gates of a field keep it out by default on both sides."""
    return all(is_never_on(mark_of(element, side), side) for side in (context.old, context.new))


def _form(type_: Type, side: Surface) -> str:
    """What a value looks like in JSON; empty where it may look like several."""
    match behind(side, type_):
        case Scalar(Scalars.BOOL):
            return "true or false"
        case Scalar(name) if name in _TEXTS:
            return "a text"
        case Scalar(name):
            return "" if name in _MIXED or name is Scalars.NULL else "a number"
        case ListOf():
            return "a list"
        case MapOf():
            return "an object"
        case Named() as named:
            return {Struct: "an object", Enum: "a text"}.get(type(definition(side, named)), "")
    return ""
