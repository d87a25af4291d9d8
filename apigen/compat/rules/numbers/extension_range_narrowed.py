"""Numbers for extensions were taken back."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.ranges import uncovered
from apigen.compat.rules.numbers.words import hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, Impact
from apigen.compat.verdict.verdict import Verdict


@change_rule("extension-range-narrowed", altered(Trait.OPTIONS, ElementKind.STRUCT), severities="W/E/E")
def extension_range_narrowed(change: AnyChange, context: Context) -> Verdict | None:
    """Extensions with these numbers cannot be declared any more."""
    option = option_of(change, "extensions")
    if option is None:
        return None
    _, before, after = option
    gone = uncovered(before or "", after or "")
    if not gone:
        return silent(f"{change.element} has more numbers for extensions")
    message = f"{change.element} has no extensions {', '.join(gone)} any more"
    whom = (Direction.OLD_CLIENT, Direction.STORED)
    return Verdict(message, hits_in(whom, "has an unknown field where it holds such an extension", Impact.DEPENDS))
