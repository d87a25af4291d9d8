"""A key by which elements of a list are told apart may be left out, or is filled in otherwise."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.merging.keys import lists_keyed_by
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Field
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Presence


class MergeKeyPresenceChanged(ChangeRule):
    """An element without its key has another identity to those who know another default, or none."""

    id = "merge-key-presence-changed"
    title = "a key of list elements that may be left out, or whose default is another"
    severities = Severities.of("W/E/E")
    explanation = (
        "Elements of a list with keys are paired by these, on both sides of an update and among appliers. If a key may be left"
        " out, or is filled in by another default, the same element has one identity to some and another to others: it is added"
        " a second time, or taken for another one."
    )
    fix = "leave keys required, and without a default, or with the one that they had"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims keys of lists of either side that are no longer always there, and those whose default differs."""
        if not isinstance(change, Altered) or not _matters(change):
            return None
        lists = lists_keyed_by(change.element, context)
        if not lists:
            return None
        text = f"elements of {lists[0]} are told apart by it, and one without it is another element than before"
        hits = everywhere(breaks(text))
        what = "default" if change.trait is Trait.DEFAULT else "presence"
        return Verdict(
            f"{what} of {change.element} changed, by which elements of {', '.join(lists)} are told apart", hits
        )


def _matters(change: Altered) -> bool:
    match change.trait:
        case Trait.REQUIRED:
            return not change.after and isinstance(change.new, Field) and change.new.presence is not Presence.PLAIN
        case Trait.PRESENCE:
            return change.after != Presence.PLAIN.value
        case _:
            return True
