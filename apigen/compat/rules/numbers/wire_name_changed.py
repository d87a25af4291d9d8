"""A field has another name in protobuf, and the same in JSON."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import NOTHING, hits_in, silent
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import CLIENTS, Impact
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class WireNameChanged(ChangeRule):
    """The name of the source is accepted in JSON, and stands in field masks and the text format."""

    id = "wire-name-changed"
    title = "another name in the `.proto`"
    severities = Severities.of("W/W/E")
    explanation = (
        "Bytes have numbers, and JSON has the JSON name, which stays. But parsers of JSON take the name in the"
        " `.proto`, too, and many writers are set to write it; field masks in bytes and the text format have no"
        " other."
    )
    fix = "keep the name; names in generated code can be set by options of most languages"
    no_witness = "objects are written with JSON names"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims every one. The name of a type is in type URLs alone, so that a field of another type of equal fields is read."""
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
