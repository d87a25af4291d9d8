"""A type is declared in another file."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "type-moved-to-another-file",
    altered(Trait.FILE, ElementKind.STRUCT, ElementKind.ENUM),
    severities="I/W/E",
    presets=SOURCE,
)
def type_moved_to_another_file(change: AnyChange, context: Context) -> Verdict | None:
    """Nothing on the wire changes; includes and imports do."""
    if not isinstance(change, Altered) or not change.before or not change.after:
        return silent(f"{change.element} stands in a file on one side only")
    return Verdict(f"{change.element} is in {change.after} instead of {change.before}", NOTHING)
