"""A group that is new."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import Added, AnyChange
from apigen.compat.context import Context
from apigen.compat.rules.claims import added
from apigen.compat.rules.rule import change_rule
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Group
from apigen.compat.verdict.impact import Direction, Hit, depends
from apigen.compat.verdict.verdict import Verdict


@change_rule("group-added", added(ElementKind.GROUP), severities="I/I/I")
def group_added(change: AnyChange, context: Context) -> Verdict | None:
    """Nobody of before knows it."""
    if not isinstance(change, Added) or not isinstance(change.part, Group):
        return None
    name = change.element.group or "core"
    versions = " and ".join(change.part.versions) or "no version"
    return Verdict(
        f"group {name} is new, with {versions}",
        dict(_hits(name, change.part)),
    )


def _hits(name: str, group: Group) -> Iterator[tuple[Direction, Hit]]:
    kinds = [kind for version in group.versions.values() if version.served for kind in version.kinds.values()]
    if any(kind.served for kind in kinds):
        yield Direction.NEW_CLIENT, depends(f"a client that uses {name} gets 404 Not Found from a server of before")
    if group.kinds:
        yield Direction.ROLLBACK, depends(f"objects of {name} stay in the store, and the release before reads none")
