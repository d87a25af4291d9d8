"""Versions: added, removed, served, stored, preferred."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.ir.stability import Stability, stability
from apigen.ir.surface import Element, ElementKind, KindVersion, Struct, Surface, Version
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
    everywhere,
    joined,
)
from apigen.review.rules.defaults import version_defaults
from apigen.review.rules.lifecycle.served_and_stored import (
    effects_of_newly_served,
    effects_of_unserved,
    left_behind,
    may_be_stored,
    not_found_by_new_client,
    stores,
)
from apigen.review.rules.rule import about, added, altered, at, change_rule, note, release_before, removed, silent
from apigen.review.windows import NOTES, edit_instead_of_removal


@dataclass(frozen=True, slots=True)
class Move:
    """A move from one version to another, of storage or of the preferred version.

    `known` is the new version in the base, or None. `kind` is empty if all kinds of the group move.
    """

    was: str
    now: Version
    known: Version | None
    kind: str = ""

    @property
    def of_storage_in_words(self) -> str:
        """A move of storage, as the start of a message."""
        return f"storage version{f' of `{self.kind}`' if self.kind else ''} moved from {self.was} to {self.now.name}"

    @property
    def is_to_less_stable(self) -> bool:
        """Return whether the new version is less stable."""
        return stability(self.now.name) < stability(self.was)

    @property
    def of_next_release(self) -> str:
        """Return that the next release may move it, for fixes; empty if the new version is less stable."""
        return "" if self.is_to_less_stable else " in this release, and move it in the next one"

    @property
    def promise(self) -> Stability:
        """The stability of the more stable one of both versions."""
        return max(stability(self.was), stability(self.now.name))

    def missing(self, before: Version | None) -> str:
        """Return why the base could not read objects after the move; empty if it could. `before`: its old version."""
        if self.known is None:
            return f"{self.now.name} is new"
        if not self.known.served:
            return f"{self.now.name} was not served"
        kinds = [self.kind] if self.kind else list(before.kinds if before is not None else ())
        lacking = next((kind for kind in kinds if kind in self.now.kinds and kind not in self.known.kinds), None)
        return f"{self.now.name} did not have {lacking}" if lacking else ""


def move_of(change: Altered, context: Context) -> Move | None:
    """Return the move that a change of `storage` or `preferred` belongs to; None if another change of the move reports it.

    It is reported at the version that loses the flag, or at the one that gets it if the other one was removed.
    """
    element = change.element
    kind = element.type if element.kind is ElementKind.KIND else ""
    source, target = _holder(context.old, change), _holder(context.new, change)
    if source is None or target is None or source.name == target.name:
        return None
    if change.trait is Trait.PREFERRED and not source.declares_preferred and not target.declares_preferred:
        return None  # the preferred version is then the storage version, which has a finding of its own
    remaining = context.new.version(element.group, source.name)
    reporting = source if remaining is not None and (not kind or kind in remaining.kinds) else target
    if element.version != reporting.name or (kind and _moves_as_a_whole(change, context)):
        return None
    return Move(source.name, target, context.old.version(element.group, target.name), kind)


def effect_of(move: Move, element: Element, context: Context) -> str:
    """Return the first effect on objects of storing them in one of the versions of a move, on either side.

    Empty if objects are the same in both: neither version is lossy, and both have the same defaults.
    """
    for side in (context.old, context.new):
        was, now = (side.version(element.group, name) for name in (move.was, move.now.name))
        for version in (was, now):
            for type_ in () if version is None else version.types.values():
                if isinstance(type_, Struct) and type_.losses:
                    return f"does not preserve all values: {type_.losses[0]}"
        place = "" if was is None or now is None else _defaulted_otherwise(was, now)
        if place:
            return f"has another default for {place}"
    return ""


def _defaulted_otherwise(was: Version, now: Version) -> str:
    """Return the first place where two versions have different defaults; empty if they have the same."""
    one, other = version_defaults(was), version_defaults(now)
    return next((place for place in {**one, **other} if one.get(place) != other.get(place)), "")


def effects_of(effect: str) -> dict[Direction, Effect]:
    """Return the effects of a move of storage between versions that differ; empty if they do not."""
    text = f"objects change if they are stored in a version that {effect}"
    return everywhere(depends(text)) if effect else {}


def _holder(side: Surface, change: Altered) -> Version | None:
    """Return the preferred version or the storage version of a side, depending on the change."""
    for version in side.versions_of(change.element.group):
        if change.trait is Trait.PREFERRED:
            holds = version.preferred
        elif change.element.kind is ElementKind.KIND:
            holds = stores(version, change.element.type)
        else:
            holds = version.storage
        if holds:
            return version
    return None


def _moves_as_a_whole(change: Altered, context: Context) -> bool:
    """Return whether the version of a kind moves, too, which is reported at the version."""
    element = change.element
    before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
    return before is not None and after is not None and before.storage != after.storage


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
    tombstones = () if group is None else group.tombstones
    migrated = next((tombstone.migrated for tombstone in tombstones if tombstone.name == version.name), None)
    if migrated:
        previous = release_before(context, change.element.group)
        message += f"; its tombstone declares a migration in {migrated}, which {previous} cannot know"
    if version.served:
        fix = edit_instead_of_removal(version.lifecycle, change.element, context.old, context.new)
        if fix:
            return RuleResult(message, effects, fix)
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
            return _removed(version, change.element, context)
        case Altered(old=Version() as old, new=Version() as new):
            return _unserved(f"version {new}", old, change.element, context)
        case Altered(old=KindVersion() as kind, element=element):
            before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
            if before is not None and after is not None and before.served != after.served:
                return silent(f"`{kind.kind}` changed with its version")
            return _unserved(f"kind `{kind.kind}` of {after}", kind, element, context)
    return None


def _removed(version: Version, element: Element, context: Context) -> RuleResult:
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
    fix = edit_instead_of_removal(version.lifecycle, element, context.old, context.new, due=NOTES)
    return RuleResult(f"version {version} was removed, with {', '.join(version.kinds)}", effects, fix)


def _unserved(subject: str, old: Version | KindVersion, element: Element, context: Context) -> RuleResult | None:
    if not old.served:
        return None
    unknown = breaks(f"clients of {subject} get 404 Not Found")
    effects = {Direction.OLD_CLIENT: unknown, **effects_of_unserved(element, context)}
    fix = edit_instead_of_removal(old.lifecycle, element, context.old, context.new, restored="declare `served: true`")
    return RuleResult(f"{subject} is no longer served", effects, fix, patch="" if fix else "served: true")


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
@about(move_of)
def storage_advanced_too_early(change: Altered, move: Move, context: Context) -> RuleResult | None:
    """After a rollback, or during an upgrade, older servers find objects that they cannot read."""
    problem = move.missing(context.old.version(change.element.group, move.was))
    if not problem:
        return None
    text = f"the previous release finds objects that are stored in {move.now.name}, and cannot read them"
    why = f"but {release_before(context, change.element.group)} cannot take over after a rollback: {problem}"
    fix = f"move `storage: true` back from {move.now.name} to {move.was}{move.of_next_release}"
    return _storage_moved(move, why, {Direction.ROLLBACK: breaks(text)}, fix, change, context)


def _storage_moved(move: Move, why: str, effects: Effects, fix: str, change: Altered, context: Context) -> RuleResult:
    """Return the result for a move of storage that should be undone."""
    return RuleResult(
        f"{move.of_storage_in_words}, {why}",
        joined((effects, effects_of(effect_of(move, change.element, context)))),
        fix,
        severities=at(Severities.of("W/E/E"), move.promise),
    )


@change_rule("storage-moved-to-less-stable", *_MOVING_STORAGE, severities="W/E/E")
@about(move_of)
def storage_moved_to_less_stable(change: Altered, move: Move, context: Context) -> RuleResult | None:
    """The version may be removed before its objects are migrated."""
    if not move.is_to_less_stable:
        return None
    now = f"{move.now.name}, which is {stability(move.now.name)}"
    effects = {
        Direction.STORED: depends(f"objects are stored in {now}, and it may be removed first"),
        Direction.ROLLBACK: breaks(f"the previous release must read objects that are stored in {now}"),
    }
    fix = f"move `storage: true` back from {move.now.name} to {move.was}"
    return _storage_moved(move, "which is less stable", effects, fix, change, context)


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
    if change.after is True or _holder(context.new, change) is not None:
        return silent(f"{change.element.version} is part of a move of storage that is reported elsewhere")
    effect = breaks(f"no version stores the objects of {change.element.version}, so they are not found")
    return RuleResult(
        f"{change.element.version} is no longer the storage version, and no other version is",
        alike(effect, Direction.STORED, Direction.OLD_CLIENT),
        "set `storage: true` on one version",
        severities=Severities.of("E/E/E"),
    )


@change_rule("preferred-advanced-too-early", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/W/E")
@about(move_of)
def preferred_advanced_too_early(change: Altered, move: Move, context: Context) -> RuleResult | None:
    """During an upgrade, only some servers serve the preferred version."""
    missing = move.missing(None)
    if not (missing or move.is_to_less_stable):
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
    return RuleResult(message, effects, _undone_preference(move, change, context), severities=severities)


def _undone_preference(move: Move, change: Altered, context: Context) -> str:
    """Return the edit that undoes a move of the preferred version, which is the storage version by default."""
    source = context.old.version(change.element.group, move.was)
    if not move.now.declares_preferred:
        return f"restore `preferred: true` on {move.was}"
    if source is not None and source.declares_preferred:
        return f"move `preferred: true` back from {move.now.name} to {move.was}{move.of_next_release}"
    return f"remove `preferred: true` from {move.now.name}"


@change_rule("preferred-version-moved", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/I/I")
def preferred_version_moved(change: Altered, context: Context) -> RuleResult | None:
    """The recommended order: the previous release served both versions."""
    move = move_of(change, context)
    if move is None:
        return silent(f"{change.element.version} is part of a move of the preferred version that is reported elsewhere")
    effect = depends(f"clients that use the preferred version get {move.now.name}, and may only know {move.was}")
    return RuleResult(f"preferred version changed from {move.was} to {move.now.name}", {Direction.OLD_CLIENT: effect})
