"""The release from which on a value is tolerated or accepted changed."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.enums.added_hits import rolled_out_hits
from apigen.compat.rules.enums.known import is_accepted, shown
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.types import EnumValue
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "enum-value-roll-out-changed",
    altered(Trait.TOLERATED, ElementKind.ENUM_VALUE),
    altered(Trait.INTRODUCED, ElementKind.ENUM_VALUE),
    severities="I/W/E",
)
def enum_value_roll_out_changed(change: AnyChange, context: Context) -> Verdict | None:
    """The second step of a roll-out, or one that was put off, or brought forward."""
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
    words = (
        f"{change.trait} of {name} of `{change.element.type}` is {value_words(change.after)} instead of"
        f" {value_words(change.before)}"
    )
    if change.trait is Trait.INTRODUCED and change.old.tolerated != change.new.tolerated:
        return Verdict(words, {}, severities=Severities.of("-/-/-"))
    if before == after:
        return Verdict(words, {}, severities=Severities.of("I/I/I"))
    if before:
        hit = breaks(f"a client of before that sends {name} is refused")
        return Verdict(
            f"{words}: the value is not accepted any more", {Direction.OLD_CLIENT: hit, Direction.STORED: hit}
        )
    return Verdict(f"{words}: the value is accepted now", rolled_out_hits(name), severities=_NEXT_STEP)


_NEXT_STEP = Severities.of("I/I/I")
