"""A value of an enum got, lost or changed its gate."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.known import enum_at, is_accepted, shown
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import EnumValue
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("enum-value-gate-changed", altered(Trait.GATE, ElementKind.ENUM_VALUE), severities="W/E/E")
def enum_value_gate_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What counts is who may have the value by default, before and after."""
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
