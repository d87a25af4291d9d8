"""Deprecation, removal and tombstones."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.changes.change import Added, Altered, AnyChange, Removed, Trait, Value
from apigen.compat.changes.words import change_words, value_words
from apigen.compat.context import Context
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.defaults import is_filled, left_out_hit
from apigen.compat.rules.enums.known import is_accepted, rolled_out_hits, shown
from apigen.compat.rules.guards import has_lifecycles, has_tombstones
from apigen.compat.rules.lifecycle.serving import hits_of_unserved, is_served
from apigen.compat.rules.rule import Issue, change_rule, state_rule
from apigen.compat.rules.verdicts import at, note, of_version, release_before, silent
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.lifecycle import NO_LIFECYCLE, Lifecycle
from apigen.compat.surface.surface import KindVersion, Surface, Version
from apigen.compat.surface.types import Enum, EnumValue, Field, Struct, Tombstone, TypeDef
from apigen.compat.values.enum_json import in_json
from apigen.compat.values.hits import alike
from apigen.compat.verdict.example import Example, Side
from apigen.compat.verdict.impact import Direction, Hit, breaks, depends
from apigen.compat.verdict.preset import WIRE
from apigen.compat.verdict.severity import Severities
from apigen.compat.verdict.verdict import Verdict
from apigen.compat.windows import acting_release, is_inherited, too_early
from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.model import Release
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability
from apigen.spec.model import NumberRange


def is_echo(change: Altered, context: Context) -> bool:
    """Whether a kind changed as its version did, or a type as the kind that it is the root of."""
    element = change.element
    if element.kind is ElementKind.KIND:
        both = [side.version(element.group, element.version) for side in (context.old, context.new)]
        kinds = (change.old, change.new)
        return all(
            version is not None and isinstance(kind, KindVersion) and is_inherited(kind.lifecycle, version.lifecycle)
            for version, kind in zip(both, kinds, strict=True)
        )
    if element.kind is not ElementKind.STRUCT:
        return False
    name = element.type.removesuffix("List")
    versions = (side.version(element.group, element.version) for side in (context.old, context.new))
    roots = [{kind.root.name for kind in version.kinds.values()} for version in versions if version is not None]
    return any(element.type in names or name in names for names in roots)


LIVING_TYPES = (ElementKind.VERSION, ElementKind.KIND, ElementKind.STRUCT, ElementKind.FIELD)
LIVING = (*LIVING_TYPES, ElementKind.ENUM_VALUE)
"""The kinds of elements that have a lifecycle. Values of enums are accepted from a release on, and have rules of their own."""


@dataclass(frozen=True, slots=True)
class Living:
    """An element with what is said of its time; `field` where it is one."""

    element: Element
    life: Lifecycle
    place: Place
    field: Field | None = None


def living(surface: Surface, context: Context) -> tuple[Living, ...]:
    """Versions, kinds, fields and enum values of a side of a comparison of which anything is said; looked for once.

    A kind that has the lifecycle of its version is not told again, nor is the type that it is made of.
    """
    known = context.kept(_known)
    if id(surface) not in known:
        known[id(surface)] = tuple(_living(surface))
    return known[id(surface)]


def _known(context: Context) -> dict[int, tuple[Living, ...]]:
    """What was found so far, by side."""
    return {}


def _living(surface: Surface) -> Iterator[Living]:
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            yield from _of_version(version)
            for type_ in version.types.values():
                yield from _members(type_, version)


def _of_version(version: Version) -> Iterator[Living]:
    if version.lifecycle != NO_LIFECYCLE:
        yield Living(Element(ElementKind.VERSION, version.group, version.name), version.lifecycle, version.place)
    for kind in version.kinds.values():
        if kind.lifecycle != NO_LIFECYCLE and not is_inherited(kind.lifecycle, version.lifecycle):
            element = Element(ElementKind.KIND, version.group, version.name, kind.kind)
            yield Living(element, kind.lifecycle, kind.place)


def _members(type_: TypeDef, version: Version) -> Iterator[Living]:
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            if field.lifecycle != NO_LIFECYCLE:
                element = Element(ElementKind.FIELD, version.group, version.name, type_.name.name, field.name)
                yield Living(element, field.lifecycle, field.place, field)
    elif isinstance(type_, Enum):
        for value in type_.values.values():
            if value.lifecycle != NO_LIFECYCLE:
                element = Element(ElementKind.ENUM_VALUE, version.group, version.name, type_.name.name, value.value)
                yield Living(element, value.lifecycle, value.place)


_ACTED_ON = frozenset({ElementKind.VERSION, ElementKind.KIND, ElementKind.FIELD})
"""Servers do not serve, or drop, what is past its `removed:`; values of enums stay what they are."""


def gone_before_hits(change: Altered, context: Context) -> dict[Direction, Hit]:
    """Of a `removed:` that was put off, or is not said any more, after its release had come; none where it had not."""
    release = acting_release(context.old, change.element.group)
    is_past = isinstance(change.before, Release) and release is not None and change.before <= release
    if not is_past or change.element.kind not in _ACTED_ON:
        return {}
    hit = depends(f"{release} acts as if it were gone: what a new client or server writes is dropped there")
    return {Direction.NEW_CLIENT: hit, Direction.ROLLBACK: hit}


@dataclass(frozen=True, slots=True)
class Freed:
    """What a tombstone kept, and the new side does not keep any more; `user` is what has it there."""

    name: str
    numbers: NumberRange | None
    user: Field | EnumValue | None

    @property
    def words(self) -> str:
        """What is free now."""
        number = "" if self.numbers is None else f"number {self.numbers}"
        return " and ".join(part for part in (self.name, number) if part)


def freed_by(change: AnyChange, new: Surface) -> Freed | None:
    """What a change of a tombstone gives free; None if nothing."""
    match change:
        case Removed(part=Tombstone() as stone):
            pass
        case Altered(old=Tombstone() as stone, new=Tombstone() as now):
            if stone.numbers is None or (now.numbers is not None and _is_within(stone.numbers, now.numbers)):
                return None
            stone = Tombstone("", stone.numbers, stone.place)
        case _:
            return None
    kept = _kept(change.element, new)
    name = "" if any(each.name == stone.name for each in kept) else stone.name
    numbers = None if stone.numbers is None or _is_kept(stone.numbers, kept) else stone.numbers
    if not name and numbers is None:
        return None
    return Freed(name, numbers, _user(change.element, name, numbers, new))


def _kept(element: Element, new: Surface) -> tuple[Tombstone, ...]:
    type_ = new.type(element.type_name)
    if isinstance(type_, Struct | Enum):
        return type_.tombstones
    group = new.groups.get(element.group)
    return group.gone if group is not None and not element.type else ()


def _is_kept(numbers: NumberRange, kept: tuple[Tombstone, ...]) -> bool:
    """Whether every number of a range is kept by what is left."""
    free = numbers.first
    for stone in sorted((each.numbers for each in kept if each.numbers is not None), key=lambda each: each.first):
        if stone.first <= free <= stone.last:
            free = stone.last + 1
    return free > numbers.last


def _is_within(numbers: NumberRange, other: NumberRange) -> bool:
    return other.first <= numbers.first and numbers.last <= other.last


def _user(element: Element, name: str, numbers: NumberRange | None, new: Surface) -> Field | EnumValue | None:
    type_ = new.type(element.type_name)
    members: list[Field | EnumValue] = []
    if isinstance(type_, Struct):
        members = list(type_.fields.values())
    elif isinstance(type_, Enum):
        members = list(type_.values.values())
    for member in members:
        if name and name in (_name(member), _wire_name(member)):
            return member
        if numbers is not None and member.number is not None and member.number in numbers:
            return member
    return None


def _name(member: Field | EnumValue) -> str:
    return member.name if isinstance(member, Field) else member.value


def _wire_name(member: Field | EnumValue) -> str:
    return member.wire_name if isinstance(member, Field) else ""


@change_rule(
    "tombstone-returned",
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    severities="W/W/E",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_returned(change: Removed | Altered, context: Context) -> Verdict | None:
    """Old objects have it as it was, if it is as it was."""
    freed = freed_by(change, context.new)
    if freed is None or freed.user is None or freed.user.lifecycle.returned is None:
        return None
    hit = depends("on whether it is what it was: objects that have it still are read again")
    hits = alike(hit, Direction.OLD_CLIENT, Direction.STORED, Direction.ROLLBACK)
    message = f"{freed.words} of {change.element.type} came back in {freed.user.lifecycle.returned}, and its tombstone is gone"
    return Verdict(f"{message}; that it is as it was is not proven by these two sides", hits, is_unproven=True)


@change_rule(
    "tombstone-reused",
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_reused(change: Removed | Altered, context: Context) -> Verdict | None:
    """What is stored under it is read as something that it is not."""
    freed = freed_by(change, context.new)
    if freed is None or freed.user is None:
        return None
    user = freed.user.name if isinstance(freed.user, Field) else freed.user.value
    hits = {
        Direction.OLD_CLIENT: breaks(f"what a client of before sends as {freed.words} is read as the new {user}"),
        Direction.NEW_CLIENT: breaks(f"a server of before reads the new {user} as {freed.words}, if it has that still"),
        Direction.STORED: breaks(f"what is stored as {freed.words} is read as the new {user}"),
        Direction.ROLLBACK: breaks(f"a release that has {freed.words} still reads the new {user} as that"),
    }
    message = f"{freed.words} of {change.element.type} had a tombstone, and {user} uses it now"
    return Verdict(message, hits, patch=_patch(freed.words))


def _patch(words: str) -> str:
    return f"tombstones: {{{words.split(' and ')[0]}: {{…}}}}"


@change_rule(
    "tombstone-removed",
    removed(ElementKind.TOMBSTONE),
    altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
    severities="E/E/E",
    presets=WIRE,
    is_excusable=False,
)
def tombstone_removed(change: Removed | Altered, context: Context) -> Verdict | None:
    """Nobody is hurt today, and somebody will be who does not know what was there."""
    freed = freed_by(change, context.new)
    if freed is None:
        return None
    hit = depends(f"on whether anybody ever uses {freed.words} again")
    where = change.element.type or change.element.group or "core"
    message = f"nothing keeps {freed.words} of {where} from coming back any more"
    return Verdict(message, {Direction.STORED: hit, Direction.ROLLBACK: hit})


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
def tombstone_added(change: AnyChange, context: Context) -> Verdict | None:
    """It takes nothing from anybody."""
    match change:
        case Added(part=Tombstone() as stone):
            number = "" if stone.numbers is None else f"number {stone.numbers}"
            what = " and ".join(part for part in (stone.name, number) if part)
            where = change.element.type or change.element.group or "core"
            return note(f"{what} of {where} {'never returns' if ' and ' not in what else 'never return'}", "")
        case Removed(part=Tombstone()):
            return silent("another tombstone keeps what it kept")
        case Altered():
            return note(change_words(change), "")
    return None


@change_rule("migration-unsaid", altered(Trait.MIGRATED, ElementKind.TOMBSTONE), severities="W/W/W", is_excusable=False)
def migration_unsaid(change: Altered, context: Context) -> Verdict | None:
    """Whether the version may be gone hangs on it."""
    before, after = value_words(change.before), value_words(change.after)
    now = "nothing says so now" if change.after is None else f"{after} is said now"
    name = change.element.path
    if change.before is None:
        return note(f"all objects of {name} are migrated since {after}", "nothing")
    hit = depends(f"on whether objects are left that were stored in {name}")
    return Verdict(f"objects of {name} were migrated in {before}, and {now}", {Direction.STORED: hit})


@change_rule("deprecated", altered(Trait.DEPRECATED), severities="I/I/I")
def deprecated(change: Altered, context: Context) -> Verdict | None:
    """It is there as ever; users are told."""
    if not change.after:
        return None
    message = f"{change.element} is deprecated{_since(change)}"
    return silent(message) if is_echo(change, context) else note(message, "")


def _since(change: Altered) -> str:
    after = "" if change.after is True else f" in {value_words(change.after)}"
    before = "" if change.before in (None, False, True) else f", and was in {value_words(change.before)}"
    return f"{after}{before}"


@change_rule("undeprecated", altered(Trait.DEPRECATED), severities="I/I/I")
def undeprecated(change: Altered, context: Context) -> Verdict | None:
    """Who moved away did so for nothing."""
    if change.after:
        return None
    message = f"{change.element} is not deprecated any more"
    return silent(message) if is_echo(change, context) else note(message, "")


_IN_TIME = Severities.of("I/W/W")
"""Where users still have the time that they were promised, or more of it than anybody can say."""


@change_rule("removal-moved-earlier", altered(Trait.REMOVED, *LIVING), severities="I/E/E")
def removal_moved_earlier(change: Altered, context: Context) -> Verdict | None:
    """Who planned by what was said is late."""
    if not isinstance(change.before, Release):
        return None
    after = change.after
    if isinstance(after, Release):
        if after >= change.before:
            return None
        message = f"{change.element} is to go in {after}, and was to go in {change.before}"
        severities = _IN_TIME if _is_in_time(change, after) else None
    else:
        life = _life(change)
        if not life.tells_deprecated:
            return None
        severities = _IN_TIME
        message = f"{change.element} is deprecated, was to go in {change.before}, and now nobody knows when"
    if is_echo(change, context):
        return silent(message)
    hit = depends(f"who planned to move until {change.before} is late")
    hits = {Direction.OLD_CLIENT: hit, **(gone_before_hits(change, context) if after is None else {})}
    return Verdict(message, hits, patch=f'removed: "{change.before}"', severities=severities)


def _life(change: Altered) -> Lifecycle:
    part = change.new
    if isinstance(part, Version | KindVersion | Struct | Field | EnumValue):
        return part.lifecycle
    return NO_LIFECYCLE


def _is_in_time(change: Altered, end: Release) -> bool:
    """Whether users still have the time that beta promises, from the release that deprecates it."""
    deprecated = _life(change).deprecated
    is_beta = of_version(change.element) is Stability.BETA
    return is_beta and deprecated is not None and not is_before(end, deprecated, WINDOW)


@change_rule("removal-announced", altered(Trait.REMOVED, *LIVING), severities="I/I/I")
def removal_announced(change: Altered, context: Context) -> Verdict | None:
    """Users know until when they have time."""
    if change.after is None:
        message = f"{change.element} was to go in {value_words(change.before)}, and stays"
    else:
        was = "" if change.before is None else f", and was to go in {value_words(change.before)}"
        message = f"{change.element} is to go in {value_words(change.after)}{was}"
    if is_echo(change, context):
        return silent(message)
    hits = gone_before_hits(change, context)
    return Verdict(message, hits) if hits else note(message, "")


@change_rule("replacement-changed", altered(Trait.REPLACEMENT), severities="I/I/I")
def replacement_changed(change: Altered, context: Context) -> Verdict | None:
    """It is advice, and changes nothing."""
    was = "" if change.before is None else f", and was {value_words(change.before)}"
    now = "not said any more" if change.after is None else value_words(change.after)
    message = f"the replacement of {change.element} is {now}{was}"
    return silent(message) if is_echo(change, context) else note(message, "")


@change_rule("introduced-changed", altered(Trait.INTRODUCED, *LIVING_TYPES), severities="I/I/I")
def introduced_changed(change: Altered, context: Context) -> Verdict | None:
    """When something came is a fact once the release is out."""
    if isinstance(change.new, EnumValue):
        return None
    after = "no release" if change.after is None else value_words(change.after)
    was = "no release was said" if change.before is None else f"{value_words(change.before)} was said"
    message = f"{change.element} is said to come in {after}, and {was} before"
    if is_echo(change, context):
        return silent(message)
    release = acting_release(context.new, change.element.group)
    is_there = _is_served(change, change.after, context.new)
    was_there = _is_served(change, change.before, context.old)
    if is_there and not was_there:
        hit = depends(f"a client that speaks {change.element} gets 404 Not Found from a server of before")
        hits = {Direction.NEW_CLIENT: hit, **hits_of_unserved(change.element, context)}
        return Verdict(f"{message}: it is served now", hits, "nothing")
    if was_there and not is_there:
        hidden = breaks(f"a server of {release} does not serve it yet: who speaks it gets 404 Not Found")
        hits = {Direction.OLD_CLIENT: hidden, **hits_of_unserved(change.element, context)}
        return Verdict(message, hits, severities=Severities.of("W/E/E"))
    if change.before is None or not _is_out(change.before, context.old.release_in(change.element.group)):
        return note(message, "nothing")
    hit = depends(f"what {release_before(context, change.element.group)} shipped is said to come in {after}")
    return Verdict(message, {Direction.STORED: hit}, severities=Severities.of("W/W/W"))


def _is_served(change: Altered, said: Value, side: Surface) -> bool:
    """Whether a side serves what is `said` to come in a release; what is no version or kind is there whatever is said."""
    release = acting_release(side, change.element.group)
    if change.element.kind not in (ElementKind.VERSION, ElementKind.KIND) or release is None:
        return True
    return not isinstance(said, Release) or said <= release


def _is_out(release: object, shipped: Release | None) -> bool:
    return isinstance(release, Release) and shipped is not None and release <= shipped


@state_rule("tombstone-incomplete", has_tombstones, severities="W/W/E")
def tombstone_incomplete(surface: Surface, context: Context) -> Iterator[Issue]:
    """Release, reason and number are known on the day of the removal, and hard to find out later."""
    has_releases = _has_releases(context.old) or _has_releases(context.new)
    for group in surface.groups.values():
        for version in group.versions.values() if not group.borrowed else ():
            for type_ in version.types.values():
                for stone in _tombstones(type_):
                    if has_releases or stone.removed is not None:
                        yield from _of(stone, type_, version)


def _of(stone: Tombstone, type_: TypeDef, version: Version) -> Iterator[Issue]:
    lacking = [
        word
        for word, is_there in (
            ("release", stone.removed is not None),
            ("reason", bool(stone.reason)),
            ("number", stone.numbers is not None or not _has_numbers(type_)),
        )
        if not is_there
    ]
    if lacking:
        element = Element(ElementKind.TOMBSTONE, version.group, version.name, type_.name.name, stone.name)
        message = f"the tombstone of {type_.name.name}.{stone.name} has no {' and no '.join(lacking)}"
        severities = None if "number" in lacking else Severities.of("W/W/W")
        yield Issue(element, stone.place, Verdict(message, {}, severities=severities), " ".join(lacking))


def _tombstones(type_: TypeDef) -> tuple[Tombstone, ...]:
    """Those with a name: a range of numbers alone was never anything."""
    stones = type_.tombstones if isinstance(type_, Struct | Enum) else ()
    return tuple(stone for stone in stones if stone.name)


def _has_numbers(type_: TypeDef) -> bool:
    return isinstance(type_, Struct) and any(field.number is not None for field in type_.fields.values())


def _has_releases(side: Surface) -> bool:
    if side.release is not None or side.gates:
        return True
    versions = (version for group in side.groups.values() for version in group.versions.values())
    return any(version.lifecycle.introduced is not None for version in versions)


@state_rule("removal-before-window", has_lifecycles, severities="-/E/E")
def removal_before_window(surface: Surface, context: Context) -> Iterator[Issue]:
    """Beta stays for three releases after it was deprecated, stable as long as the major version."""
    for each in living(surface, context):
        problem, patch = _problem(each)
        if problem:
            hit = depends(f"who uses {each.element} has less time than was promised")
            hits = {Direction.OLD_CLIENT: hit, Direction.STORED: hit}
            message = f"{each.element} is to go in {each.life.removed}: {problem}"
            yield Issue(each.element, each.place, Verdict(message, hits, patch=patch), f"{each.life.removed}")


def _problem(each: Living) -> tuple[str, str]:
    life, promise = each.life, stability(each.element.version)
    if life.removed is None or promise is Stability.ALPHA:
        return "", ""
    if promise is Stability.STABLE:
        since = life.introduced or life.deprecated or life.removed
        is_within = life.removed.major == since.major
        # a field behind a gate that never came on was promised to nobody
        if not is_within or (each.field is not None and each.field.gate is not None):
            return "", ""
        return f"what is stable stays as long as {since.major}.x", ""
    if life.deprecated is None:
        return "no release says that it is deprecated", ""
    end = releases_later(life.deprecated)
    if is_before(life.removed, life.deprecated, WINDOW):
        return f"it is deprecated in {life.deprecated}, and beta stays until {end}", f'removed: "{end}"'
    return "", ""


@state_rule("deprecated-without-end", has_lifecycles, severities="-/W/W")
def deprecated_without_end(surface: Surface, context: Context) -> Iterator[Issue]:
    """A warning that nobody can act on is read by nobody."""
    for each in living(surface, context) if surface.tells_ends else ():
        life = each.life
        if life.tells_deprecated and life.removed is None and not life.replacement:
            message = f"{each.element} is deprecated, and neither its end nor its replacement is said"
            yield Issue(each.element, each.place, Verdict(message, {}))


@state_rule("deprecated-and-required", has_lifecycles, severities="W/W/E")
def deprecated_and_required(surface: Surface, context: Context) -> Iterator[Issue]:
    """Users can do as they are told only if the field may be left out."""
    for each in living(surface, context):
        if each.field is not None and each.field.required and each.life.tells_deprecated:
            hit = depends("a client that stops to set it is refused")
            message = f"{each.element} is deprecated, and required"
            verdict = Verdict(message, {Direction.OLD_CLIENT: hit}, patch="required: false")
            yield Issue(each.element, each.place, verdict)


@state_rule("born-deprecated", has_lifecycles, severities="W/W/W")
def born_deprecated(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nobody uses it yet: it need not come at all."""
    for each in living(surface, context) if surface is context.new else ():
        before = context.old.type(each.element.type_name)
        if each.field is None or not each.life.tells_deprecated or not isinstance(before, Struct):
            continue
        if each.field.name not in before.fields:
            message = f"{each.element} is new, and deprecated already"
            yield Issue(each.element, each.place, Verdict(message, {}))


_TOO_EARLY = Severities.of("I/E/E")


@state_rule("past-due", has_lifecycles, severities="I/I/W")
def past_due(surface: Surface, context: Context) -> Iterator[Issue]:
    """From the release that `removed:` names, servers act as if it were gone: it is written down still, and works no more."""
    for each in living(surface, context):
        end, release = each.life.removed, acting_release(surface, each.element.group)
        if end is None or release is None or end > release or not _is_there(each, surface):
            continue
        old = context.old.release_in(each.element.group) if surface is context.new else None
        problem = too_early(each.life, each.element.version, old, release)
        severities = at(_TOO_EARLY, of_version(each.element)) if problem else None
        message = f"{each.element} was to go in {end}, and is there in {release}{f': {problem}' if problem else ''}"
        verdict = Verdict(message, _hits(each, release, surface, context), severities=severities)
        yield Issue(each.element, each.place, verdict, str(end))


def _is_there(each: Living, surface: Surface) -> bool:
    """Whether it is served: what is kept for stored objects alone is not late."""
    version = surface.version(each.element.group, each.element.version)
    return version is not None and version.served


def _hits(each: Living, release: Release, surface: Surface, context: Context) -> dict[Direction, Hit]:
    if each.field is not None:
        path = each.element.path
        hits = {
            Direction.OLD_CLIENT: breaks(f"a client of before sets {path}, and a server of {release} drops it"),
            Direction.STORED: depends(f"on writes: objects that use {path} keep it, and others cannot get it"),
        }
        if is_filled(each.field, surface, context):
            hits[Direction.NEW_CLIENT] = left_out_hit(path)
        return hits
    if each.element.kind in (ElementKind.VERSION, ElementKind.KIND):
        unknown = breaks(f"who speaks {each.element} gets 404 Not Found from a server of {release}")
        return {Direction.OLD_CLIENT: unknown, **hits_of_unserved(each.element, context)}
    return {}


@state_rule("introduction-reached", has_lifecycles, severities="I/I/I")
def introduction_reached(surface: Surface, context: Context) -> Iterator[Issue]:
    """Nothing was written anew: what `introduced:` planned for a release comes with it."""
    if surface is not context.new:
        return
    for each in living(surface, context):
        old, new = context.old.release_in(each.element.group), context.new.release_in(each.element.group)
        if old is None or new is None or each.life.introduced is None or each.life.introduced > new:
            continue
        if each.element.kind is ElementKind.ENUM_VALUE:
            verdict = _of_value(each, context)
        else:
            verdict = _of_served(each, old, new, context)
        if verdict is not None:
            yield Issue(each.element, each.place, verdict, str(each.life.introduced))


def _of_value(each: Living, context: Context) -> Verdict | None:
    """Of a value that nobody changed; None where who may have it is the same, or told of the change."""
    before, after = (side.type(each.element.type_name) for side in (context.old, context.new))
    if not isinstance(before, Enum) or not isinstance(after, Enum):
        return None
    was, value = before.values.get(each.element.path), after.values[each.element.path]
    is_same = was is not None and (was.gate, was.tolerated, was.lifecycle.introduced) == (
        value.gate,
        value.tolerated,
        value.lifecycle.introduced,
    )
    if (
        was is None
        or not is_same
        or is_accepted(was, context.old, each.element.group)
        or not is_accepted(value, context.new, each.element.group)
    ):
        return None
    name = shown(value.value)
    message = f"{name} of `{after.name.name}` is accepted from {value.lifecycle.introduced} on"
    example = Example(Side.NEW, in_json(value.value, after))
    return Verdict(message, rolled_out_hits(name), examples=(example,))


def _of_served(each: Living, old: Release, new: Release, context: Context) -> Verdict | None:
    """Of a version, or a kind in one, that the release before knew, and did not serve yet; None for all else."""
    kinds = _newly_served(each.element, old, new, context)
    if not kinds:
        return None
    message = f"{each.element} is served from {each.life.introduced} on"
    hit = depends(f"a client that speaks {each.element} gets 404 Not Found from a server of before")
    hits: dict[Direction, Hit] = {Direction.NEW_CLIENT: hit}
    return Verdict(message, {**hits, **hits_of_unserved(each.element, context)})


def _newly_served(element: Element, old: Release, new: Release, context: Context) -> list[str]:
    """The kinds of a version, or the one kind, of which both sides say the same, and that only the new release serves.

    What a kind says that its version says as well is told of the version; what is said otherwise now is a change of its own.
    """
    before, after = (side.version(element.group, element.version) for side in (context.old, context.new))
    if element.kind not in (ElementKind.VERSION, ElementKind.KIND) or before is None or after is None:
        return []
    names = [name for name in after.kinds if element.type in ("", name) and name in before.kinds]
    own = [name for name in names if after.kinds[name].lifecycle.introduced != after.lifecycle.introduced]
    names = [name for name in names if (name in own) == bool(element.type)]
    offered = [name for name in names if before.served and before.kinds[name].served]
    same = [name for name in offered if _introduced(before.kinds[name]) == _introduced(after.kinds[name])]
    return [name for name in same if _comes_after(before.kinds[name], old) and is_served(after, name, new)]


def _introduced(kind: KindVersion) -> Release | None:
    return kind.lifecycle.introduced


def _comes_after(kind: KindVersion, release: Release) -> bool:
    return kind.lifecycle.introduced is not None and kind.lifecycle.introduced > release
