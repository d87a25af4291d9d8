"""What rules about scalars have in common."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange
from apigen.compat.context import Context
from apigen.compat.inner import hits_of
from apigen.compat.rules.types.pair import TypePair, inner_of
from apigen.compat.surface.elements import Element
from apigen.compat.surface.types import Scalars
from apigen.compat.values.hits import everywhere, joined
from apigen.compat.values.passing import Passed
from apigen.compat.values.scalar_passing import passed_in_bytes, passed_scalars
from apigen.compat.values.wire import is_on_wire
from apigen.compat.verdict.impact import Direction, Hits, breaks
from apigen.compat.verdict.preset import Preset
from apigen.compat.verdict.verdict import Verdict


def scalar_verdict(
    change: AnyChange, pair: TypePair, scalars: tuple[Scalars, Scalars], context: Context, besides: Hits | None = None
) -> Verdict:
    """That one scalar took the place of another, with what reading the values of each side as the other does.

    What differs besides the type counts, too, and so do hits that are known `besides`.
    """
    found = passed(change, scalars, context)
    hits = joined((found.hits, besides or {}, hits_of(inner_of(change, pair, context))))
    return Verdict(message(change, pair), hits, examples=found.examples)


def passed(change: AnyChange, scalars: tuple[Scalars, Scalars], context: Context) -> Passed:
    """What reading the values of one scalar as another does, in all that the review is about."""
    has_wire = is_on_wire(change.element, context)
    if has_wire and context.preset is Preset.BYTES:
        return passed_in_bytes(*scalars)
    return passed_scalars(*scalars, has_wire=has_wire)


def message(change: AnyChange, pair: TypePair) -> str:
    """The change in a sentence."""
    return f"{change.element} is {pair.after} instead of {pair.before}"


def is_within(old: Scalars, new: Scalars) -> bool:
    """Whether each value of one scalar is read as it is by the other, in JSON."""
    return Direction.STORED not in passed_scalars(old, new, has_wire=False).hits


def of_another_wire_form(element: Element, context: Context) -> Hits:
    """What breaks where both types are on the wire of protobuf, each in a form of its own."""
    return everywhere(breaks("protobuf has another form for it")) if is_on_wire(element, context) else {}
