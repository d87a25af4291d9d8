"""What says which member of a union is set changed."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.changes.words import value_words
from apigen.compat.context import Context
from apigen.compat.rules.enums.union_change import union_change
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class DiscriminatorChanged(ChangeRule):
    """Its field, or the values that stand for members."""

    id = "discriminator-changed"
    title = "a union whose discriminator is another"
    severities = Severities.of("W/E/E")
    explanation = (
        "Clients decide by the discriminator which member they read, and set it with the member they write. Where it comes, goes or"
        " has other values, each side refuses, or reads wrongly, what the other writes."
    )
    fix = "keep the discriminator and its values"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims another discriminator (which may be another name for the union, too), and other values for the same members."""
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
