"""What came, changed and went in a group, release by release: the rows of its timeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from apigen.ir.model import Api, Enum, EnumValue, Feature, Field, Group, Lifecycle, Release, Struct, Tombstone, Version
from apigen.spec.model import Stage

MOST_ROWS = 40
"""The members that come and go of which a picture shows no more."""


class Look(StrEnum):
    """What a stretch of a row stands for."""

    SERVED = "served"
    UNSERVED = "unserved"
    DEPRECATED = "deprecated"
    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Stretch:
    """From a release (None: from ever) until another one (None: open), and what is to be read in it.

    `is_on`: of a gate, whether it is on by default; of anything else, true.
    """

    start: Release | None
    end: Release | None
    look: Look
    label: str = ""
    is_on: bool = True
    is_locked: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """One version, gate or member."""

    name: str
    stretches: tuple[Stretch, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Timeline:
    """The rows of a group under their headings, and the releases that they tell of, in order."""

    sections: tuple[tuple[str, tuple[Row, ...]], ...]
    releases: tuple[Release, ...]
    left_out: int = 0


def timeline(group: Group, api: Api, gates: tuple[Feature, ...]) -> Timeline:
    """The timeline of a group with the gates that it names."""
    versions = tuple(_version(version, api) for version in group.versions)
    features = tuple(_gate(feature) for feature in gates)
    members = tuple(dict.fromkeys(_members(group, api)))
    sections = (("Versions", versions), ("Feature gates", features), ("Fields and values", members[:MOST_ROWS]))
    shown = tuple((title, rows) for title, rows in sections if rows)
    named = sorted({release for _, rows in shown for row in rows for release in _releases(row)})
    return Timeline(shown, _all_between(named), max(0, len(members) - MOST_ROWS))


def life_of_version(version: Version, api: Api) -> Lifecycle:
    """The lifecycle of a version; where it says nothing itself, from the first to the last of its kinds."""
    own = version.lifecycle
    kinds = [s.lifecycle for s in api.structs(version.group, version.name) if s.kind is not None and s.list_of is None]
    introduced = [life.introduced for life in kinds if life.introduced is not None]
    deprecated = [life.deprecated for life in kinds if life.deprecated is not None]
    removed = [life.removed for life in kinds if life.removed is not None]
    return Lifecycle(
        own.introduced or min(introduced, default=None),
        own.deprecated or (max(deprecated) if kinds and len(deprecated) == len(kinds) else None),
        own.removed or (max(removed) if kinds and len(removed) == len(kinds) else None),
        own.replacement,
    )


def _version(version: Version, api: Api) -> Row:
    life = life_of_version(version, api)
    look = Look.SERVED if version.served else Look.UNSERVED
    label = "storage" if version.storage else "" if version.served else "not served"
    return Row(version.name, _life(life, look, label))


def _life(life: Lifecycle, look: Look, label: str = "") -> tuple[Stretch, ...]:
    """From introduced by way of deprecated to removed."""
    start = life.returned or life.introduced
    if life.deprecated is None:
        return (Stretch(start, life.removed, look, label),)
    late = Stretch(life.deprecated, life.removed, Look.DEPRECATED, "deprecated")
    if start is not None and start >= life.deprecated:
        return (late,)
    return (Stretch(start, life.deprecated, look, label), late)


def _gate(feature: Feature) -> Row:
    looks = {Stage.ALPHA: Look.ALPHA, Stage.BETA: Look.BETA, Stage.GA: Look.GA, Stage.DEPRECATED: Look.DEPRECATED}
    ends = [*(stage.release for stage in feature.stages[1:]), None]
    stretches = []
    for stage, end in zip(feature.stages, ends, strict=True):
        label = f"{stage.stage.value}, {'on' if stage.default else 'off'}{', locked' if stage.locked else ''}"
        look = looks[stage.stage]
        stretches.append(Stretch(stage.release, end, look, label, stage.default, stage.locked))
    return Row(feature.name, tuple(stretches))


def _members(group: Group, api: Api) -> Iterator[Row]:
    """Fields and values that came, went or will go, each once though it may be in several versions."""
    for version in group.versions:
        for id_ in version.types:
            type_ = api.types.get(id_)
            if isinstance(type_, Struct):
                for field in type_.own_fields:
                    yield from _member(f"{id_.name}.{field.json_name}", field, version)
            if isinstance(type_, Enum):
                for value in type_.values:
                    yield from _member(f"{id_.name} {value.value}", value, version)
            if isinstance(type_, Struct | Enum):
                for tombstone in type_.tombstones:
                    yield from _gone(id_.name, tombstone, version)


def _member(name: str, member: Field | EnumValue, version: Version) -> Iterator[Row]:
    life = member.lifecycle
    if any((life.introduced, life.deprecated, life.removed, life.returned)):
        yield Row(name, _life(life, Look.SERVED), version.name)


def _gone(type_name: str, tombstone: Tombstone, version: Version) -> Iterator[Row]:
    if tombstone.removed is not None:
        there = Stretch(None, tombstone.removed, Look.SERVED)
        gone = Stretch(tombstone.removed, None, Look.GONE, "gone")
        yield Row(f"{type_name}.{tombstone.json_name}", (there, gone), version.name)


def _releases(row: Row) -> Iterator[Release]:
    for stretch in row.stretches:
        yield from (release for release in (stretch.start, stretch.end) if release is not None)


def _all_between(named: list[Release]) -> tuple[Release, ...]:
    """Every release from the first to the last that is named; of several major versions, those that are named."""
    if not named or named[0].major != named[-1].major:
        return tuple(named)
    return tuple(Release(named[0].major, minor) for minor in range(named[0].minor, named[-1].minor + 1))
