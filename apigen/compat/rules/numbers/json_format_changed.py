"""JSON of a type is no longer promised."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in, option_of, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Impact
from apigen.compat.verdict.preset import JSON
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "json-format-changed",
    altered(Trait.OPTIONS, ElementKind.STRUCT, ElementKind.ENUM),
    severities="W/E/E",
    presets=JSON,
)
def json_format_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What implementations do with its JSON is up to each."""
    option = option_of(change, "json_format")
    if option is None:
        return None
    if option[2] != "LEGACY_BEST_EFFORT":
        return silent(f"the JSON of {change.element} is promised now")
    message = f"the JSON of {change.element} is by best effort only"
    return Verdict(message, hits_in(EVERYWHERE, "may be refused where it is JSON", Impact.DEPENDS))
