"""A value of an enum got, lost or changed its gate."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.enums.known import enum_at, is_accepted, shown
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import EnumValue
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class EnumValueGateChanged(ChangeRule):
    """What counts is who may have the value by default, before and after."""

    id = "enum-value-gate-changed"
    title = "a value of an enum with another gate"
    severities = Severities.of("W/E/E")
    explanation = (
        "A gate that is off refuses the value in objects that do not have it, so a gate on a value that all could have breaks"
        " clients. A gate that goes while it was off gives the value to all at once, and the release before refuses it. Where the"
        " value is accepted by default before and after, or on neither side, only who switched the gate notices."
    )
    fix = "leave the gate until it is on and locked; a value that was accepted gets none"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims any change of a value's gate."""
        if (
            not isinstance(change, Altered)
            or not isinstance(change.old, EnumValue)
            or not isinstance(change.new, EnumValue)
        ):
            return None
        before, after = is_accepted(change.old, context.old, change.element.group), is_accepted(
            change.new, context.new, change.element.group
        )
        name = shown(change.element.path)
        words = f"{name} of `{change.element.type}` has the gate {value_words(change.after)}, and had {value_words(change.before)}"
        value = in_json(change.element.path, enum_at(context.new, change.element))
        if before and not after:
            return Verdict(f"{words}: by default it is refused now", _lost(name), examples=(Example(Side.OLD, value),))
        if after and not before:
            return Verdict(f"{words}: by default it is accepted now", _won(name), examples=(Example(Side.NEW, value),))
        text = f"where the gates are not as by default, only one side may accept {name}"
        return Verdict(words, dict.fromkeys(Direction, depends(text)), severities=Severities.of("I/I/W"))


def _lost(name: str) -> dict[Direction, Hit]:
    return {
        Direction.OLD_CLIENT: breaks(f"a client of before that sends {name} is refused"),
        Direction.STORED: depends(f"a stored object keeps {name}, and no other may get it"),
    }


def _won(name: str) -> dict[Direction, Hit]:
    return {
        Direction.OLD_CLIENT: depends(f"a client of before reads {name}, which it may not know"),
        Direction.NEW_CLIENT: breaks(f"a new client that sends {name} to a server of before is refused"),
        Direction.ROLLBACK: depends(f"the release before keeps {name} where it is, and refuses it elsewhere"),
    }
