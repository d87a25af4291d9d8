"""Rules on versions and kinds: their names, and versions in which objects are stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from apigen.diagnostics import Diagnostic, Place, Related
from apigen.ir.model import Group, Release, RemovedName, Version
from apigen.ir.stability import Stability, releases_later, stability
from apigen.lint.evolution.evolution import Evolution, evolution_rule
from apigen.lint.evolution.version_steps import stored
from apigen.lint.rule import finding


@evolution_rule("AG1306")
def released_names_stay(evolution: Evolution) -> Iterator[Diagnostic]:
    """Names of versions and kinds are never reused: each is declared, or has a tombstone in group.yaml.

    The rules of `apigen diff` check when one may be removed.
    """
    before, newest = evolution.before, evolution.history.newest
    if before is None or newest is None:
        return
    theirs = {group.folder: group for group in before.groups}
    for group in evolution.now.groups:
        was = theirs.get(group.folder)
        if was is not None and group.folder in evolution.groups:
            yield from _versions(group, was, newest, evolution.target_release)
            yield from _kinds(group, was, newest)


def _versions(group: Group, was: Group, newest: Release, release: Release) -> Iterator[Diagnostic]:
    known = {version.name for version in group.versions} | _names(group.removed_versions)
    named = [(version.name, Related(version.place, f"in release {newest}")) for version in was.versions]
    kept = {version.name: _restored(version, release) for version in was.versions if _must_stay(version, release)}
    yield from _gone("versions", group, known, named, kept)
    yield from _gone("versions", group, known, _buried(was.removed_versions))


def _must_stay(version: Version, release: Release) -> bool:
    """Return whether a released version may not be removed in a release: it is not alpha, and its removal is not due."""
    removed = version.lifecycle.removed
    return stability(version.name) is not Stability.ALPHA and (removed is None or removed > release)


def _restored(version: Version, release: Release) -> str:
    deprecated = version.lifecycle.deprecated or release
    removed = version.lifecycle.removed or releases_later(deprecated)
    return f'restore it with `deprecated: "{deprecated}", removed: "{removed}"`, and remove it in {removed}'


def _kinds(group: Group, was: Group, newest: Release) -> Iterator[Diagnostic]:
    known = {kind.name for kind in group.kinds} | _names(group.removed_kinds)
    named = [(kind.name, Related(kind.place, f"in release {newest}")) for kind in was.kinds]
    yield from _gone("kinds", group, known, named)
    yield from _gone("kinds", group, known, _buried(was.removed_kinds))


def _buried(gone: Iterable[RemovedName]) -> list[tuple[str, Related]]:
    return [(tombstone.name, Related(tombstone.place, "the recorded tombstone")) for tombstone in gone]


def _names(gone: Iterable[RemovedName]) -> set[str]:
    return {tombstone.name for tombstone in gone}


def _gone(
    key: str,
    group: Group,
    known: set[str],
    named: Iterable[tuple[str, Related]],
    kept: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Diagnostic]:
    """Report names that are missing. `kept` has the help for those that may not be removed yet."""
    for name, related in named:
        if name not in known:
            tombstone = f"add its tombstone to group.yaml:\ntombstones:\n  {key}:\n    {name}: {{removed: RELEASE}}"
            yield finding(
                group.place,
                f"{key.removesuffix('s')} `{name}` of group {group.folder} was removed without a tombstone, but was released",
                kept.get(name, tombstone),
                (related,),
            )


@evolution_rule("AG1348")
def stored_version_stays_readable(evolution: Evolution) -> Iterator[Diagnostic]:
    """Objects keep their stored version until they are written again, so the version must be kept, served or not, until they
    are migrated. (kubernetes/kubernetes, issue 52185)
    """
    for group in evolution.now.groups:
        if group.folder in evolution.groups:
            for name, (release, place) in _ever_stored(group, evolution).items():
                if group.version(name) is None:
                    yield from _of_version(name, release, place, group, evolution)


def _of_version(name: str, last: Release, place: Place, group: Group, evolution: Evolution) -> Iterator[Diagnostic]:
    gone = next((gone for gone in group.removed_versions if gone.name == name), None)
    problem = _problem(name, gone, last, evolution)
    if problem is not None:
        yield finding(
            group.place if gone is None else gone.place,
            f"version {name} was removed, but it was the storage version until release {last}, and {problem}",
            f"keep {name} with `served: false` until all objects are rewritten; then remove it and declare"
            f" `tombstones: {{versions: {{{name}: {{removed: RELEASE, migrated: RELEASE}}}}}}`",
            (Related(place, f"the storage version of {last}"),),
        )


def _problem(name: str, gone: RemovedName | None, last: Release, evolution: Evolution) -> str | None:
    if last == evolution.history.newest:
        return "a rollback to that release must read the stored objects"
    migrated = None if gone is None else gone.migrated
    if migrated is None:
        return "no migration is declared"
    if migrated <= last:
        return f'`migrated: "{migrated}"` is not later than that release'
    return (
        None
        if evolution.release is None or migrated <= evolution.release
        else f'`migrated: "{migrated}"` is not released yet'
    )


def _ever_stored(group: Group, evolution: Evolution) -> dict[str, tuple[Release, Place]]:
    """Return the versions that were the storage version of a release, each with the last such release."""
    found: dict[str, tuple[Release, Place]] = {}
    for release, api in evolution.history.steps():
        was = next((other for other in api.groups if other.folder == group.folder), None)
        version = None if was is None else stored(was)
        if version is not None:
            found[version.name] = (release, version.place)
    return found
