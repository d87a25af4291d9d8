"""A list of scalars is packed, or no longer."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.verdict import Verdict


@change_rule("packing-changed", altered(Trait.OPTIONS, ElementKind.FIELD), severities="I/I/W")
def packing_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Parsers take both forms."""
    option = option_of(change, "packed")
    if option is None:
        return None
    _, before, after = option
    if before is None or after is None:
        return silent(f"{change.element} is a list of scalars on one side only")
    words = "is packed now" if after == "true" else "is no longer packed"
    return Verdict(f"{change.element} {words}, which every parser reads", NOTHING)
