"""Elements of a list are told apart by other keys."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.rule import ChangeRule
from apigen.compat.surface.types import Slot
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


class MergeKeysChanged(ChangeRule):
    """What was one element is two, or two are one."""

    id = "merge-keys-changed"
    title = "other keys by which elements of a list are told apart"
    severities = Severities.of("W/E/E")
    explanation = (
        "The keys are the identity of elements: server-side apply remembers by them who owns what, and validation refuses two"
        " elements with the same ones. With other keys, appliers of before name elements that are not there, and elements that"
        " differed are the same, or the reverse."
    )
    fix = "keep the keys, and add a new list where elements need another identity"

    def judge(self, change: AnyChange, context: Context) -> Verdict | None:
        """Claims lists with keys on both sides."""
        if not isinstance(change, Altered) or not isinstance(change.new, Slot) or not change.before or not change.after:
            return None
        before, after = _keys(change.before), _keys(change.after)
        hits = everywhere(breaks(f"who owns an element by {before} does not own it by {after}"))
        refused = f"two elements that differ in {before} may be the same in {after}, and are refused"
        hits[Direction.STORED] = breaks(f"in a stored object, {refused}")
        return Verdict(f"elements of {change.element} are told apart by {after}, and were by {before}", hits)


def _keys(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
