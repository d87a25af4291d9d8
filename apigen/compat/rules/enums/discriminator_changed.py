"""What says which member of a union is set changed."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule(
    "discriminator-changed",
    altered(Trait.DISCRIMINATOR, ElementKind.UNION),
    altered(Trait.MEMBERS, ElementKind.UNION),
    added(ElementKind.UNION),
    severities="W/E/E",
)
def discriminator_changed(change: AnyChange, context: Context) -> Verdict | None:
    """Its field, or the values that stand for members."""
    found = union_change(change, context)
    if found is None or found.old is None or found.new is None:
        return None
    union, old, new = f"the union of `{change.element.type}`", found.old, found.new
    if old.discriminator != new.discriminator:
        names = value_words(new.discriminator), value_words(old.discriminator)
        message = f"the discriminator of {union} is {names[0]}, and was {names[1]}"
    elif not isinstance(change, Altered):
        return None
    elif dict(old.members) == dict(new.members):
        return Verdict(f"the members of {union} stand in another order", {}, severities=Severities.of("-/-/-"))
    else:
        values = value_words(change.after), value_words(change.before)
        message = f"the values that stand for members of {union} are {values[0]}, and were {values[1]}"
    text = "who goes by the discriminator of one side takes another member for the one that is set"
    return Verdict(message, {**dict.fromkeys(Direction, depends(text)), **found.hits}, examples=found.examples)
