"""A version or kind that was released does not go without leaving its name behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Api, Gone, Group, Release, Struct, Version
from apigen.ir.types import TypeId
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.rule import finding


class ReleasedNamesStay(EvolutionRule):
    """Names of versions and kinds are never given out again: each is there, or has a tombstone in group.yaml.

    (When one may go is for the rules of lifecycle to say.)
    """

    code = "AG1306"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        before, newest = evolution.before, evolution.history.newest
        if before is None or newest is None:
            return
        theirs = {group.folder: group for group in before.groups}
        for group in evolution.now.groups:
            was = theirs.get(group.folder)
            if was is not None and group.folder in evolution.groups:
                yield from _versions(group, was, newest)
                yield from _kinds(group, was, newest)
                yield from _kinds_of_versions(evolution, before, group, was)


def _versions(group: Group, was: Group, newest: Release) -> Iterator[Diagnostic]:
    there = {version.name for version in group.versions}
    named = [(version.name, Related(version.place, f"{newest} served it")) for version in was.versions]
    yield from _gone("versions", "version", group, there | _names(group.gone_versions), named)
    yield from _gone("versions", "version", group, there | _names(group.gone_versions), _buried(was.gone_versions))


def _kinds(group: Group, was: Group, newest: Release) -> Iterator[Diagnostic]:
    there = {kind.name for kind in group.kinds}
    named = [(kind.name, Related(kind.place, f"{newest} served it")) for kind in was.kinds]
    yield from _gone("kinds", "kind", group, there | _names(group.gone_kinds), named)
    yield from _gone("kinds", "kind", group, there | _names(group.gone_kinds), _buried(was.gone_kinds))


def _buried(gone: Iterable[Gone]) -> list[tuple[str, Related]]:
    return [(tombstone.name, Related(tombstone.place, "its tombstone was released")) for tombstone in gone]


def _names(gone: Iterable[Gone]) -> set[str]:
    return {tombstone.name for tombstone in gone}


def _gone(key: str, what: str, group: Group, known: set[str], named: list[tuple[str, Related]]) -> Iterator[Diagnostic]:
    for name, related in named:
        if name not in known:
            yield finding(
                group.place,
                f"{what} `{name}` of {group.folder} was released, and is gone without a tombstone",
                "bring it back, or if it was removed in its time, say so in group.yaml, so that nothing else is called"
                f" so:\ntombstones:\n  {key}:\n    {name}: {{removed: RELEASE}}",
                (related,),
            )


def _kinds_of_versions(evolution: Evolution, before: Api, group: Group, was: Group) -> Iterator[Diagnostic]:
    """A kind that other versions of the group still have is gone from one that is there."""
    living = {kind.name for kind in group.kinds}
    for version in group.versions:
        old = was.version(version.name)
        for id_ in () if old is None else old.types:
            struct = before.types[id_]
            if isinstance(struct, Struct) and struct.kind is not None and id_.name in living:
                yield from _kind_of_version(evolution, version, struct, id_)


def _kind_of_version(evolution: Evolution, version: Version, struct: Struct, id_: TypeId) -> Iterator[Diagnostic]:
    removed = struct.lifecycle.removed
    is_past = removed is not None and evolution.release is not None and removed <= evolution.release
    if id_ in evolution.now.types or is_past:
        return
    yield finding(
        version.place,
        f"`{id_.name}` of {id_.group}/{id_.version} was released, and is gone from this version",
        "bring it back; a kind leaves a version when its `removed:` was released and has come",
        (Related(struct.place, f"{evolution.history.newest} served it"),),
    )
