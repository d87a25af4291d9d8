"""Groups, versions, kinds and types: added, removed, served, stored, preferred; names, scope, strategy, subresources, columns;
and references to less stable ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.ir.model import Lifecycle
from apigen.ir.stability import Stability, stability, version_rank
from apigen.language.releases import Release
from apigen.review.changes.change import Added, Altered, Entries, Removed, Trait, pairs_of, value_words
from apigen.review.context import Context
from apigen.review.gating import Use, is_never_enabled
from apigen.review.links import names_in, names_in_slot
from apigen.review.mitigations import window_elapsed
from apigen.review.results import (
    API,
    WIRE,
    Direction,
    Effect,
    Effects,
    Preset,
    RuleResult,
    Severities,
    alike,
    breaks,
    depends,
    everywhere,
    joined,
)
from apigen.review.rules.defaults import version_defaults
from apigen.review.rules.rule import (
    INFO,
    Issue,
    about,
    added,
    altered,
    at,
    change_rule,
    note,
    release_before,
    removed,
    silent,
    state_rule,
    version_of,
)
from apigen.review.surface import (
    Alias,
    Element,
    ElementKind,
    Group,
    Kind,
    KindVersion,
    Struct,
    Surface,
    TypeDef,
    TypeName,
    Version,
)
from apigen.review.windows import acting_release, is_inherited


def is_served(version: Version, kind: str, release: Release | None) -> bool:
    """Return whether a version serves a kind in a release, by the lifecycles of both; None for an unknown release."""
    found = version.kinds.get(kind)
    if found is None or not version.served or not found.served:
        return False
    life = found.lifecycle
    if release is None:
        return True
    has_come = life.introduced is None or life.introduced <= release
    return has_come and (life.removed is None or life.removed > release)


def is_served_at_all(kind: str, group: str, surface: Surface) -> bool:
    """Return whether a side serves a kind in any version, in its own release."""
    release = acting_release(surface, group)
    return any(is_served(version, kind, release) for version in surface.versions_of(group))


def effects_of_unserved(element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects on stored objects of a version, or of a kind in it, if no version serves them any more or before.

    Empty if another version serves them: they are read in that one.
    """
    before, after = _served_kinds(element, context.old), _served_kinds(element, context.new)
    effects: dict[Direction, Effect] = {}
    if before - after:
        unserved = ", ".join(sorted(before - after))
        effects[Direction.STORED] = depends(f"objects of {unserved} remain stored, and no version serves them")
    if after - before:
        newly_served = ", ".join(sorted(after - before))
        effects[Direction.ROLLBACK] = depends(
            f"objects of {newly_served} remain stored, and the previous release does not serve them"
        )
    return effects


def effects_of_newly_served(subject: str, element: Element, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a version, or a kind in it, that the previous release did not serve; messages call it `subject`."""
    return {Direction.NEW_CLIENT: not_found_by_new_client(subject), **effects_of_unserved(element, context)}


def not_found_by_new_client(subject: str) -> Effect:
    """Return the effect on newer clients of a version, or a kind in a version, that older servers do not serve."""
    return depends(f"newer clients of {subject} get 404 Not Found from an older server")


def _served_kinds(element: Element, surface: Surface) -> frozenset[str]:
    version = surface.version(element.group, element.version)
    names = () if version is None else (name for name in version.kinds if element.type in ("", name))
    return frozenset(name for name in names if is_served_at_all(name, element.group, surface))


def may_be_stored(kind: str, version: Element, context: Context) -> bool:
    """Return whether objects of a kind may be stored in a version of the revision: it is the storage version, or the kind has
    none and objects are stored in the version of the request.
    """
    storing = [each.name for each in context.new.versions_of(version.group) if _stores(each, kind)]
    return not storing or version.version in storing


def left_behind(kinds: Iterable[str], version: Element) -> Effect:
    """Return the effect on stored objects of kinds that the previous release does not have."""
    return depends(
        f"objects of {', '.join(kinds)} remain stored in {version.version}, and the previous release does not read them"
    )


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


def _stores(version: Version, kind: str) -> bool:
    return kind in version.kinds and version.kinds[kind].storage


def _holder(side: Surface, change: Altered) -> Version | None:
    """Return the preferred version or the storage version of a side, depending on the change."""
    for version in side.versions_of(change.element.group):
        if change.trait is Trait.PREFERRED:
            holds = version.preferred
        elif change.element.kind is ElementKind.KIND:
            holds = _stores(version, change.element.type)
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
@about(move_of)
def storage_advanced_too_early(change: Altered, move: Move, context: Context) -> RuleResult | None:
    """After a rollback, or during an upgrade, older servers find objects that they cannot read."""
    problem = move.missing(context.old.version(change.element.group, move.was))
    if not problem:
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
    return RuleResult(message, effects, patch=f"{move.was}: {{preferred: true}}", severities=severities)


@change_rule("preferred-version-moved", altered(Trait.PREFERRED, ElementKind.VERSION), severities="I/I/I")
def preferred_version_moved(change: Altered, context: Context) -> RuleResult | None:
    """The recommended order: the previous release served both versions."""
    move = move_of(change, context)
    if move is None:
        return silent(f"{change.element.version} is part of a move of the preferred version that is reported elsewhere")
    effect = depends(f"clients that use the preferred version get {move.now.name}, and may only know {move.was}")
    return RuleResult(f"preferred version changed from {move.was} to {move.now.name}", {Direction.OLD_CLIENT: effect})


@change_rule(
    "kind-removed", removed(ElementKind.KIND), severities="W/E/E", mitigated_by=(window_elapsed,), presets=WIRE
)
def kind_removed(change: Removed, context: Context) -> RuleResult | None:
    """Its URL is removed, and no server reads its objects."""
    kind, element = change.part, change.element
    if not isinstance(kind, KindVersion):
        return silent(f"kind `{element.type}` was removed from all versions, each of which is reported")
    effects = _effects_of_removed(kind, element, context)
    others = [each.name for each in context.new.versions_of(element.group) if each.served and kind.kind in each.kinds]
    verb = "has" if len(others) == 1 else "have"
    tail = f"; {' and '.join(others)} still {verb} it" if others else _renamed_kind(element, context)
    message = f"kind `{kind.kind}` was removed from {version_of(element)}{tail}"
    return RuleResult(message, effects) if effects else note(f"{message}; it was neither served nor stored there")


def _effects_of_removed(kind: KindVersion, element: Element, context: Context) -> dict[Direction, Effect]:
    version = context.old.version(element.group, element.version)
    effects: dict[Direction, Effect] = {}
    if kind.served and version is not None and version.served:
        effects[Direction.OLD_CLIENT] = breaks(f"clients of {element.version} `{kind.kind}` get 404 Not Found")
        effects[Direction.STORED] = depends(
            f"objects of `{kind.kind}` cannot be read if they are stored in {element.version}"
        )
    if kind.storage:
        effects[Direction.STORED] = breaks(
            f"objects of `{kind.kind}` stored in {element.version} can no longer be read"
        )
    unread = _new_storage(element, context)
    if unread:
        text = f"objects of `{kind.kind}` are stored in {unread}, which the previous release cannot read"
        effects[Direction.ROLLBACK] = breaks(text)
    return effects


def _new_storage(element: Element, context: Context) -> str:
    """Return a version in which the revision may store the kind, but in which the base does not have it; empty if none."""
    for version in context.new.versions_of(element.group):
        known = context.old.version(element.group, version.name)
        is_new = element.type in version.kinds and (known is None or element.type not in known.kinds)
        if is_new and may_be_stored(element.type, replace(element, version=version.name), context):
            return version.name
    return ""


def _renamed_kind(element: Element, context: Context) -> str:
    """Return the new kind with the plural of a removed one, for messages; empty if no new kind has it."""
    known, group = context.old.groups[element.group].kinds, context.new.groups.get(element.group)
    plural = known[element.type].plural if element.type in known else None
    for kind in group.kinds.values() if group is not None else ():
        if kind.name not in known and kind.plural == plural:
            return f"; the new kind `{kind.name}` has its plural"
    return ""


@change_rule("kind-added", added(ElementKind.KIND), severities="I/I/I")
def kind_added(change: Added, context: Context) -> RuleResult | None:
    """Clients that use it need a server that serves it."""
    kind, element = change.part, change.element
    if not isinstance(kind, KindVersion):
        return silent(f"kind `{element.type}` is new in its group; each version is reported")
    where = version_of(element)
    effect = depends(f"clients of {where} `{kind.kind}` get 404 Not Found from an older server")
    effects = {Direction.NEW_CLIENT: effect} if kind.served else {}
    message = f"kind `{kind.kind}` was added to {where}{'' if kind.served else ', but is not served yet'}"
    before = _of_same_plural(element, context) if kind.storage else None
    if before is not None:
        text = f"objects of `{kind.kind}` are stored as `{before.plural}`, which the previous release reads as `{before.name}`"
        effects[Direction.ROLLBACK] = breaks(text)
        message = f"{message}; it has the plural `{before.plural}` of the former kind `{before.name}`"
        fix = "restore the name of the kind, or give the new kind another plural"
        return RuleResult(message, effects, fix, severities=Severities.of("W/E/E"))
    if may_be_stored(kind.kind, element, context):
        effects[Direction.ROLLBACK] = left_behind([kind.kind], element)
    return RuleResult(message, effects)


def _of_same_plural(element: Element, context: Context) -> Kind | None:
    """Return the kind of the base with the plural of a new kind: their objects are stored under the same keys."""
    old, new = context.old.groups.get(element.group), context.new.groups.get(element.group)
    kind = None if new is None else new.kinds.get(element.type)
    if old is None or kind is None or not kind.plural:
        return None
    return next((each for each in old.kinds.values() if each.plural == kind.plural and each.name != kind.name), None)


@change_rule(
    "kind-names-changed",
    altered(Trait.PLURAL, ElementKind.KIND),
    altered(Trait.SINGULAR, ElementKind.KIND),
    altered(Trait.LIST_KIND, ElementKind.KIND),
    severities="E/E/E",
)
def kind_names_changed(change: Altered, context: Context) -> RuleResult:
    """Clients use plural, singular and the kind of lists as constants."""
    before, after = value_words(change.before), value_words(change.after)
    match change.trait:
        case Trait.LIST_KIND:
            was, now = (f"lists of kind {name}" if name else "no lists" for name in (change.before, change.after))
            texts = {
                Direction.OLD_CLIENT: f"older clients expect {was}, and get {now}",
                Direction.NEW_CLIENT: f"newer clients expect {now} from an older server, and get {was}",
            }
        case Trait.SINGULAR:
            texts = {
                Direction.OLD_CLIENT: f"commands and scripts that use `{before}` fail",
                Direction.NEW_CLIENT: f"scripts that use `{after}` fail on an older server",
            }
        case _:
            texts = {
                Direction.OLD_CLIENT: f"older clients of `{before}` get 404 Not Found",
                Direction.NEW_CLIENT: f"newer clients of `{after}` get 404 Not Found from an older server",
                Direction.STORED: f"objects are stored as `{before}`, but the server looks for them as `{after}`",
                Direction.ROLLBACK: f"the previous release does not find objects that are stored as `{after}`",
            }
    message = f"{change.trait} of kind `{change.element.type}` changed from {before} to {after}"
    return RuleResult(message, {direction: breaks(text) for direction, text in texts.items()})


@change_rule(
    "short-names-changed",
    altered(Trait.SHORT_NAMES, ElementKind.KIND),
    altered(Trait.CATEGORIES, ElementKind.KIND),
    severities="I/W/W",
)
def short_names_changed(change: Altered, context: Context) -> RuleResult:
    """Users and scripts use these names on the command line."""
    entries = Entries.of(change)
    effect = f"scripts that use `{entries.first_removed}` fail"
    return _names_changed(f"{change.trait} of kind `{change.element.type}`", entries, effect)


def _names_changed(subject: str, entries: Entries, effect: str, patch: str = "") -> RuleResult:
    """Return the result for a list of names; `effect` is that of removed names on older clients."""
    message = f"{subject} changed: {entries.words}"
    if not entries.removed:
        return note(message, "no action is needed")
    return RuleResult(message, {Direction.OLD_CLIENT: depends(effect)}, patch=patch)


_UPDATES = frozenset({"update", "status"})
_REWRITES = frozenset({"resets", "sets", "adds"})


@change_rule("strategy-changed", altered(Trait.STRATEGY, ElementKind.KIND), severities="I/W/W", presets=API)
def strategy_changed(change: Altered, context: Context) -> RuleResult | None:
    """Create and update keep, reset or set other fields of what a client sends."""
    if change.before is None or change.after is None:
        return silent("one side does not declare strategies")
    before, after = pairs_of(change.before), pairs_of(change.after)
    changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    words = "; ".join(
        f"{name} changed from {value_words(before.get(name))} to {value_words(after.get(name))}" for name in changed
    )
    text = f"the server stores objects of `{change.element.type}` differently"
    effects = {
        Direction.OLD_CLIENT: depends(f"{text} than older clients expect"),
        Direction.NEW_CLIENT: depends(
            f"an older server stores objects of `{change.element.type}` differently than newer clients expect"
        ),
    }
    added, removed = _rewriting(after, before), _rewriting(before, after)
    if added:
        effects[Direction.STORED] = depends(f"the next update of a stored object also changes other fields: {added}")
    if removed:
        effects[Direction.ROLLBACK] = depends(f"an update by the previous release also changes other fields: {removed}")
    return RuleResult(f"strategy of kind `{change.element.type}` changed: {words}", effects)


def _rewriting(one: dict[str, str], other: dict[str, str]) -> str:
    """Return what an update of an unchanged object changes by one strategy, but not by the other; empty if nothing.

    The keys of a strategy are `hooks`, or an operation with its effect, such as `update resets`.
    """
    differing = {name for name in (*one, *other) if one.get(name) != other.get(name)}
    conditional = {name.partition(" ")[0] for name in differing if name.endswith(" when")}
    parts: list[str] = []
    for name, condition in sorted(one.items()):
        operation, _, effect = name.partition(" ")
        rewrites = name == "hooks" or (operation in _UPDATES and effect in _REWRITES)
        if rewrites and (name in differing or operation in conditional):
            parts.append(f"{name} {condition}")
    return "; ".join(parts)


@change_rule("type-meta-changed", altered(Trait.TYPE_META, ElementKind.KIND), severities="E/E/E", presets=WIRE)
def type_meta_changed(change: Altered, context: Context) -> RuleResult | None:
    """Readers decode objects by `apiVersion` and `kind`."""
    if change.before is None or change.after is None:
        return silent("one side does not declare whether objects have `apiVersion` and `kind`")
    objects = f"objects of `{change.element.type}`"
    old, new = (
        f"expects {objects} {'with' if has_meta else 'without'} `apiVersion` and `kind`"
        for has_meta in (change.before, change.after)
    )
    effects = {
        Direction.OLD_CLIENT: breaks(f"an older client {old}, and the server {new}"),
        Direction.NEW_CLIENT: breaks(f"a newer client {new}, and an older server {old}"),
        Direction.STORED: breaks(f"the new release {new}, and stored objects have the other form"),
        Direction.ROLLBACK: breaks(
            f"the previous release {old}, and objects stored by the newer one have the other form"
        ),
    }
    how = "were added to" if change.after else "were removed from"
    return RuleResult(f"`apiVersion` and `kind` {how} {objects}", effects)


@change_rule("scope-changed", altered(Trait.SCOPE, ElementKind.KIND), severities="E/E/E")
def scope_changed(change: Altered, context: Context) -> RuleResult | None:
    """URLs and store keys of a namespaced kind contain the namespace."""
    kind, before, after = change.element.type, f"{change.before}", f"{change.after}"
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients request `{kind}` as {before}, and get 404 Not Found"),
        Direction.NEW_CLIENT: breaks(
            f"newer clients request `{kind}` as {after} from an older server, and get 404 Not Found"
        ),
        Direction.STORED: breaks(
            f"objects of `{kind}` are stored under keys of {before}, but the server looks for them as {after}"
        ),
        Direction.ROLLBACK: breaks(
            f"the previous release does not find objects of `{kind}` that are stored as {after}"
        ),
    }
    return RuleResult(f"scope of kind `{kind}` changed from {before} to {after}", effects)


@change_rule(
    "subresource-removed",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="W/E/E",
)
def subresource_removed(change: Altered, context: Context) -> RuleResult | None:
    """Clients of the subresource get no answer."""
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return _other_scale(change) if change.before and change.after else None
    removed_names = Entries.of(change).removed
    if not removed_names:
        return None
    effects = {
        Direction.OLD_CLIENT: breaks(f"clients that write `{kind}` through /{removed_names[0]} get 404 Not Found")
    }
    if "status" in removed_names:
        effects[Direction.NEW_CLIENT] = depends(f"an older server ignores status in a write of `{kind}` itself")
    message = f"/{' and /'.join(removed_names)} of {change.element.version} `{kind}` was removed"
    return RuleResult(message, effects, patch=f"subresources: {{{removed_names[0]}: {{}}}}")


def _other_scale(change: Altered) -> RuleResult:
    kind, before, after = change.element.type, change.before, change.after
    effects = {
        Direction.OLD_CLIENT: breaks(f"older autoscalers read and write other fields of `{kind}`"),
        Direction.NEW_CLIENT: breaks(f"/scale of an older server uses other fields of `{kind}`"),
    }
    return RuleResult(f"/scale of `{kind}` changed from {before} to {after}", effects, patch=f"scale: {{{before}}}")


@change_rule(
    "subresource-added",
    altered(Trait.SUBRESOURCES, ElementKind.KIND),
    altered(Trait.SCALE, ElementKind.KIND),
    severities="I/W/E",
)
def subresource_added(change: Altered, context: Context) -> RuleResult | None:
    """With `/status`, writes of the whole object no longer change its status."""
    kind = change.element.type
    if change.trait is Trait.SCALE:
        return silent(f"the paths of /scale of `{kind}` were added or removed with it")
    entries = Entries.of(change)
    new = entries.new
    if not new:
        return None if entries.removed else silent(f"the order of subresources of `{kind}` changed")
    message = f"/{' and /'.join(new)} was added to {change.element.version} `{kind}`"
    newer = {Direction.NEW_CLIENT: depends(f"newer clients of /{new[0]} get 404 Not Found from an older server")}
    why = _why_harmless(change, context)
    if "status" not in new or why:
        message += f": {why}" if "status" in new else ""
        return RuleResult(message, newer, "no action is needed", severities=INFO)
    effects = {
        **newer,
        Direction.OLD_CLIENT: depends(
            f"the server ignores status in a write of `{kind}` itself; clients must use /status"
        ),
        Direction.STORED: depends(f"a status of `{kind}` that users wrote remains until a controller writes it"),
        Direction.ROLLBACK: depends(f"in the previous release, a write of `{kind}` overwrites its status"),
    }
    return RuleResult(message, effects)


def _why_harmless(change: Altered, context: Context) -> str:
    """Return why no client can have written status with the object; empty if a client can."""
    element = change.element
    before = context.old.type(change.old.root) if isinstance(change.old, KindVersion) else None
    if isinstance(before, Struct) and "status" not in before.fields:
        return "status itself is new"
    group = context.old.groups.get(element.group)
    kind = None if group is None else group.kinds.get(element.type)
    return "its objects are not stored" if kind is not None and not kind.list_kind else ""


@change_rule("selectable-field-removed", altered(Trait.SELECTABLE_FIELDS, ElementKind.KIND), severities="I/I/W")
def selectable_field_removed(change: Altered, context: Context) -> RuleResult | None:
    """A list request with that selector is rejected."""
    entries = Entries.of(change)
    effect = f"the server rejects requests that select by `{entries.first_removed.split(':')[0]}`"
    patch = f"selectableFields: {{{entries.first_removed}}}"
    return _names_changed(f"selectable fields of `{change.element.type}`", entries, effect, patch)


@change_rule("printer-column-removed", altered(Trait.PRINTER_COLUMNS, ElementKind.KIND), severities="I/I/W")
def printer_column_removed(change: Altered, context: Context) -> RuleResult | None:
    """Scripts that parse the table read other columns."""
    entries = Entries.of(change)
    effect = f"scripts that read the column `{entries.first_removed}` find another one, or none"
    return _names_changed(f"printer columns of `{change.element.type}`", entries, effect)


@change_rule(
    "type-removed",
    removed(ElementKind.STRUCT),
    removed(ElementKind.ENUM),
    removed(ElementKind.ALIAS),
    severities="W/E/E",
)
def type_removed(change: Removed, context: Context) -> RuleResult:
    """Usually a consequence: the fields that used the type, or its kind, were removed."""
    element = change.element
    message = f"{element.kind} `{element.type}` was removed from {version_of(element)}"
    versions = [side.version(element.group, element.version) for side in (context.old, context.new)]
    if context.preset is Preset.SOURCE:
        text = f"code that uses the class `{element.type}` fails to import it"
    elif all(version is None or not version.kinds for version in versions):
        text = f"APIs that use {element.version} `{element.type}` do not find it"
    else:
        return note(f"{message}{_why(element, context)}", "no action is needed")
    return RuleResult(message, {Direction.OLD_CLIENT: breaks(text)})


def _why(element: Element, context: Context) -> str:
    kinds = sorted(context.old_facts.reach.kinds(element.type_name))
    version = context.old.version(element.group, element.version)
    if version is not None and element.type.removesuffix("List") in version.kinds and element.type.endswith("List"):
        return "; it was the list type of a kind"
    if not kinds:
        return "; no kind used it"
    return f"; it was part of {kinds[0]}{' and other kinds' if len(kinds) > 1 else ''}, where its field or kind was removed"


@change_rule(
    "type-added", added(ElementKind.STRUCT), added(ElementKind.ENUM), added(ElementKind.ALIAS), severities="I/I/I"
)
def type_added(change: Added, context: Context) -> RuleResult:
    """Fields that use the type have findings of their own."""
    element = change.element
    return note(f"{element.kind} `{element.type}` was added to {version_of(element)}")


_WORD = re.compile(r"[^\s/]+")


@state_rule("replacement-is-less-stable", severities="W/E/E", is_about_plans=True)
def replacement_is_less_stable(surface: Surface, context: Context) -> Iterator[Issue]:
    """A less stable version may be removed before the deprecated version."""
    for version in surface.versions():
        element = Element(ElementKind.VERSION, version.group, version.name)
        yield from _less_stable(element, version.lifecycle, version.place)
        for kind in version.kinds.values():
            if not is_inherited(kind.lifecycle, version.lifecycle):
                below = Element(ElementKind.KIND, version.group, version.name, kind.kind)
                yield from _less_stable(below, kind.lifecycle, kind.place)


def _less_stable(element: Element, life: Lifecycle, place: Place) -> Iterator[Issue]:
    replacement = str(life.replacement or "")
    named = [word for word in _WORD.findall(replacement) if version_rank(word) is not None]
    if not named or stability(named[0]) >= stability(element.version):
        return
    message = f"{element.words} is deprecated in favor of {replacement}, which is {stability(named[0])}"
    effect = depends(f"clients that migrate go from {stability(element.version)} to {stability(named[0])}")
    yield Issue(element, place, RuleResult(message, {Direction.OLD_CLIENT: effect}), replacement)


@state_rule("stable-refers-to-unstable", severities="-/W/E")
def stable_refers_to_unstable(surface: Surface, context: Context) -> Iterator[Issue]:
    """A field is at most as stable as the version of its type."""
    links = context.facts(surface).links
    for version in surface.versions(own=True):
        for type_ in version.types.values():
            if any(stability(named.version) < stability(version.name) for named in links.of(type_.name)):
                yield from _unstable_references(type_, version, surface, context)


def _unstable_references(type_: TypeDef, version: Version, surface: Surface, context: Context) -> Iterator[Issue]:
    openness = context.facts(surface).openness
    for path, named, place in _references(type_, surface):
        if stability(named.version) >= stability(version.name) or surface.type(named) is None:
            continue
        element = Element(ElementKind.FIELD, *type_.name, path)
        if openness.use(element) is Use.NEVER:
            continue
        message = f"{element.words} has the type {named}, which is {stability(named.version)}"
        effect = depends(f"{named} may change at any time, and {version} with it")
        effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
        severities = at(stable_refers_to_unstable.severities, stability(version.name))
        yield Issue(element, place, RuleResult(message, effects, severities=severities), str(named))


def _references(type_: TypeDef, surface: Surface) -> Iterator[tuple[str, TypeName, Place]]:
    """Return the types that a type refers to, by field."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            if not is_never_enabled(field.gate, surface):
                yield from ((field.name, named, field.place) for named in names_in_slot(field.slot))
    elif isinstance(type_, Alias):
        yield from (("", named, type_.place) for named in names_in(type_))
