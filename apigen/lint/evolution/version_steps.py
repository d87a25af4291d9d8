"""The versions and kinds of a group in the last release and now."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.ir.model import Api, Group, Struct, Version
from apigen.lint.evolution.evolution import Evolution


@dataclass(frozen=True, slots=True)
class GroupStep:
    """A group that the last release has, too."""

    before: Group
    now: Group
    api_before: Api
    api_now: Api


def group_steps(evolution: Evolution) -> Iterator[GroupStep]:
    """Return the groups of this project that the last release has, too."""
    before = evolution.before
    if before is None:
        return
    theirs = {group.folder: group for group in before.groups}
    for group in evolution.now.groups:
        if group.folder in evolution.groups and group.folder in theirs:
            yield GroupStep(theirs[group.folder], group, before, evolution.now)


def kinds_now(evolution: Evolution) -> Iterator[tuple[Version, Struct]]:
    """Return every kind of this project in every version, without lists."""
    for group in evolution.now.groups:
        if group.folder not in evolution.groups:
            continue
        for version in group.versions:
            for struct in evolution.now.structs(group.folder, version.name):
                if struct.kind is not None and struct.list_of is None:
                    yield version, struct


def stored(group: Group) -> Version | None:
    """Return the storage version of a group."""
    return next((version for version in group.versions if version.storage), None)
