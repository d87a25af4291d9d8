"""A kind is gone from a version that stays."""

from __future__ import annotations

from apigen.compat.changes.change import AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.claims import removed
from apigen.compat.rules.lifecycle.storing import may_be_stored
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import note, silent
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Kind, KindVersion
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.verdict import Verdict
from apigen.dataclass import replace


@change_rule(
    "kind-removed", removed(ElementKind.KIND), severities="W/E/E", mitigated_by=(WindowElapsed(),), presets=WIRE
)
def kind_removed(change: AnyChange, context: Context) -> Verdict | None:
    """The URL of a kind is gone, and so is what reads its objects."""
    if not isinstance(change, Removed):
        return None
    if isinstance(change.part, Kind):
        return silent(f"kind {change.part.name} is gone from all versions, as is told of each")
    if not isinstance(change.part, KindVersion):
        return None
    version = context.old.version(change.element.group, change.element.version)
    is_served = change.part.served and version is not None and version.served
    hits = dict(_hits(change.part, change.element, is_served))
    unread = _stored_anew(change.element, context)
    if unread:
        hits[Direction.ROLLBACK] = breaks(
            f"{change.part.kind} objects are stored in {unread} now, and the release before does not have them there"
        )
    others = _others(change.element, context)
    tail = (
        f"; {' and '.join(others)} still {'has' if len(others) == 1 else 'have'} it"
        if others
        else _renamed(change, context)
    )
    message = (
        f"kind {change.part.kind} was removed from {change.element.group or 'core'}/{change.element.version}{tail}"
    )
    if not hits:
        return note(f"{message}; it was neither served nor stored there", "")
    return Verdict(
        message,
        hits,
    )


def _hits(kind: KindVersion, element: Element, is_served: bool) -> list[tuple[Direction, Hit]]:
    hits: list[tuple[Direction, Hit]] = []
    if is_served:
        hits.append((Direction.OLD_CLIENT, breaks(f"who asks for {kind.kind} in {element.version} gets 404 Not Found")))
    if kind.storage:
        hits.append((Direction.STORED, breaks(f"{kind.kind} objects stored in {element.version} can be read no more")))
    elif is_served:
        hits.append(
            (Direction.STORED, depends(f"on whether {kind.kind} objects were ever stored in {element.version}"))
        )
    return hits


def _stored_anew(element: Element, context: Context) -> str:
    """A version that the new side may store the kind in and the old side does not have it in; empty where there is none."""
    group = context.new.groups.get(element.group)
    for version in group.versions.values() if group is not None else ():
        known = context.old.version(element.group, version.name)
        is_new = element.type in version.kinds and (known is None or element.type not in known.kinds)
        if is_new and may_be_stored(element.type, replace(element, version=version.name), context):
            return version.name
    return ""


def _others(element: Element, context: Context) -> list[str]:
    """The versions of the new side that serve the kind."""
    group = context.new.groups.get(element.group)
    versions = () if group is None else group.versions.values()
    return [version.name for version in versions if version.served and element.type in version.kinds]


def _renamed(change: Removed, context: Context) -> str:
    """The new kind with the same plural or the same fields, if there is one."""
    old = context.old.groups[change.element.group].kinds.get(change.element.type)
    group = context.new.groups.get(change.element.group)
    for kind in group.kinds.values() if group is not None and old is not None else ():
        is_new = kind.name not in context.old.groups[change.element.group].kinds
        if old is not None and is_new and kind.plural == old.plural:
            return f"; {kind.name}, which is new, has its plural: another name is another kind"
    return ""
