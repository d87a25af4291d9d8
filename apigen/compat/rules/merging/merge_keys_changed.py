"""Elements of a list are told apart by other keys."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.types import Slot
from apigen.compat.values.hits import everywhere
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.verdict import Verdict


@change_rule("merge-keys-changed", altered(Trait.LIST_MAP_KEYS), severities="W/E/E")
def merge_keys_changed(change: AnyChange, context: Context) -> Verdict | None:
    """What was one element is two, or two are one."""
    if not isinstance(change, Altered) or not isinstance(change.new, Slot) or not change.before or not change.after:
        return None
    before, after = _keys(change.before), _keys(change.after)
    hits = everywhere(breaks(f"who owns an element by {before} does not own it by {after}"))
    refused = f"two elements that differ in {before} may be the same in {after}, and are refused"
    hits[Direction.STORED] = breaks(f"in a stored object, {refused}")
    return Verdict(f"elements of {change.element} are told apart by {after}, and were by {before}", hits)


def _keys(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
