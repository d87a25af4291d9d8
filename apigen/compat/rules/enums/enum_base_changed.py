"""The values of an enum are of another type."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule, altered
from apigen.compat.surface.elements import ElementKind
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumBaseChanged(ChangeRule):
    """Text is no number, whatever it reads like."""

    id = "enum-base-changed"
    title = "an enum whose values are of another type"
    severities = Severities.of("W/E/E")
    explanation = 'The values of an enum in JSON Schema may be text, numbers or several types. `1` is not `"1"`: each side refuses what the other writes.'
    fix = "keep the type of the values, or add a field with an enum of the other type"
    claims = (altered(Trait.TYPE, ElementKind.ENUM),)

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims any change of it that no rule about types has claimed."""
        if not isinstance(change, Altered):
            return None
        text = f"a value that is {change.before} is not read as {change.after}, nor the reverse"
        message = f"the values of `{change.element.type}` are {change.after}, and were {change.before}"
        return Verdict(message, everywhere(breaks(text)))
