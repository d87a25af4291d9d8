"""A service is declared in another file."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.preset import SOURCE
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "service-moved-to-another-file", altered(Trait.FILE, ElementKind.SERVICE), severities="I/W/E", presets=SOURCE
)
def service_moved_to_another_file(change: AnyChange, context: Context) -> Verdict | None:
    """Nothing on the wire changes; includes and imports do."""
    if not isinstance(change, Altered):
        return None
    return Verdict(f"service {change.element} is in {change.after} instead of {change.before}", NOTHING)
