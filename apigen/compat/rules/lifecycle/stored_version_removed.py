"""A version is gone in which objects are stored."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.rules.claims import removed
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import release_before
from apigen.compat.surface.elements import ElementKind
from apigen.compat.surface.surface import Version
from apigen.compat.verdict.impact import Direction, breaks
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Release


@change_rule("stored-version-removed", removed(ElementKind.VERSION), severities="W/E/E", presets=WIRE)
def stored_version_removed(change: AnyChange, context: Context) -> Verdict | None:
    """Objects stay as they were stored until somebody writes them again."""
    if not isinstance(change, Removed) or not isinstance(change.part, Version):
        return None
    version = change.part
    stored = [kind.kind for kind in version.kinds.values() if kind.storage or kind.stored]
    if not stored and not (version.storage and version.kinds):
        return None
    kinds = " and ".join(stored or version.kinds)
    migrated = _migrated(change, context)
    hits = {
        Direction.STORED: breaks(f"{kinds} objects that are stored in {version.name} can be read no more"),
        Direction.ROLLBACK: breaks(f"the release before stores in {version.name}, and reads nothing that came since"),
    }
    if version.served:
        hits[Direction.OLD_CLIENT] = breaks(f"who speaks {version} gets 404 Not Found")
    tail = (
        f"; its tombstone says that all was migrated in {migrated}, which {release_before(context, change.element.group)} cannot know"
        if migrated
        else ""
    )
    patch = f"{version.name}: {{served: false}}"
    return Verdict(f"version {version} was removed, and {kinds} objects are stored in it{tail}", hits, patch=patch)


def _migrated(change: Removed, context: Context) -> Release | None:
    group = context.new.groups.get(change.element.group)
    gone = group.gone if group is not None else ()
    return next((stone.migrated for stone in gone if stone.name == change.element.version), None)
