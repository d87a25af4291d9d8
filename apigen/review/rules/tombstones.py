"""Deprecation, removal and tombstones."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.diagnostics.quoting import listing, yaml_text
from apigen.ir.model import NO_LIFECYCLE, Lifecycle, Release
from apigen.ir.stability import WINDOW, Stability, is_before, next_release, releases_later, stability
from apigen.ir.surface import (
    Element,
    ElementKind,
    Enum,
    EnumValue,
    Field,
    GateMark,
    Group,
    KindVersion,
    Struct,
    Surface,
    Tombstone,
    TypeDef,
    Version,
    members_of,
    struct_of,
)
from apigen.language.model import NumberRange
from apigen.review.changes.change import Added, Altered, AnyChange, Removed, Trait, Value
from apigen.review.changes.words import change_words, from_to, value_words
from apigen.review.context import Context
from apigen.review.effects.scalars import in_json
from apigen.review.gating import is_accepted, is_never_enabled
from apigen.review.results import WIRE, Direction, Effect, Example, RuleResult, Severities, Side, alike, breaks, depends
from apigen.review.rules.defaults import is_filled, omission_effect
from apigen.review.rules.enums.enum_values import rolled_out_effects, shown
from apigen.review.rules.lifecycle.served_and_stored import effects_of_newly_served, effects_of_unserved, is_served
from apigen.review.rules.rule import (
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
)
from apigen.review.windows import acting_release, is_inherited, too_early


def is_inherited_change(change: Altered, context: Context) -> bool:
    """Return whether a kind changed as its version did, or a type as the kind that it is the root of."""
    element = change.element
    if element.kind is ElementKind.KIND:
        sides = [side.version(element.group, element.version) for side in (context.old, context.new)]
        kinds = (change.old, change.new)
        return all(
            version is not None and isinstance(kind, KindVersion) and is_inherited(kind.lifecycle, version.lifecycle)
            for version, kind in zip(sides, kinds, strict=True)
        )
    if element.kind is not ElementKind.STRUCT:
        return False
    name = element.type.removesuffix("List")
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    roots = [{kind.root.name for kind in version.kinds.values()} for version in versions if version is not None]
    return any(element.type in names or name in names for names in roots)


LIVING = (ElementKind.VERSION, ElementKind.KIND, ElementKind.STRUCT, ElementKind.FIELD, ElementKind.ENUM_VALUE)
"""The kinds of elements with a lifecycle."""


@dataclass(frozen=True, slots=True)
class LivePart:
    """An element with its lifecycle; `member` is the field or enum value, if it is one."""

    element: Element
    life: Lifecycle
    place: Place
    member: Field | EnumValue | None = None

    @property
    def field(self) -> Field | None:
        """The field, or None."""
        return self.member if isinstance(self.member, Field) else None


def living(surface: Surface, context: Context) -> tuple[LivePart, ...]:
    """Return the versions, kinds, fields and enum values of a side that declare anything about their lifecycle.

    Kinds that inherit the lifecycle of their version are omitted, and so are the types of kinds.
    """
    old, new = context.cached(_living_of_both_sides)
    return new if surface is context.new else old


def _living_of_both_sides(context: Context) -> tuple[tuple[LivePart, ...], tuple[LivePart, ...]]:
    return tuple(_living(context.old)), tuple(_living(context.new))


def _living(surface: Surface) -> Iterator[LivePart]:
    for version in surface.versions(own=True):
        if version.lifecycle != NO_LIFECYCLE:
            yield LivePart(Element(ElementKind.VERSION, version.group, version.name), version.lifecycle, version.place)
        for kind in version.kinds.values():
            if kind.lifecycle != NO_LIFECYCLE and not is_inherited(kind.lifecycle, version.lifecycle):
                element = Element(ElementKind.KIND, version.group, version.name, kind.kind)
                yield LivePart(element, kind.lifecycle, kind.place)
        for type_ in version.types.values():
            for element, member in members_of(type_):
                if member.lifecycle != NO_LIFECYCLE:
                    yield LivePart(element, member.lifecycle, member.place, member)


_ACTED_ON = frozenset({ElementKind.VERSION, ElementKind.KIND, ElementKind.FIELD})
"""Servers do not serve, or drop, elements past their `removed:`; enum values are not affected."""


def removal_withdrawn_effects(change: Altered, context: Context) -> dict[Direction, Effect]:
    """Return the effects of a `removed:` that was postponed or deleted after its release; none before its release."""
    release = acting_release(context.old, change.element.group)
    if change.element.kind not in _ACTED_ON or not _is_reached(change.before, release):
        return {}
    effect = depends(f"servers of {release} treat it as removed, and drop what newer clients and servers write")
    return alike(effect, Direction.NEW_CLIENT, Direction.ROLLBACK)


def _is_reached(declared: Value, release: Release | None) -> bool:
    """Return whether a declared release is not later than the release of a server."""
    return isinstance(declared, Release) and release is not None and declared <= release


@dataclass(frozen=True, slots=True)
class FreedName:
    """A name or numbers that a tombstone no longer reserves; `user` is the element that uses them now."""

    name: str
    numbers: NumberRange | None
    user: Field | EnumValue | None

    @property
    def words(self) -> str:
        """The name and the numbers, for messages."""
        return _name_and_numbers(self.name, self.numbers)


def _name_and_numbers(name: str, numbers: NumberRange | None) -> str:
    return " and ".join(part for part in (name, f"number {numbers}" if numbers is not None else "") if part)


def _holder(element: Element) -> str:
    """Return the holder of a tombstone, for messages."""
    return element.type or element.group or "core"


def _by_tombstone(context: Context) -> str:
    return "" if context.new.form == "proto" else " by a tombstone"


def freed_by(change: AnyChange, context: Context) -> FreedName | None:
    """Return the name or numbers that a changed tombstone no longer reserves, or `None`."""
    match change:
        case Removed(part=Tombstone() as tombstone):
            pass
        case Altered(old=Tombstone() as tombstone, new=Tombstone() as now):
            if tombstone.numbers is None or _freed_of(tombstone.numbers, (now,)) is None:
                return None
            tombstone = Tombstone("", tombstone.numbers, tombstone.place)
        case _:
            return None
    kept = _kept(change.element, context.new)
    name = "" if any(each.name == tombstone.name for each in kept) else tombstone.name
    numbers = None if tombstone.numbers is None else _freed_of(tombstone.numbers, kept)
    if not name and numbers is None:
        return None
    return FreedName(name, numbers, _user(change.element, name, numbers, context.new))


def _kept(element: Element, new: Surface) -> tuple[Tombstone, ...]:
    type_ = new.type(element.type_name)
    if isinstance(type_, Struct | Enum):
        return type_.tombstones
    group = new.groups.get(element.group)
    return group.tombstones if group is not None and not element.type else ()


def _freed_of(numbers: NumberRange, kept: tuple[Tombstone, ...]) -> NumberRange | None:
    """Return the part of a range from the first to the last number that no remaining tombstone reserves, or `None`."""
    first, last = numbers.first, numbers.last
    tombstones = sorted((each.numbers for each in kept if each.numbers is not None), key=lambda each: each.first)
    for tombstone in tombstones:
        first = tombstone.last + 1 if tombstone.first <= first <= tombstone.last else first
    for tombstone in reversed(tombstones):
        last = tombstone.first - 1 if tombstone.first <= last <= tombstone.last else last
    return NumberRange(first, last) if first <= last else None


def _user(element: Element, name: str, numbers: NumberRange | None, new: Surface) -> Field | EnumValue | None:
    for known, member in members_of(new.type(element.type_name)):
        if name and name in (known.path, member.wire_name if isinstance(member, Field) else ""):
            return member
        if numbers is not None and member.number is not None and member.number in numbers:
            return member
    return None


_FREEING = (removed(ElementKind.TOMBSTONE), altered(Trait.NUMBERS, ElementKind.TOMBSTONE))


@change_rule("tombstone-returned", *_FREEING, severities="W/W/E", presets=WIRE, is_excusable=False)
@about(freed_by)
def tombstone_returned(change: Removed | Altered, freed: FreedName, context: Context) -> RuleResult | None:
    """Older objects are valid if the element is the same as before its removal."""
    if freed.user is None or freed.user.lifecycle.returned is None:
        return None
    effect = depends("objects that contain the old field are valid only if the restored one is the same")
    effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
    message = f"{freed.words} of `{change.element.type}` was restored in {freed.user.lifecycle.returned}, and its tombstone was removed"
    return RuleResult(message, effects, not_verified="the base does not have the restored element")


@change_rule("tombstone-reused", *_FREEING, severities="E/E/E", presets=WIRE, is_excusable=False)
@about(freed_by)
def tombstone_reused(change: Removed | Altered, freed: FreedName, context: Context) -> RuleResult | None:
    """Stored values are decoded as values of another element."""
    if freed.user is None:
        return None
    user = freed.user.name if isinstance(freed.user, Field) else freed.user.value
    effects = {
        Direction.OLD_CLIENT: breaks(f"older clients send {freed.words}, which is read as the new `{user}`"),
        Direction.NEW_CLIENT: breaks(f"older servers that still have {freed.words} read the new `{user}` as it"),
        Direction.STORED: breaks(f"stored values of {freed.words} are read as the new `{user}`"),
        Direction.ROLLBACK: breaks(f"a release that still has {freed.words} reads the new `{user}` as it"),
    }
    had = "was reserved" if context.new.form == "proto" else "had a tombstone"
    message = f"`{user}` reuses {freed.words} of `{change.element.type}`, which {had}"
    return RuleResult(message, effects, patch=_restored(change))


def _restored(change: Removed | Altered) -> str:
    """Return the former tombstone of a type, as in the spec language; empty for one of a group."""
    tombstone = change.part if isinstance(change, Removed) else change.old
    if not isinstance(tombstone, Tombstone) or not change.element.type:
        return ""
    if not tombstone.name:
        return f"reserved: [{tombstone.numbers}]"
    entries = {
        "protobuf": tombstone.numbers,
        "removed": None if tombstone.removed is None else f'"{tombstone.removed}"',
        "reason": yaml_text(tombstone.reason) if tombstone.reason else None,
    }
    written = ", ".join(f"{key}: {value}" for key, value in entries.items() if value is not None)
    return f"tombstones: {{{yaml_text(tombstone.name)}: {{{written}}}}}"


@change_rule("tombstone-removed", *_FREEING, severities="E/E/E", presets=WIRE, is_excusable=False)
@about(freed_by)
def tombstone_removed(change: Removed | Altered, freed: FreedName, context: Context) -> RuleResult | None:
    """No client is affected until another element reuses the name or number."""
    effect = depends(f"stored objects are misread once an element reuses {freed.words}")
    message = f"{freed.words} of `{_holder(change.element)}` is no longer reserved{_by_tombstone(context)}"
    return RuleResult(message, alike(effect, Direction.STORED, Direction.ROLLBACK), patch=_restored(change))


@change_rule(
    "tombstone-added",
    added(ElementKind.TOMBSTONE),
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    altered(Trait.REMOVED, ElementKind.TOMBSTONE),
    altered(Trait.REASON, ElementKind.TOMBSTONE),
    severities="I/I/I",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_added(change: AnyChange, context: Context) -> RuleResult | None:
    """No client or object is affected."""
    match change:
        case Added(part=Tombstone() as tombstone):
            reserved = _name_and_numbers(tombstone.name, tombstone.numbers)
            verb = "are" if " and " in reserved else "is"
            return note(f"{reserved} of `{_holder(change.element)}` {verb} now reserved{_by_tombstone(context)}")
        case Altered():
            return note(change_words(change))
    return silent("another tombstone reserves the same name and numbers")


@state_rule("removed-without-tombstone", severities="E/E/E")
def removed_without_tombstone(surface: Surface, context: Context) -> Iterator[Issue]:
    """A removed version or kind of a recorded release has a tombstone in group.yaml, so that its name is never reused.

    The rule of its removal reports a name that must be kept.
    """
    for group in surface.groups.values() if surface is context.new and context.old.is_recorded else ():
        was = context.old.groups.get(group.name)
        before, release = context.old.release_in(group.name), surface.release_in(group.name)
        known = {*group.versions, *group.kinds, *(tombstone.name for tombstone in group.tombstones)}
        missing = [
            (name, element)
            for name, element, lives in (() if was is None or group.borrowed else _released_names(was))
            if name not in known and not any(too_early(life, version, before, release) for version, life in lives)
        ]
        patch = _tombstones_of_group([element for _, element in missing], release)
        fix = "" if not group.tombstones else f"add it to the tombstones of group.yaml: `{patch}`"
        patch = patch if group.tombstones else f"tombstones: {{{patch}}}"
        for name, element in missing:
            what = "kind" if element.type else "version"
            message = f"{what} `{name}` of group {group.name} was removed without a tombstone"
            yield Issue(element, group.place, _without_tombstone(message, element, fix, patch, context))


def _without_tombstone(message: str, element: Element, fix: str, patch: str, context: Context) -> RuleResult:
    """Return the result for a missing tombstone. A version with stored objects is kept until they are rewritten."""
    version = None if element.type else context.old.version(element.group, element.version)
    if version is None or not version.storage:
        return RuleResult(message, {}, fix, patch)
    kept = f"{element.version}: {{served: false}}"
    return RuleResult(message, {}, f"keep `{kept}` until all objects are rewritten, and then add the tombstone", kept)


def _tombstones_of_group(missing: list[Element], release: Release | None) -> str:
    """Return tombstones of versions and kinds, as the value of `tombstones:` in group.yaml."""
    removed = "" if release is None else f'removed: "{release}"'
    blocks = []
    for key, names in (
        ("versions", [each.version for each in missing if not each.type]),
        ("kinds", [each.type for each in missing if each.type]),
    ):
        if names:
            blocks.append(f"{key}: {{{', '.join(f'{yaml_text(name)}: {{{removed}}}' for name in names)}}}")
    return ", ".join(blocks)


def _released_names(group: Group) -> Iterator[tuple[str, Element, list[tuple[str, Lifecycle]]]]:
    """Yield the names of versions and kinds, each with the versions that have it and its lifecycle there."""
    versions = group.versions.values()
    for version in versions:
        yield version.name, Element(ElementKind.VERSION, group.name, version.name), [(version.name, version.lifecycle)]
    for kind in group.kinds:
        lives = [(version.name, version.kinds[kind].lifecycle) for version in versions if kind in version.kinds]
        yield kind, Element(ElementKind.KIND, group.name, "", kind), lives


@change_rule(
    "migration-undeclared", altered(Trait.MIGRATED, ElementKind.TOMBSTONE), severities="W/W/W", is_excusable=False
)
def migration_undeclared(change: Altered, context: Context) -> RuleResult:
    """A version can be removed only after all its objects were migrated."""
    before, after, name = value_words(change.before), value_words(change.after), change.element.path
    if change.before is None:
        return note(f"objects of {name} are declared as migrated since {after}", "no action is needed")
    now = "none" if change.after is None else after
    effect = depends(f"no server can read objects that are still stored in {name}")
    return RuleResult(f"`migrated:` of {name} changed from {before} to {now}", {Direction.STORED: effect})


def _of_lifecycle(result: RuleResult, change: Altered, context: Context) -> RuleResult:
    """Return the result for a changed lifecycle: silent if another change reports it, an error if a release contradicts it."""
    if is_inherited_change(change, context):
        return silent(result.message)
    contradiction, fix = _contradiction(change, context.old)
    if not contradiction:
        return result
    severities = Severities.of("E/E/E")
    return replace(result, message=f"{result.message}, but {contradiction}", fix=fix, patch="", severities=severities)


def _contradiction(change: Altered, old: Surface) -> tuple[str, str]:
    """Return why a recorded release contradicts a changed lifecycle, and the fix; empty if it does not.

    The releases that introduced, deprecated and removed an element are facts once they are shipped. Plans may change.
    """
    release, key, before, after = old.release_in(change.element.group), change.trait.value, change.before, change.after
    if release is None or not old.is_recorded:
        return "", ""
    if _is_reached(before, release):
        return f'{release} was released with `{key}: "{before}"`', f'restore `{key}: "{before}"`'
    is_introduction = change.trait is Trait.INTRODUCED
    if is_introduction and before is None and not _is_reached(after, release):
        return f"{release} already has it", "delete `introduced:`, or set it to the release that introduced the element"
    if not is_introduction and _is_reached(after, release):
        fix = f'declare the next release or a later one: `{key}: "{next_release(release)}"`'
        return f'{release} was released without `{key}: "{after}"`', fix
    return "", ""


@change_rule("deprecated", altered(Trait.DEPRECATED), severities="I/I/I")
def deprecated(change: Altered, context: Context) -> RuleResult | None:
    """The element works as before; users are warned."""
    if not change.after:
        return None
    since = "" if change.after is True else f" in {value_words(change.after)}"
    was = "" if change.before in (None, False, True) else f" instead of {value_words(change.before)}"
    return _of_lifecycle(note(f"{change.element.words} is deprecated{since}{was}"), change, context)


@change_rule("undeprecated", altered(Trait.DEPRECATED), severities="I/I/I")
def undeprecated(change: Altered, context: Context) -> RuleResult:
    """Users who stopped using the element did so for nothing. The reverse is `deprecated`."""
    return _of_lifecycle(note(f"{change.element.words} is no longer deprecated"), change, context)


_IN_TIME = Severities.of("I/W/W")
"""Severities if users still have the full deprecation period, or its length is unknown."""


@change_rule("removal-moved-earlier", altered(Trait.REMOVED, *LIVING), severities="I/E/E")
def removal_moved_earlier(change: Altered, context: Context) -> RuleResult | None:
    """Users who planned for the declared release are late."""
    before, after, part = change.before, change.after, change.new
    assert isinstance(part, Version | KindVersion | Struct | Field | EnumValue)
    effects = {Direction.OLD_CLIENT: depends(f"users who planned to migrate by {before} are late")}
    if isinstance(before, Release) and isinstance(after, Release) and after < before:
        is_in_time = _is_in_time(part.lifecycle, change.element, after)
        message = f"removal release of {change.element.words} changed from {before} to {after}"
    elif after is None and part.lifecycle.declares_deprecation:
        is_in_time = True
        message = f"deprecated {change.element.words} no longer declares its removal release, which was {before}"
        effects |= removal_withdrawn_effects(change, context)
    else:
        return None
    severities = _IN_TIME if is_in_time else None
    result = RuleResult(message, effects, patch=f'removed: "{before}"', severities=severities)
    return _of_lifecycle(result, change, context)


def _is_in_time(life: Lifecycle, element: Element, end: Release) -> bool:
    """Return whether users still have the deprecation period of beta, from the release that deprecates the element."""
    is_beta = stability(element.version) is Stability.BETA
    return is_beta and life.deprecated is not None and not is_before(end, life.deprecated, WINDOW)


@change_rule("removal-announced", altered(Trait.REMOVED, *LIVING), severities="I/I/I")
def removal_announced(change: Altered, context: Context) -> RuleResult | None:
    """Users know how long they can use the element."""
    if change.after is None:
        message = (
            f"{change.element.words} is kept, and no longer declares `removed:`, which was {value_words(change.before)}"
        )
    else:
        was = "" if change.before is None else f" instead of {value_words(change.before)}"
        message = f"{change.element.words} will be removed in {value_words(change.after)}{was}"
    return _of_lifecycle(RuleResult(message, removal_withdrawn_effects(change, context)), change, context)


@change_rule("replacement-changed", altered(Trait.REPLACEMENT), severities="I/I/I")
def replacement_changed(change: Altered, context: Context) -> RuleResult:
    """Advice for users, without effect."""
    message = f"replacement of {change.element.words} changed {from_to(change, 'none')}"
    return silent(message) if is_inherited_change(change, context) else note(message)


@change_rule("introduced-changed", altered(Trait.INTRODUCED, *LIVING), severities="I/I/I")
def introduced_changed(change: Altered, context: Context) -> RuleResult | None:
    """The release that introduced an element is a fact once it was published."""
    if isinstance(change.new, EnumValue) and (change.new.tolerated or not _contradiction(change, context.old)[0]):
        return None  # the rules of enum values handle it
    message = f"`introduced:` of {change.element.words} changed {from_to(change, 'none')}"
    is_served_now = _is_served(change, change.after, context.new)
    was_served = _is_served(change, change.before, context.old)
    result = note(message, "no action is needed")
    if is_served_now and not was_served:
        effects = effects_of_newly_served(str(change.element), change.element, context)
        result = RuleResult(f"{message}: it is now served", effects, "no action is needed")
    elif was_served and not is_served_now:
        release = acting_release(context.new, change.element.group)
        hidden = breaks(f"a server of {release} does not serve it yet, so its clients get 404 Not Found")
        effects = {Direction.OLD_CLIENT: hidden, **effects_of_unserved(change.element, context)}
        result = RuleResult(message, effects, severities=Severities.of("W/E/E"))
    elif _is_reached(change.before, context.old.release_in(change.element.group)):
        effect = depends(f"{release_before(context, change.element.group)} already has the element")
        result = RuleResult(message, {Direction.STORED: effect}, severities=Severities.of("W/W/W"))
    return _of_lifecycle(result, change, context)


def _is_served(change: Altered, introduced: Value, side: Surface) -> bool:
    """Return whether a side serves a version or kind with this `introduced:`; true for other elements."""
    release = acting_release(side, change.element.group)
    if change.element.kind not in (ElementKind.VERSION, ElementKind.KIND) or release is None:
        return True
    return not isinstance(introduced, Release) or introduced <= release


@state_rule("tombstone-incomplete", severities="W/W/E")
def tombstone_incomplete(surface: Surface, context: Context) -> Iterator[Issue]:
    """Release, reason and number are known at the time of the removal, and hard to find out later."""
    has_releases = _has_releases(context.old) or _has_releases(context.new)
    for type_ in surface.types(own=True):
        for tombstone in type_.tombstones if isinstance(type_, Struct | Enum) else ():
            # a tombstone without a name is a range of numbers that no field ever had
            if tombstone.name and (has_releases or tombstone.removed is not None):
                yield from _lacking(tombstone, type_)


def _lacking(tombstone: Tombstone, type_: TypeDef) -> Iterator[Issue]:
    fields = type_.fields.values() if isinstance(type_, Struct) else ()
    has_numbers = any(field.number is not None for field in fields)
    lacking = [
        (word, key)
        for word, key, is_set in (
            ("release", "removed:", tombstone.removed is not None),
            ("reason", "reason:", bool(tombstone.reason)),
            ("number", "protobuf:", tombstone.numbers is not None or not has_numbers),
        )
        if not is_set
    ]
    if lacking:
        words, keys = zip(*lacking, strict=True)
        element = Element(ElementKind.TOMBSTONE, *type_.name, tombstone.name)
        message = f"tombstone of `{type_.name.name}.{tombstone.name}` does not declare {listing(tuple(keys))}"
        severities = None if "number" in words else Severities.of("W/W/W")
        yield Issue(element, tombstone.place, RuleResult(message, severities=severities), " ".join(words))


def _has_releases(side: Surface) -> bool:
    is_released = any(version.lifecycle.introduced is not None for version in side.versions())
    return is_released or side.release is not None or bool(side.gates)


@state_rule("removal-before-window", severities="-/E/E", is_about_plans=True)
def removal_before_window(surface: Surface, context: Context) -> Iterator[Issue]:
    """A beta element is kept for three releases after its deprecation, a stable one for its major version."""
    for each in living(surface, context):
        problem = _problem(each, surface)
        if problem:
            fix, patch = _later_removal(each, surface, context)
            effect = depends(f"users of {each.element.words} have less time than the policy requires")
            effects = alike(effect, Direction.OLD_CLIENT, Direction.STORED)
            message = f'{each.element.words} declares `removed: "{each.life.removed}"`, but {problem}'
            yield Issue(each.element, each.place, RuleResult(message, effects, fix, patch), f"{each.life.removed}")


def _problem(each: LivePart, surface: Surface) -> str:
    """Return the problem of an announced removal; empty without one."""
    life, promise = each.life, stability(each.element.version)
    if life.removed is None or promise is Stability.ALPHA or _has_no_clients(each, surface):
        return ""
    if promise is Stability.STABLE:
        since = life.introduced or life.deprecated or surface.release_in(each.element.group) or life.removed
        return "" if life.removed.major > since.major else f"stable elements must be kept for all of {since.major}.x"
    if life.deprecated is None:
        return "no release deprecates it"
    if is_before(life.removed, life.deprecated, WINDOW):
        return f"beta elements deprecated in {life.deprecated} must be kept until {releases_later(life.deprecated)}"
    return ""


def _later_removal(each: LivePart, surface: Surface, context: Context) -> tuple[str, str]:
    """Return the fix of a removal that is too early, and the text to write: not before the release that was announced."""
    if stability(each.element.version) is Stability.STABLE:
        return "delete `removed:`; keep `deprecated:` and `replacement:`", ""
    deprecated, release = each.life.deprecated, acting_release(surface, each.element.group)
    released = context.old.release_in(each.element.group)
    since = deprecated or release
    if since is None:
        return f"declare `deprecated:`, at least {WINDOW} releases before `removed:`", ""
    if released is not None and release is not None and since > released:  # that release did not deprecate it
        since = max(since, release)
    announced = (part.life.removed for part in living(context.old, context) if part.element == each.element)
    end = max(filter(None, (releases_later(since), each.life.removed, *announced)))
    patch = f'removed: "{end}"' if deprecated else f'deprecated: "{since}", removed: "{end}"'
    return f"set `{patch}`", patch


def _has_no_clients(each: LivePart, surface: Surface) -> bool:
    """Return whether no client can rely on an element: a field or value that was never enabled by default, or a version
    without kinds that inherit its lifecycle. Kinds with a lifecycle of their own are checked themselves.
    """
    if each.member is not None:
        return is_never_enabled(each.member.gate, surface) or _is_only_tolerated(each, surface)
    version = surface.version(each.element.group, each.element.version)
    if each.element.kind is not ElementKind.VERSION or version is None:
        return False
    return not any(is_inherited(kind.lifecycle, version.lifecycle) for kind in version.kinds.values())


def _is_only_tolerated(each: LivePart, surface: Surface) -> bool:
    """Return whether only objects that have a value may keep it, and none has it yet."""
    if not isinstance(each.member, EnumValue) or each.member.tolerated is None:
        return False
    release = surface.release_in(each.element.group)
    return each.life.introduced is None or (release is not None and each.life.introduced > release)


@state_rule("deprecated-without-end", severities="-/W/W")
def deprecated_without_end(surface: Surface, context: Context) -> Iterator[Issue]:
    """Users need a replacement or a date to act on a deprecation."""
    for each in living(surface, context) if surface.declares_removals else ():
        life = each.life
        if life.declares_deprecation and life.removed is None and not life.replacement:
            message = f"{each.element.words} is deprecated, but declares neither `removed:` nor `replacement:`"
            yield Issue(each.element, each.place, RuleResult(message))


@state_rule("deprecated-and-required", severities="W/W/E")
def deprecated_and_required(surface: Surface, context: Context) -> Iterator[Issue]:
    """Users can only stop setting a field that is optional."""
    for each in living(surface, context):
        if each.field is not None and each.field.required and each.life.declares_deprecation:
            effect = depends("clients that stop setting it are rejected")
            message = f"{each.element.words} is deprecated, but required"
            result = RuleResult(message, {Direction.OLD_CLIENT: effect}, patch="required: false")
            yield Issue(each.element, each.place, result)


@state_rule("born-deprecated", severities="W/W/W")
def born_deprecated(surface: Surface, context: Context) -> Iterator[Issue]:
    """No client uses it yet, so it need not be added."""
    for each in living(surface, context) if surface is context.new else ():
        before = struct_of(context.old, each.element)
        if each.field is None or not each.life.declares_deprecation or before is None:
            continue
        if each.field.name not in before.fields:
            message = f"{each.element.words} is new, but already deprecated"
            yield Issue(each.element, each.place, RuleResult(message))


@state_rule("introduction-backdated", severities="E/E/E")
def introduction_backdated(surface: Surface, context: Context) -> Iterator[Issue]:
    """A new element was not introduced by a release that does not have it. A new version takes over the elements of others."""
    for each in living(surface, context) if surface is context.new and context.old.is_recorded else ():
        release, introduced = context.old.release_in(each.element.group), each.life.introduced
        if release is None or introduced is None:
            continue
        is_new = each.element.group in context.old.groups and not any(
            _exists(element, context.old) for element in _taken_over(each, context.old)
        )
        if introduced <= release and is_new and each.life.returned is None:
            message = f'{each.element.words} is new, but declares `introduced: "{introduced}"`'
            patch = f'introduced: "{surface.release_in(each.element.group) or next_release(release)}"'
            yield Issue(each.element, each.place, RuleResult(message, patch=patch), f"{introduced}")


def _taken_over(each: LivePart, old: Surface) -> list[Element]:
    """Return a part of the revision as it may be in the base: a field or value of a new version also in other versions."""
    group = each.element.group
    if each.member is None or old.version(group, each.element.version) is not None:
        return [each.element]
    return [replace(each.element, version=version.name) for version in old.versions_of(group)]


def _exists(element: Element, side: Surface) -> bool:
    """Return whether a side has a version, a kind, a field or an enum value."""
    version = side.version(element.group, element.version)
    if version is None or element.kind is ElementKind.VERSION:
        return version is not None
    if element.kind is ElementKind.KIND:
        return element.type in version.kinds
    return element in (each for each, _ in members_of(version.types.get(element.type)))


_TOO_EARLY = Severities.of("I/E/E")


@state_rule("past-due", severities="I/I/W")
def past_due(surface: Surface, context: Context) -> Iterator[Issue]:
    """From the release that `removed:` names, servers treat the element as removed, although it is still declared."""
    for each in living(surface, context):
        end, release = each.life.removed, acting_release(surface, each.element.group)
        version = surface.version(each.element.group, each.element.version)
        is_served = version is not None and version.served  # other versions are kept for stored objects only
        if end is None or release is None or end > release or not is_served:
            continue
        old = context.old.release_in(each.element.group) if surface is context.new else None
        problem = too_early(each.life, each.element.version, old, release)
        severities = at(_TOO_EARLY, stability(each.element.version)) if problem else None
        message = f'{each.element.words} declares `removed: "{end}"`, but is still declared in {release}{f"; {problem}" if problem else ""}'
        fix, patch = _later_removal(each, surface, context) if problem else ("", "")
        result = RuleResult(message, _effects(each, release, surface, context), fix, patch, severities=severities)
        yield Issue(each.element, each.place, result, str(end))


def _effects(each: LivePart, release: Release, surface: Surface, context: Context) -> dict[Direction, Effect]:
    if each.field is not None:
        path = each.element.path
        effects = {
            Direction.OLD_CLIENT: breaks(f"older clients set `{path}`, and servers of {release} drop it"),
            Direction.STORED: depends(
                f"objects that use `{path}` keep it until they are written, but no other object can get it"
            ),
        }
        if is_filled(each.element, surface, context):
            effects[Direction.NEW_CLIENT] = omission_effect(path)
        return effects
    if each.element.kind in (ElementKind.VERSION, ElementKind.KIND):
        unknown = breaks(f"clients of {each.element} get 404 Not Found from a server of {release}")
        return {Direction.OLD_CLIENT: unknown, **effects_of_unserved(each.element, context)}
    return {}


@state_rule("introduction-reached", severities="I/I/I")
def introduction_reached(surface: Surface, context: Context) -> Iterator[Issue]:
    """The specs did not change, but the release is the one that `introduced:` names."""
    if surface is not context.new:
        return
    for each in living(surface, context):
        old, new = context.old.release_in(each.element.group), context.new.release_in(each.element.group)
        if old is None or new is None or each.life.introduced is None or each.life.introduced > new:
            continue
        if each.element.kind is ElementKind.ENUM_VALUE:
            result = _of_value(each, context)
        else:
            result = _of_served(each, old, new, context)
        if result is not None:
            yield Issue(each.element, each.place, result, str(each.life.introduced))


def _of_value(each: LivePart, context: Context) -> RuleResult | None:
    """Return the result for an unchanged enum value; None if the same objects may have it, or the change is reported
    itself.
    """
    before, after = (side.type(each.element.type_name) for side in (context.old, context.new))
    if not isinstance(before, Enum) or not isinstance(after, Enum):
        return None
    was, value = before.values.get(each.element.path), after.values[each.element.path]
    if was is None or _roll_out(was) != _roll_out(value):
        return None
    group = each.element.group
    if is_accepted(was, context.old, group) or not is_accepted(value, context.new, group):
        return None
    name = shown(value.value)
    message = f"value {name} of enum `{after.name.name}` is accepted since {value.lifecycle.introduced}"
    example = Example(Side.NEW, in_json(value.value, after))
    return RuleResult(message, rolled_out_effects(name), examples=(example,))


def _roll_out(value: EnumValue) -> tuple[GateMark | None, Release | None, Release | None]:
    """Return the properties that determine whether objects can have a value."""
    return value.gate, value.tolerated, value.lifecycle.introduced


def _of_served(each: LivePart, old: Release, new: Release, context: Context) -> RuleResult | None:
    """Return the result for a version or kind that the previous release knew but did not serve; None for other
    elements.
    """
    if not _newly_served(each.element, old, new, context):
        return None
    effects = effects_of_newly_served(str(each.element), each.element, context)
    return RuleResult(f"{each.element} is served since {each.life.introduced}", effects)


def _newly_served(element: Element, old: Release, new: Release, context: Context) -> list[str]:
    """Return the kinds of a version, or the one kind, that both sides declare alike and only the new release serves.

    A kind with the lifecycle of its version is reported at the version; a changed lifecycle is reported as a change.
    """
    before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
    if element.kind not in (ElementKind.VERSION, ElementKind.KIND) or before is None or after is None:
        return []
    kinds: list[str] = []
    for name, kind in after.kinds.items():
        introduced, known = kind.lifecycle.introduced, before.kinds.get(name)
        if element.type not in ("", name) or (introduced != after.lifecycle.introduced) != bool(element.type):
            continue
        if known is None or not (before.served and known.served) or known.lifecycle.introduced != introduced:
            continue
        if introduced is not None and introduced > old and is_served(after, name, new):
            kinds.append(name)
    return kinds
