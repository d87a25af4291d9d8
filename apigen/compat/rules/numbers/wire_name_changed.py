"""A field has another name in protobuf, and the same in JSON."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.numbers.words import NOTHING, hits_in, silent
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import CLIENTS, Impact
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("wire-name-changed", altered(Trait.WIRE_NAME), severities="W/W/E")
def wire_name_changed(change: AnyChange, context: Context) -> Verdict | None:
    """The name of the source is accepted in JSON, and stands in field masks and the text format."""
    if not isinstance(change, Altered):
        return None
    if not change.before or not change.after:
        return silent("one side has no names in protobuf")
    message = f"{change.element} is called {change.after} instead of {change.before} in protobuf"
    if change.element.kind is not ElementKind.FIELD:
        return Verdict(message, NOTHING, severities=Severities.of("I/I/I"))
    return Verdict(
        message, hits_in(CLIENTS, "is not understood where it names the field as the `.proto` does", Impact.DEPENDS)
    )
