"""Rules on lifecycles: deprecated and restored elements, and their records."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.history.model import History
from apigen.ir.model import EnumValue, Field, Inline, Lifecycle, Release, Struct, Version
from apigen.ir.stability import WINDOW, Stability, next_release, releases_later, stability
from apigen.ir.types import TypeId
from apigen.lint.evolution.evolution import Evolution, Member, evolution_rule, lifecycle_of, members_of
from apigen.lint.evolution.version_steps import GroupStep, group_steps, kinds_now
from apigen.lint.rule import finding


@evolution_rule("AG1341", severity=Severity.WARNING, can_be_acknowledged=True)
def beta_is_deprecated_in_time(evolution: Evolution) -> Iterator[Diagnostic]:
    """A beta kind is deprecated at most nine months or three releases after its introduction. (Deprecation policy, rule 4a)

    Past releases, and kinds that were released with a later plan, are not checked: released facts cannot change.
    """
    for version, struct in kinds_now(evolution):
        life = struct.lifecycle
        was = evolution.before.types.get(struct.id) if evolution.before is not None else None
        is_decided = isinstance(was, Struct) and was.lifecycle == life
        if evolution.release is None or is_decided or stability(version.name) is not Stability.BETA:
            continue
        if life.introduced is None or life.deprecated is None or life.deprecated < evolution.release:
            continue
        latest = releases_later(life.introduced)
        if life.deprecated > latest and life.deprecated.major == latest.major:
            yield finding(
                struct.place,
                f"{version.name} `{struct.id.name}` was introduced in {life.introduced} and is deprecated only in"
                f" {life.deprecated}; beta kinds must be deprecated within {WINDOW} releases",
                f'set `deprecated: "{latest}", removed: "{releases_later(latest)}"`',
            )


@dataclass(frozen=True, slots=True)
class _Pair:
    """The lifecycle of an element now and in the last release; None if that release does not have the element.

    An enum value that is tolerated first exists before the release that introduces it.
    """

    what: str
    place: Place
    now: Lifecycle
    was: Lifecycle | None
    was_at: Place | None
    is_tolerated_first: bool = False


@evolution_rule("AG1349")
def released_lifecycles_stay(evolution: Evolution) -> Iterator[Diagnostic]:
    """The releases that introduced, deprecated or removed an element are facts: they are neither changed nor backdated."""
    newest = evolution.history.newest
    for step in group_steps(evolution) if newest is not None else ():
        for pair in _pairs(step):
            for problem, fix in _problems(pair, newest) if newest is not None else ():
                related = () if pair.was_at is None else (Related(pair.was_at, f"as {newest} shipped it"),)
                yield finding(pair.place, f"{pair.what} {problem}", fix, related)


def _problems(pair: _Pair, newest: Release) -> Iterator[tuple[str, str]]:
    introduced = pair.now.introduced
    if pair.was is None:
        if introduced is not None and introduced <= newest:
            yield f'is new, but declares `introduced: "{introduced}"`, and release {newest} does not have it', _later(
                newest
            )
        return
    for word in ("introduced", "deprecated", "removed"):
        was: Release | None = getattr(pair.was, word)
        now: Release | None = getattr(pair.now, word)
        if was == now:
            continue
        if was is not None and was <= newest:
            current = f"no `{word}:`" if now is None else f'`{word}: "{now}"`'
            yield (
                f'was released with `{word}: "{was}"`, but now has {current}',
                f'restore `{word}: "{was}"`',
            )
        elif word == "introduced" and now is not None and now > newest and not pair.is_tolerated_first:
            yield (
                f'declares `introduced: "{now}"`, but release {newest} has it already',
                "delete `introduced:`, or set it to the release that introduced the element",
            )
        elif word != "introduced" and now is not None and now <= newest:
            yield f'declares `{word}: "{now}"`, but release {newest} was shipped without it', _later(newest)


def _later(newest: Release) -> str:
    return f'declare the next release or a later one, such as "{next_release(newest)}"'


def _pairs(step: GroupStep) -> Iterator[_Pair]:
    for version in step.now.versions:
        was = step.before.version(version.name)
        if was is None:
            yield _Pair(f"version {version.name}", version.place, version.lifecycle, None, None)
            continue
        yield _Pair(f"version {version.name}", version.place, version.lifecycle, was.lifecycle, was.place)
        for id_ in version.types:
            now, before = step.api_now.types.get(id_), step.api_before.types.get(id_)
            yield from _of_kind(now, before, version, was)
            yield from _of_members(id_.name, now, before)


def _of_kind(now: object, before: object, version: Version, was: Version) -> Iterator[_Pair]:
    """Return the lifecycle of a kind, unless it is the same as that of its version, which is checked itself."""
    if not isinstance(now, Struct) or now.kind is None or now.list_of is not None:
        return
    known = before if isinstance(before, Struct) else None
    is_of_version = _facts(now.lifecycle) == _facts(version.lifecycle)
    if is_of_version and (known is None or _facts(known.lifecycle) == _facts(was.lifecycle)):
        return
    lifecycle, place = (None, None) if known is None else (known.lifecycle, known.place)
    yield _Pair(f"{version.name} `{now.id.name}`", now.place, now.lifecycle, lifecycle, place)


def _facts(life: Lifecycle) -> tuple[Release | None, ...]:
    return life.introduced, life.deprecated, life.removed


def _of_members(name: str, now: object, before: object) -> Iterator[_Pair]:
    theirs = members_of(before)
    for member_name, member in members_of(now).items() if before is not None else ():
        known = theirs.get(member_name)
        lifecycle, place = (None, None) if known is None else (lifecycle_of(known), known.place)
        own = lifecycle_of(member)
        if own.returned is None:
            tolerated = isinstance(member, EnumValue) and member.tolerated is not None
            yield _Pair(f"`{name}.{member_name}`", member.place, own, lifecycle, place, tolerated)


@dataclass(frozen=True, slots=True)
class Return:
    """A field or value with `returned:`; `was` is the last release that has it, with its state there."""

    name: str
    member: Member
    returned: Release
    was: tuple[Release, Member] | None
    is_there_still: bool


def returns(evolution: Evolution) -> Iterator[Return]:
    """Return all elements with `returned:`, compared with the recorded releases before they were restored."""
    for id_, type_ in evolution.now.types.items():
        for name, member in members_of(type_).items() if id_.group in evolution.groups else ():
            returned = lifecycle_of(member).returned
            if returned is None:
                continue
            past = [release for release in evolution.history.releases if release < returned]
            was = _last(id_, name, past, evolution.history)
            is_there_still = was is not None and was[0] == past[-1]
            yield Return(f"{id_.name}.{name}", member, returned, was, is_there_still)


def _last(id_: TypeId, name: str, releases: list[Release], history: History) -> tuple[Release, Member] | None:
    """Return the last of the releases that has a member, with its state there."""
    for release in reversed(releases):
        known = members_of(history.api(release).types.get(id_)).get(name)
        if known is not None:
            return release, known
    return None


@evolution_rule("AG1323")
def returned_is_identical(evolution: Evolution) -> Iterator[Diagnostic]:
    """A restored field has the same name, number, type and presence, because stored objects contain it. (api_changes.md,
    "if the feature is resurrected")
    """
    for found in returns(evolution):
        if found.was is None or found.is_there_still:
            continue
        release, was = found.was
        for word, before, now in _differences(was, found.member):
            yield finding(
                found.member.place,
                f"`{found.name}` was restored with another {word}: `{now}` instead of `{before}` (release {release})",
                f"restore the {word} `{before}`, or keep the tombstone and add a field with a new name",
                (Related(was.place, f"in release {release}"),),
            )


def _differences(was: Member, now: Member) -> Iterator[tuple[str, str, str]]:
    """Return the differences between two states of a member: the property, the old value, the new value."""
    if isinstance(was, EnumValue) or isinstance(now, EnumValue):
        return
    for word, before, after in (
        ("number", str(was.number), str(now.number)),
        ("type", str(was.type), str(now.type)),
        ("presence", _presence(was), _presence(now)),
    ):
        if before != after:
            yield word, before, after


def _presence(member: Field | Inline) -> str:
    return "inline" if isinstance(member, Inline) else member.presence.value


@evolution_rule("AG1324")
def returned_was_gone(evolution: Evolution) -> Iterator[Diagnostic]:
    """The records must confirm `returned:`: a release had the element, a later one did not, and the next one restores it."""
    newest = evolution.history.newest
    if newest is None:
        return
    for found in returns(evolution):
        problem = None
        if found.was is None:
            problem = "no earlier release has it", "delete `returned:`"
        elif found.is_there_still:
            problem = f"release {found.was[0]} still has it", "delete `returned:`"
        elif found.returned > newest and evolution.release is not None and found.returned != evolution.release:
            edit = f'`returned: "{evolution.release}"`'
            problem = f"the next release is {evolution.release}", f"write {edit}"
        if problem is not None:
            message = f'`{found.name}` declares `returned: "{found.returned}"`, but {problem[0]}'
            yield finding(found.member.place, message, problem[1])
