"""Groups and versions: added, removed, stored, preferred."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import Added, Altered, Removed, Trait
from apigen.compat.context import Context
from apigen.compat.mitigations.window_elapsed import WindowElapsed
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.lifecycle.serving import (
    effect_of,
    hits_of_effect,
    hits_of_unserved,
    left_behind,
    may_be_stored,
    move_of,
)
from apigen.compat.rules.rule import change_rule
from apigen.compat.rules.verdicts import at, note, release_before, silent
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Group, KindVersion, Surface, Version
from apigen.compat.values.hits import joined
from apigen.compat.verdict.impact import Direction, Hit, Hits, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.ir.model import Release
from apigen.ir.stability import Stability, stability

_OF_ALPHA = Severities.of("W/E/E")


@change_rule("group-removed", removed(ElementKind.GROUP), severities="E/E/E", presets=WIRE)
def group_removed(change: Removed, context: Context) -> Verdict | None:
    """All that a group has goes with it: no URL, no stored object and no manifest names it any more with effect."""
    if not isinstance(change.part, Group):
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


@change_rule("group-added", added(ElementKind.GROUP), severities="I/I/I")
def group_added(change: Added, context: Context) -> Verdict | None:
    """Nobody of before knows it."""
    if not isinstance(change.part, Group):
        return None
    name = change.element.group or "core"
    versions = " and ".join(change.part.versions) or "no version"
    return Verdict(f"group {name} is new, with {versions}", dict(_hits(name, change.part)))


def _hits(name: str, group: Group) -> Iterator[tuple[Direction, Hit]]:
    kinds = [kind for version in group.versions.values() if version.served for kind in version.kinds.values()]
    if any(kind.served for kind in kinds):
        yield Direction.NEW_CLIENT, depends(f"a client that uses {name} gets 404 Not Found from a server of before")
    if group.kinds:
        yield Direction.ROLLBACK, depends(f"objects of {name} stay in the store, and the release before reads none")


@change_rule("stored-version-removed", removed(ElementKind.VERSION), severities="W/E/E", presets=WIRE)
def stored_version_removed(change: Removed, context: Context) -> Verdict | None:
    """Objects stay as they were stored until somebody writes them again."""
    if not isinstance(change.part, Version):
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


@change_rule(
    "version-removed",
    removed(ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.KIND),
    severities="W/E/E",
    mitigated_by=(WindowElapsed(),),
    presets=WIRE,
)
def version_removed(change: Removed | Altered, context: Context) -> Verdict | None:
    """Clients that speak it get no answer."""
    match change:
        case Removed(part=Version() as version):
            return _removed(version)
        case Altered(old=Version() as old, new=Version() as new):
            return _unserved(f"version {new}", old.served, hits_of_unserved(change.element, context))
        case Altered(old=KindVersion() as kind, element=element):
            before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
            if before is not None and after is not None and before.served != after.served:
                return silent(f"{kind.kind} follows its version")
            return _unserved(f"kind {kind.kind} of {after}", kind.served, hits_of_unserved(element, context))
    return None


def _removed(version: Version) -> Verdict:
    if version.files and not version.kinds:
        return Verdict(f"package {version} was removed, with its types and services", _package(version))
    if not version.served or not version.kinds:
        why = "it had no kind" if not version.kinds else "it was not served"
        hits = {} if not version.kinds else {Direction.STORED: _stored(version)}
        message = f"version {version} was removed; {why}"
        return Verdict(message, hits) if hits else note(message, "")
    kinds = ", ".join(version.kinds)
    hits = {
        Direction.OLD_CLIENT: breaks(f"who speaks {version} gets 404 Not Found"),
        Direction.STORED: _stored(version),
    }
    return Verdict(f"version {version} was removed, with {kinds}", hits)


def _unserved(what: str, was_served: bool, left: Hits) -> Verdict | None:
    if not was_served:
        return None
    hits = {Direction.OLD_CLIENT: breaks("who speaks it gets 404 Not Found"), **left}
    return Verdict(f"{what} is not served any more", hits, patch="served: true")


def _package(version: Version) -> Hits:
    """What becomes of a package of protobuf, which has types and services, and no kinds."""
    return {
        Direction.OLD_CLIENT: breaks(f"who calls a service of {version} is refused, and its types are gone"),
        Direction.STORED: breaks(f"messages of {version} have no type that reads them"),
    }


def _stored(version: Version) -> Hit:
    return depends(f"on whether objects were ever stored in {version.name}, and all of them were migrated")


@change_rule(
    "version-added",
    added(ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.KIND),
    severities="I/I/I",
)
def version_added(change: Added | Altered, context: Context) -> Verdict | None:
    """Clients that use it need a server that has it. One that was there, and is served now, is new to them."""
    match change:
        case Added(part=Version() as version, element=element):
            kinds = f" with {', '.join(version.kinds)}" if version.kinds else ""
            message = f"version {version} is new{kinds}{'' if version.served else ', and not served yet'}"
            is_served = version.served and bool(version.kinds)
            return _told(message, str(version), is_served, _of_new_kinds(version, element, context))
        case Altered(new=Version() as version, element=element):
            hits = hits_of_unserved(element, context)
            return _told(f"version {version} is served now", str(version), bool(version.kinds), hits)
        case Altered(new=KindVersion() as kind, element=element):
            what = f"{kind.kind} of {element.version}"
            return _told(f"kind {what} is served now", what, True, hits_of_unserved(element, context))
    return None


def _told(message: str, what: str, is_served: bool, of_objects: Hits) -> Verdict:
    hit = depends(f"a client that speaks {what} gets 404 Not Found from a server of before")
    to_clients = {Direction.NEW_CLIENT: hit} if is_served else {}
    return Verdict(message, {**to_clients, **of_objects})


def _of_new_kinds(version: Version, element: Element, context: Context) -> Hits:
    """What a rollback does to objects of kinds that came with the version, and that no other one stores."""
    group = context.old.groups.get(element.group)
    new = [kind for kind in version.kinds if group is None or kind not in group.kinds]
    stored = [kind for kind in new if may_be_stored(kind, element, context)]
    return {Direction.ROLLBACK: left_behind(stored, element)} if stored else {}


@change_rule(
    "storage-advanced-too-early",
    altered(Trait.STORAGE, ElementKind.VERSION),
    altered(Trait.STORAGE, ElementKind.KIND),
    severities="W/E/E",
)
def storage_advanced_too_early(change: Altered, context: Context) -> Verdict | None:
    """A server that is rolled back, or that runs beside a newer one, finds objects that it cannot read."""
    move = move_of(change, context)
    if move is None:
        return None
    problem = move.missing(context.old.version(change.element.group, move.was))
    if not problem:
        return None
    hits = {
        Direction.ROLLBACK: breaks(f"the release before finds objects stored in {move.now.name}, and cannot read them")
    }
    hits = joined((hits, hits_of_effect(effect_of(move, change.element, context))))
    what = f"the storage version of {move.kind}" if move.kind else "the storage version"
    message = f"{what} moved from {move.was} to {move.now.name}, and {release_before(context, change.element.group)} could not take over again: {problem}"
    return Verdict(
        message,
        hits,
        patch=f"{move.was}: {{storage: true}}",
        severities=at(storage_advanced_too_early.severities, move.promise),
    )


@change_rule(
    "storage-moved-to-less-stable",
    altered(Trait.STORAGE, ElementKind.VERSION),
    altered(Trait.STORAGE, ElementKind.KIND),
    severities="W/E/E",
)
def storage_moved_to_less_stable(change: Altered, context: Context) -> Verdict | None:
    """The version may be gone before the objects are."""
    move = move_of(change, context)
    if move is None or not move.is_to_less_stable:
        return None
    promise = stability(move.now.name)
    hits = {
        Direction.STORED: depends(
            f"objects are stored in {move.now.name}, which is {promise}: it may end before they do"
        ),
        Direction.ROLLBACK: breaks(
            f"the release before has to read what is stored in {move.now.name}, which is {promise}"
        ),
    }
    hits = joined((hits, hits_of_effect(effect_of(move, change.element, context))))
    what = f"the storage version of {move.kind}" if move.kind else "the storage version"
    message = f"{what} moved from {move.was} to {move.now.name}, which is less stable"
    return Verdict(
        message,
        hits,
        patch=f"{move.was}: {{storage: true}}",
        severities=at(storage_moved_to_less_stable.severities, move.promise),
    )


_ALTERS = Severities.of("I/W/W")


@change_rule(
    "storage-version-moved",
    altered(Trait.STORAGE, ElementKind.VERSION),
    altered(Trait.STORAGE, ElementKind.KIND),
    severities="I/I/I",
)
def storage_version_moved(change: Altered, context: Context) -> Verdict | None:
    """As it should be: the release before served both versions."""
    move = move_of(change, context)
    if move is not None:
        what = f"the storage version of {move.kind}" if move.kind else "the storage version"
        message = f"{what} moved from {move.was} to {move.now.name}, which the release before served"
        effect = effect_of(move, change.element, context)
        if not effect:
            return note(message, "")
        return Verdict(f"{message}; one of the two {effect}", hits_of_effect(effect), severities=_ALTERS)
    if change.after is True or _is_stored(change, context):
        return silent(f"{change.element.version} is part of a move of storage that is told elsewhere")
    hit = breaks(f"no version stores what {change.element.version} did: objects are found by nobody")
    return Verdict(
        f"{change.element.version} is not stored any more, and no other version is",
        {Direction.STORED: hit, Direction.OLD_CLIENT: hit},
        "let one version have `storage: true`",
        severities=Severities.of("E/E/E"),
    )


def _is_stored(change: Altered, context: Context) -> bool:
    group = context.new.groups.get(change.element.group)
    kind = change.element.type if change.element.kind is ElementKind.KIND else ""
    for version in group.versions.values() if group is not None else ():
        if version.storage if not kind else (kind in version.kinds and version.kinds[kind].storage):
            return True
    return False


@change_rule("preferred-advanced-too-early", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/W/E")
def preferred_advanced_too_early(change: Altered, context: Context) -> Verdict | None:
    """While servers are upgraded, the preferred version is there on some of them only."""
    move = move_of(change, context)
    if move is None:
        return None
    problem = (
        f"{release_before(context, change.element.group)} could not take over again: {missing}"
        if (missing := move.missing(None))
        else ""
    )
    if not problem and move.is_to_less_stable:
        problem = "that promises less"
    if not problem:
        return None
    hits = {
        Direction.OLD_CLIENT: depends(f"a client that takes what the server prefers gets {move.now.name}"),
        Direction.ROLLBACK: depends(f"what was written in {move.now.name} is not there in the release before"),
    }
    message = f"{move.now.name} is preferred, {move.was} was, and {problem}"
    return Verdict(
        message,
        hits,
        patch=f"{move.was}: {{preferred: true}}",
        severities=at(preferred_advanced_too_early.severities, move.promise),
    )


@change_rule("preferred-version-moved", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/I/I")
def preferred_version_moved(change: Altered, context: Context) -> Verdict | None:
    """As it should be: the release before served it."""
    move = move_of(change, context)
    if move is None:
        return silent(f"{change.element.version} is part of a move of the preferred version that is told elsewhere")
    hit = depends(f"a client that takes what the server prefers gets {move.now.name}, and may know {move.was} alone")
    return Verdict(f"{move.now.name} is preferred, and {move.was} was", {Direction.OLD_CLIENT: hit})
