"""What releases said of themselves stays true."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.model import EnumValue, Lifecycle, Release, Struct, Version
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.removals import lifecycle_of, members_of
from apigen.lint.evolution.version_steps import GroupStep, group_steps
from apigen.lint.rule import finding


@dataclass(frozen=True, slots=True)
class _Pair:
    """The lifecycle of something as it is written now, and as the last release had it; None for what that had not.

    What was tolerated first is there before the release that introduces it.
    """

    what: str
    place: Place
    now: Lifecycle
    was: Lifecycle | None
    was_at: Place | None
    is_tolerated_first: bool = False


class ReleasedLifecyclesStay(EvolutionRule):
    """When something came, was deprecated and went is a fact once the release is out: it is neither changed nor backdated."""

    code = "AG1349"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        newest = evolution.history.newest
        for step in group_steps(evolution) if newest is not None else ():
            for pair in _pairs(step):
                for problem, mend in _problems(pair, newest) if newest is not None else ():
                    related = () if pair.was_at is None else (Related(pair.was_at, f"as {newest} shipped it"),)
                    yield finding(pair.place, f"{pair.what} {problem}", mend, related)


def _problems(pair: _Pair, newest: Release) -> Iterator[tuple[str, str]]:
    introduced = pair.now.introduced
    if pair.was is None:
        if introduced is not None and introduced <= newest:
            yield f"is new, and says that it came in {introduced}: {newest} does not have it", _SAY_LATER
        return
    for word, past in (("introduced", "came"), ("deprecated", "was deprecated"), ("removed", "went")):
        was: Release | None = getattr(pair.was, word)
        now: Release | None = getattr(pair.now, word)
        if was == now:
            continue
        if was is not None and was <= newest:
            yield f"{past} in {was}, as {newest} has it, and not in {now or 'none'}", f'say `{word}: "{was}"` again'
        elif word == "introduced" and now is not None and now > newest and not pair.is_tolerated_first:
            yield (
                f"says that it comes in {now}, and {newest} has it already",
                f"take `{word}:` away, or say the release",
            )
        elif word != "introduced" and now is not None and now <= newest:
            yield f"says that it {past} in {now}, and {newest} says nothing of that", _SAY_LATER


_SAY_LATER = "say the release in the making, or a later one: what is out cannot be told otherwise"


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
    """The lifecycle of a kind, where it is not simply that of its version: of that it has been said."""
    if not isinstance(now, Struct) or now.kind is None or now.list_of is not None:
        return
    known = before if isinstance(before, Struct) else None
    is_of_version = _facts(now.lifecycle) == _facts(version.lifecycle)
    if is_of_version and (known is None or _facts(known.lifecycle) == _facts(was.lifecycle)):
        return
    lifecycle, place = (None, None) if known is None else (known.lifecycle, known.place)
    yield _Pair(f"`{now.id.name}` of {version.name}", now.place, now.lifecycle, lifecycle, place)


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
