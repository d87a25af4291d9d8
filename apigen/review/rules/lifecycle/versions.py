"""Groups and versions: added, removed, stored, preferred."""

from __future__ import annotations

from apigen.ir.stability import Stability, stability
from apigen.review.changes.change import Added, Altered, Removed, Trait
from apigen.review.context import Context
from apigen.review.mitigations import window_elapsed
from apigen.review.results import (
    WIRE,
    Direction,
    Effect,
    Effects,
    RuleResult,
    Severities,
    alike,
    breaks,
    depends,
    joined,
)
from apigen.review.rules.lifecycle.serving import (
    Move,
    effect_of,
    effects_of,
    effects_of_newly_served,
    effects_of_unserved,
    has_storage,
    left_behind,
    may_be_stored,
    move_of,
    not_found_by_new_client,
)
from apigen.review.rules.rule import added, altered, at, change_rule, note, release_before, removed, silent
from apigen.review.surface import Element, ElementKind, Group, KindVersion, Surface, Version


@change_rule("group-removed", removed(ElementKind.GROUP), severities="E/E/E", presets=WIRE)
def group_removed(change: Removed, context: Context) -> RuleResult:
    """Its URLs are removed, and its stored objects cannot be read."""
    assert isinstance(change.part, Group)
    versions = " and ".join(filter(None, change.part.versions))
    name = change.element.group or "core"
    url = "/".join(filter(None, (name, next(iter(change.part.versions), ""))))
    effects = {
        Direction.OLD_CLIENT: breaks(f"clients of {url} get 404 Not Found"),
        Direction.NEW_CLIENT: breaks(f"newer clients do not know {name}, which older servers serve"),
        Direction.STORED: breaks(f"objects of {name} remain stored and cannot be read"),
        Direction.ROLLBACK: breaks(f"the previous release serves {name}, whose objects no client has updated since"),
    }
    with_versions = f", with {versions}" if versions else ""
    renamed = _renamed(change.part, context.old, context.new)
    to = f"; the new group {renamed.name} has the same kinds" if renamed else ""
    stable = max(map(stability, change.part.versions), default=Stability.STABLE)
    fix = f"restore `group: {name}`, or keep the old group next to the new one" if renamed else ""
    return RuleResult(
        f"group {name} was removed{with_versions}{to}", effects, fix, severities=at(Severities.of("W/E/E"), stable)
    )


def _renamed(group: Group, old: Surface, new: Surface) -> Group | None:
    """Return the new group that has the same kinds, if there is one."""
    kinds = set(group.kinds)
    others = (other for name, other in new.groups.items() if name not in old.groups)
    return next((other for other in others if kinds and kinds == set(other.kinds)), None)


@change_rule("group-added", added(ElementKind.GROUP), severities="I/I/I")
def group_added(change: Added, context: Context) -> RuleResult:
    """Older servers do not have it."""
    group, name = change.part, change.element.group or "core"
    assert isinstance(group, Group)
    effects: dict[Direction, Effect] = {}
    kinds = [kind for version in group.versions.values() if version.served for kind in version.kinds.values()]
    if any(kind.served for kind in kinds):
        effects[Direction.NEW_CLIENT] = depends(f"newer clients of {name} get 404 Not Found from an older server")
    if group.kinds:
        effects[Direction.ROLLBACK] = depends(
            f"objects of {name} remain stored, and the previous release does not read them"
        )
    return RuleResult(f"group {name} was added, with {' and '.join(group.versions) or 'no version'}", effects)


@change_rule("stored-version-removed", removed(ElementKind.VERSION), severities="W/E/E", presets=WIRE)
def stored_version_removed(change: Removed, context: Context) -> RuleResult | None:
    """Objects keep their stored version until a client updates them."""
    version, group = change.part, context.new.groups.get(change.element.group)
    assert isinstance(version, Version)
    stored = [kind.kind for kind in version.kinds.values() if kind.storage or kind.stored]
    if not stored and not (version.storage and version.kinds):
        return None
    kinds = " and ".join(stored or version.kinds)
    effects = {
        Direction.STORED: breaks(f"objects of {kinds} that are stored in {version.name} can no longer be read"),
        Direction.ROLLBACK: breaks(f"the previous release stores objects in {version.name}, and reads no other ones"),
    }
    if version.served:
        effects[Direction.OLD_CLIENT] = breaks(f"clients of {version} get 404 Not Found")
    message = f"version {version} was removed, but objects of {kinds} are stored in it"
    stones = () if group is None else group.tombstones
    migrated = next((stone.migrated for stone in stones if stone.name == version.name), None)
    if migrated:
        previous = release_before(context, change.element.group)
        message += f"; its tombstone declares a migration in {migrated}, which {previous} cannot know"
    return RuleResult(message, effects, patch=f"{version.name}: {{served: false}}")


@change_rule(
    "version-removed",
    removed(ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.KIND),
    severities="W/E/E",
    mitigated_by=(window_elapsed,),
    presets=WIRE,
)
def version_removed(change: Removed | Altered, context: Context) -> RuleResult | None:
    """Clients of the version get no answer."""
    match change:
        case Removed(part=Version() as version):
            return _removed(version)
        case Altered(old=Version() as old, new=Version() as new):
            return _unserved(f"version {new}", old.served, effects_of_unserved(change.element, context))
        case Altered(old=KindVersion() as kind, element=element):
            before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
            if before is not None and after is not None and before.served != after.served:
                return silent(f"`{kind.kind}` changed with its version")
            return _unserved(f"kind `{kind.kind}` of {after}", kind.served, effects_of_unserved(element, context))
    return None


def _removed(version: Version) -> RuleResult:
    if version.files and not version.kinds:
        package = {
            Direction.OLD_CLIENT: breaks(f"calls of services of {version} fail, and its types were removed"),
            Direction.STORED: breaks(f"no type decodes messages of {version}"),
        }
        return RuleResult(f"package {version} was removed, with its types and services", package)
    if not version.kinds:
        return note(f"version {version} was removed; it had no kind")
    text = f"objects cannot be read if they are stored in {version.name} and were not migrated"
    stored = {Direction.STORED: depends(text)}
    if not version.served:
        message = f"version {version} was removed; it was not served"
        return RuleResult(message, stored, severities=Severities.of("I/W/W"))
    effects = {Direction.OLD_CLIENT: breaks(f"clients of {version} get 404 Not Found"), **stored}
    return RuleResult(f"version {version} was removed, with {', '.join(version.kinds)}", effects)


def _unserved(subject: str, was_served: bool, other_effects: Effects) -> RuleResult | None:
    if not was_served:
        return None
    effects = {Direction.OLD_CLIENT: breaks(f"clients of {subject} get 404 Not Found"), **other_effects}
    return RuleResult(f"{subject} is no longer served", effects, patch="served: true")


@change_rule(
    "version-added",
    added(ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.VERSION),
    altered(Trait.SERVED, ElementKind.KIND),
    severities="I/I/I",
)
def version_added(change: Added | Altered, context: Context) -> RuleResult | None:
    """Clients that use it need a server that serves it."""
    match change:
        case Added(part=Version() as version, element=element):
            kinds = f" with {', '.join(version.kinds)}" if version.kinds else ""
            message = f"version {version} was added{kinds}{'' if version.served else ', but is not served yet'}"
            return RuleResult(message, _effects_of_added(version, element, context))
        case Altered(new=Version() as version, element=element):
            effects = effects_of_unserved(element, context)
            if version.kinds:
                effects = effects_of_newly_served(str(version), element, context)
            return RuleResult(f"version {version} is now served", effects)
        case Altered(new=KindVersion() as kind, element=element):
            subject = f"{element.version} `{kind.kind}`"
            return RuleResult(f"kind {subject} is now served", effects_of_newly_served(subject, element, context))
    return None


def _effects_of_added(version: Version, element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a new version; after a rollback on objects of its new kinds, if no other version stores them."""
    group = context.old.groups.get(element.group)
    new = [kind for kind in version.kinds if group is None or kind not in group.kinds]
    stored = [kind for kind in new if may_be_stored(kind, element, context)]
    effects = {Direction.NEW_CLIENT: not_found_by_new_client(str(version))} if version.served and version.kinds else {}
    return {**effects, Direction.ROLLBACK: left_behind(stored, element)} if stored else effects


_MOVING_STORAGE = (altered(Trait.STORAGE, ElementKind.VERSION), altered(Trait.STORAGE, ElementKind.KIND))


@change_rule("storage-advanced-too-early", *_MOVING_STORAGE, severities="W/E/E")
def storage_advanced_too_early(change: Altered, context: Context) -> RuleResult | None:
    """After a rollback, or during an upgrade, older servers find objects that they cannot read."""
    move = move_of(change, context)
    problem = "" if move is None else move.missing(context.old.version(change.element.group, move.was))
    if move is None or not problem:
        return None
    text = f"the previous release finds objects that are stored in {move.now.name}, and cannot read them"
    why = f"but {release_before(context, change.element.group)} cannot take over after a rollback: {problem}"
    return _storage_moved(move, why, {Direction.ROLLBACK: breaks(text)}, change, context)


def _storage_moved(move: Move, why: str, effects: Effects, change: Altered, context: Context) -> RuleResult:
    """Return the result for a move of storage that should be undone."""
    return RuleResult(
        f"{move.of_storage_in_words}, {why}",
        joined((effects, effects_of(effect_of(move, change.element, context)))),
        patch=f"{move.was}: {{storage: true}}",
        severities=at(Severities.of("W/E/E"), move.promise),
    )


@change_rule("storage-moved-to-less-stable", *_MOVING_STORAGE, severities="W/E/E")
def storage_moved_to_less_stable(change: Altered, context: Context) -> RuleResult | None:
    """The version may be removed before its objects are migrated."""
    move = move_of(change, context)
    if move is None or not move.is_to_less_stable:
        return None
    now = f"{move.now.name}, which is {stability(move.now.name)}"
    effects = {
        Direction.STORED: depends(f"objects are stored in {now}, and it may be removed first"),
        Direction.ROLLBACK: breaks(f"the previous release must read objects that are stored in {now}"),
    }
    return _storage_moved(move, "which is less stable", effects, change, context)


@change_rule("storage-version-moved", *_MOVING_STORAGE, severities="I/I/I")
def storage_version_moved(change: Altered, context: Context) -> RuleResult | None:
    """The recommended order: the previous release served both versions."""
    move = move_of(change, context)
    if move is not None:
        message = f"{move.of_storage_in_words}, which the previous release serves"
        what_changes = effect_of(move, change.element, context)
        if not what_changes:
            return note(message)
        severities = Severities.of("I/W/W")
        return RuleResult(f"{message}; one of the two {what_changes}", effects_of(what_changes), severities=severities)
    if change.after is True or has_storage(change, context):
        return silent(f"{change.element.version} is part of a move of storage that is reported elsewhere")
    effect = breaks(f"no version stores the objects of {change.element.version}, so they are not found")
    return RuleResult(
        f"{change.element.version} is no longer the storage version, and no other version is",
        alike(effect, Direction.STORED, Direction.OLD_CLIENT),
        "set `storage: true` on one version",
        severities=Severities.of("E/E/E"),
    )


@change_rule("preferred-advanced-too-early", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/W/E")
def preferred_advanced_too_early(change: Altered, context: Context) -> RuleResult | None:
    """During an upgrade, only some servers serve the preferred version."""
    move = move_of(change, context)
    missing = "" if move is None else move.missing(None)
    if move is None or not (missing or move.is_to_less_stable):
        return None
    problem = "is less stable"
    if missing:
        problem = f"{release_before(context, change.element.group)} cannot serve it after a rollback: {missing}"
    effects = {
        Direction.OLD_CLIENT: depends(f"clients that use the preferred version get {move.now.name}"),
        Direction.ROLLBACK: depends(f"objects written in {move.now.name} are not available in the previous release"),
    }
    message = f"preferred version changed from {move.was} to {move.now.name}, {'but' if missing else 'which'} {problem}"
    severities = at(preferred_advanced_too_early.severities, move.promise)
    return RuleResult(message, effects, patch=f"{move.was}: {{preferred: true}}", severities=severities)


@change_rule("preferred-version-moved", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/I/I")
def preferred_version_moved(change: Altered, context: Context) -> RuleResult | None:
    """The recommended order: the previous release served both versions."""
    move = move_of(change, context)
    if move is None:
        return silent(f"{change.element.version} is part of a move of the preferred version that is reported elsewhere")
    effect = depends(f"clients that use the preferred version get {move.now.name}, and may only know {move.was}")
    return RuleResult(f"preferred version changed from {move.was} to {move.now.name}", {Direction.OLD_CLIENT: effect})
