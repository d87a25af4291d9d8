"""A field whose gate is alpha became another thing under the same name."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.gating import is_never_on, mark_of
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.elements import Element
from apigen.compat.surface.resolving import behind, definition
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, ListOf, MapOf, Named, Scalar, Scalars, Struct, Type
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_TEXTS = frozenset({Scalars.STRING, Scalars.BYTES, Scalars.TIME, Scalars.MICRO_TIME, Scalars.DURATION})
_MIXED = frozenset(
    {Scalars.QUANTITY, Scalars.INT_OR_STRING, Scalars.RAW_EXTENSION, Scalars.ANYTHING, Scalars.FIELDS_V1}
)


class GatedFieldReshaped(ChangeRule):
    """Those who switched the gate on have objects with the old shape, and those who will do get the new one."""

    id = "gated-field-reshaped"
    title = "an alpha field took another shape under its name"
    severities = Severities.of("E/E/E")
    explanation = (
        "Alpha fields may change, but not under their name: objects that somebody wrote with the gate on are stored with the old"
        " shape, and no release can read both under one name and number. (Kubernetes, api_changes.md: an incompatible change of an"
        " alpha field takes a new field name, and the old one gets a tombstone)"
    )
    fix = "give the new shape a new name and number, and the old one a tombstone"
    is_excusable = False

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
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
        return Verdict(message, dict.fromkeys(Direction, hit), self.fix)


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
