"""The versions and kinds of a group as the last release shipped them, next to those of now."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.ir.model import Api, Group, Struct, Version
from apigen.lint.evolution.evolution import Evolution


@dataclass(frozen=True, slots=True)
class GroupStep:
    """A group that the last release had too."""

    before: Group
    now: Group
    api_before: Api
    api_now: Api

    def roots(self, version: Version, api: Api) -> dict[str, Struct]:
        """The kinds of a version, by name, lists omitted."""
        return {s.id.name: s for s in api.structs(self.now.folder, version.name) if s.kind and s.list_of is None}


def group_steps(evolution: Evolution) -> Iterator[GroupStep]:
    """The groups of this project that the last release had too."""
    before = evolution.before
    if before is None:
        return
    theirs = {group.folder: group for group in before.groups}
    for group in evolution.now.groups:
        if group.folder in evolution.groups and group.folder in theirs:
            yield GroupStep(theirs[group.folder], group, before, evolution.now)


def kinds_now(evolution: Evolution) -> Iterator[tuple[Version, Struct]]:
    """Every kind of this project in every version, lists omitted."""
    for group in evolution.now.groups:
        if group.folder not in evolution.groups:
            continue
        for version in group.versions:
            for struct in evolution.now.structs(group.folder, version.name):
                if struct.kind is not None and struct.list_of is None:
                    yield version, struct


def stored(group: Group) -> Version | None:
    """The version in which a group stores its objects."""
    return next((version for version in group.versions if version.storage), None)


def preferred(group: Group) -> Version | None:
    """The version that servers offer first: that which says so, else that in which objects are stored."""
    return next((version for version in group.versions if version.preferred), None) or stored(group)
