"""A map or struct is merged member by member, or replaced as a whole."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.values.hits import alike
from apigen.compat.verdict.impact import Direction, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict

_GRANULAR = (None, "granular")


class MapTypeChanged(ChangeRule):
    """Who owns members of it, or the whole of it, is another question than before."""

    id = "map-type-changed"
    title = "a map or struct that is merged instead of replaced, or the reverse"
    severities = Severities.of("I/W/E")
    explanation = (
        "Server-side apply owns an atomic map or struct as a whole, any other one member by member. With another type, members"
        " of others stay where they were thrown out, or are thrown out where they stayed. Nothing said is granular."
    )
    fix = "keep the type"
    no_witness = "the objects are the same; only what apply does to them differs"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims all such changes; that nothing said is granular is one that hurts nobody."""
        if not isinstance(change, Altered):
            return None
        if change.before in _GRANULAR and change.after in _GRANULAR:
            return Verdict(f"{change.element} is merged, as it was", {}, severities=Severities.of("-/-/-"))
        now = "merged member by member" if change.after in _GRANULAR else "replaced as a whole"
        text = f"apply finds it {now}, where the other side expects the reverse"
        hits = alike(depends(text), Direction.OLD_CLIENT, Direction.NEW_CLIENT, Direction.ROLLBACK)
        return Verdict(f"{change.element} is {now}, and was not", hits)
