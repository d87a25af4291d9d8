"""What readers take for absence is another value."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.numbers.words import EVERYWHERE, hits_in
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Default
from apigen.compat.verdict.example import ABSENT, Example, Side
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DefaultOfReadersChanged(ChangeRule):
    """Nothing on the wire tells the old default from the new one."""

    id = "default-of-readers-changed"
    title = "another default of protobuf"
    severities = Severities.of("W/E/E")
    explanation = (
        "A default of proto2 and of editions is not written: each reader takes its own for a field that is"
        " absent. With another default the same bytes mean something else to the two sides, in every direction."
        " Without one it is the zero of the type."
    )
    fix = "keep the default, or add a field with the other one"
    presets = WIRE

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims defaults that nobody fills in; others are changes of what is stored."""
        if not isinstance(change, Altered):
            return None
        before, after = change.before, change.after
        known = [each for each in (before, after) if isinstance(each, Default)]
        if not known or not all(each.of_readers for each in known):
            return None
        was, now = (each.text if isinstance(each, Default) else "its zero" for each in (before, after))
        message = f"{change.element} is {now} where it is absent, and was {was}"
        hits = hits_in(EVERYWHERE, "without the field means another value to the reader")
        examples = (Example(Side.OLD, ABSENT), Example(Side.NEW, ABSENT))
        return Verdict(message, hits, examples=examples)
