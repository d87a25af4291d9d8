"""What code by hand enforces is another thing than before."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Trait
from apigen.compat.context import Context
from apigen.compat.inclusion.enforced import by_hand, refuses_no_more
from apigen.compat.rules.claims import altered
from apigen.compat.rules.constraints.compared import constraint_change
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import INFO, silent
from apigen.compat.surface.constraints import Keyword
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Slot
from apigen.compat.verdict.impact import Direction, Hit, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("enforcement-by-hand-changed", altered(Trait.CONSTRAINT), severities="I/W/W")
def enforcement_by_hand_changed(change: AnyChange, context: Context) -> Verdict | None:
    """`enforcedByHand` says something else. Whether the code does, too, cannot be seen here."""
    found = constraint_change(change, Keyword.ENFORCED_BY_HAND)
    if found is None:
        return None
    old, new = found.old, found.new
    assert isinstance(old, Slot) and isinstance(new, Slot)
    gone = _more(old, new, context.new)
    added = _more(new, old, context.old)
    if not gone and not added:
        return silent(f"what code by hand enforces of {found.element} is said otherwise, and enforced as before")
    hits: dict[Direction, Hit] = {}
    if gone:
        names = _listing(gone)
        hits[Direction.NEW_CLIENT] = depends(f"on whether a new client sends what {names} refused by hand before")
        hits[Direction.ROLLBACK] = depends(f"on whether objects have what {names} refused by hand before")
    if added:
        hits[Direction.OLD_CLIENT] = depends(f"on whether {_listing(added)} was enforced before it was said")
    return Verdict(_message(found, gone, added), hits, severities=None if gone else INFO)


def _more(one: Slot, other: Slot, other_surface: Surface) -> tuple[Keyword, ...]:
    """What code by hand enforces on one side that the other side does not, be it generated or not."""
    return tuple(word for word in by_hand(one.constraints) if not refuses_no_more(other, other_surface, one, word))


def _message(found: Altered, gone: tuple[Keyword, ...], added: tuple[Keyword, ...]) -> str:
    parts = [f"no longer enforces {_listing(gone)}"] if gone else []
    parts += [f"enforces {_listing(added)}"] if added else []
    return f"code by hand {' and '.join(parts)} of {found.element}"


def _listing(words: tuple[Keyword, ...]) -> str:
    return " and ".join(f"`{word}`" for word in words)
