"""Elements of a list are told apart, by value or by keys, and were not, or in another way."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.rules.claims import altered
from apigen.compat.rules.merging.duplicates import duplicates, enforces
from apigen.compat.rules.merging.whole import WHOLE
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.types import Slot
from apigen.compat.verdict.example import Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict


@change_rule("list-type-associative", altered(Trait.LIST_TYPE), altered(Trait.LIST_MAP_KEYS), severities="I/W/E")
def list_type_associative(change: AnyChange, context: Context) -> Verdict | None:
    """Apply merges element by element from now on, and two elements of one identity are refused."""
    if not isinstance(change, Altered) or not isinstance(change.old, Slot) or not isinstance(change.new, Slot):
        return None
    if change.trait is Trait.LIST_MAP_KEYS:
        return _with_type(change)
    if change.after in WHOLE:
        return None
    now = "by value" if change.after == "set" else f"by {', '.join(change.new.merge.list_map_keys) or 'keys'}"
    before = "atomic" if change.before in WHOLE else str(change.before)
    words = f"elements of {change.element} are told apart {now}, and the list was {before}"
    examples = duplicates(change.new, Side.OLD, context.new) if enforces(change.new) else ()
    return Verdict(words, _hits(change, change.new, now, context), examples=examples)


def _with_type(change: Altered) -> Verdict | None:
    if change.before and change.after:
        return None
    return Verdict(
        f"keys of {change.element} come and go with the type of the list", {}, severities=Severities.of("-/-/-")
    )


def _hits(change: Altered, new: Slot, now: str, context: Context) -> dict[Direction, Hit]:
    hits = {
        Direction.OLD_CLIENT: depends("who applies it no longer removes what others put in by leaving it out"),
        Direction.NEW_CLIENT: depends(
            "a server of before replaces the list, where a new client expects it to be merged"
        ),
    }
    if enforces(new):
        text = f"two elements that are the same {now} are refused"
        hits[Direction.OLD_CLIENT] = breaks(text)
        hits[Direction.STORED] = _stored(text, context)
    if change.before not in WHOLE:
        hits[Direction.NEW_CLIENT] = breaks("a server of before tells elements apart otherwise, and refuses others")
        hits[Direction.ROLLBACK] = breaks("the release before tells elements apart otherwise, and refuses others")
    return hits


def _stored(text: str, context: Context) -> Hit:
    """Validation that ratchets leaves the list alone until somebody changes it."""
    if context.new.ratchets:
        return depends(f"a stored list stays good until it is changed, then {text}")
    return breaks(f"a stored object is not valid any more: {text}")
