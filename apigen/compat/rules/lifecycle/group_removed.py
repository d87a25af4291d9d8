"""A group of the API is gone."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Group, Surface
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.stability import Stability, stability

_OF_ALPHA = Severities.of("W/E/E")


@change_rule("group-removed", removed(ElementKind.GROUP), severities="E/E/E", presets=WIRE)
def group_removed(change: AnyChange, context: Context) -> Verdict | None:
    """All that a group has goes with it: no URL, no stored object and no manifest names it any more with effect."""
    if not isinstance(change, Removed) or not isinstance(change.part, Group):
        return None
    versions = " and ".join(filter(None, change.part.versions))
    name = change.element.group or "core"
    asked = "/".join(filter(None, (name, next(iter(change.part.versions), ""))))
    hits = {
        Direction.OLD_CLIENT: breaks(f"who asks for {asked} gets nothing"),
        Direction.NEW_CLIENT: breaks(f"a new client does not know {name}, and servers of before serve it"),
        Direction.STORED: breaks(f"objects of {name} stay in the store, and nobody reads them"),
        Direction.ROLLBACK: breaks(f"the release before serves {name}, and nobody has written its objects since"),
    }
    told = f", with {versions}" if versions else ""
    message = f"group {name} was removed{told}{_renamed(change.part, context.old, context.new)}"
    stable = max(map(stability, change.part.versions), default=Stability.STABLE)
    return Verdict(message, hits, severities=at(_OF_ALPHA, stable))


def _renamed(group: Group, old: Surface, new: Surface) -> str:
    """The new group that has the same kinds, if there is one."""
    kinds = set(group.kinds)
    others = (other for name, other in new.groups.items() if name not in old.groups)
    other = next((other for other in others if kinds and kinds == set(other.kinds)), None)
    return f"; {other.name}, which is new, has the same kinds: another name is another API" if other else ""
