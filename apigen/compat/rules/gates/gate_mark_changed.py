"""A field is behind other gates, which lets in and keeps out the same."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.gates.marks import Marks
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("gate-mark-changed", altered(Trait.GATE, ElementKind.FIELD), severities="I/W/W")
def gate_mark_changed(change: AnyChange, context: Context) -> Verdict | None:
    """By default nothing changes; those who switch gates find others."""
    if not isinstance(change, Altered):
        return None
    marks = Marks.of(change, context)
    message = f"the gate of {change.element} was {value_words(change.before)}, and is {value_words(change.after)}"
    path = change.element.path
    if marks.is_settled:
        return note(message if marks.after is not None else f"{message}; it was locked", "nothing")
    hits = {Direction.OLD_CLIENT: depends(f"who switches gates by hand gets {path} in other cases")}
    if marks.may_differ_by_default:
        text = f"one of both servers may drop or replace {path}, or keep it, where the other one does not"
        hits = everywhere(depends(text))
    return Verdict(
        message,
        hits,
    )
