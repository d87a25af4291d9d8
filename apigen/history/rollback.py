"""The data that objects written by a release lose in a rollback to the previous release.

A server of the previous release reads objects that the newer one stored, changes, validates and stores them again
(api_changes.md: "Backward compatibility gotchas"; deprecation policy, rule 4b). Fields behind a gate that is disabled by
default are not written by default and are not checked.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from enum import StrEnum

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.history.model import History
from apigen.ir.model import (
    Api,
    Enum,
    EnumType,
    Feature,
    Field,
    Group,
    ListType,
    MapType,
    Release,
    Struct,
    StructType,
    Type,
    TypeId,
    Version,
    is_text,
    underlying,
)
from apigen.language.model import GateJoin, GateSpec


class Lost(StrEnum):
    """The kinds of losses in the previous release."""

    VERSION = "version"
    FIELD = "field"
    VALUE = "value"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class RollbackLoss:
    """A value that is not preserved: its path from the kind, its place now and, if it existed, in the previous release.

    `version` is the stored one, `gates` are those that the element names now. `owner` is the current type that has the
    field, and `field` its name in JSON; `None` and empty for other parts. `kind` is the one that the path
    begins with.
    """

    lost: Lost
    path: str
    detail: str
    place: Place
    version: str
    before: Place | None = None
    gates: tuple[str, ...] = ()
    owner: TypeId | None = None
    field: str = ""
    kind: TypeId | None = None


@dataclass(frozen=True, slots=True)
class Rollback:
    """The rollback from the next release, `release`, to the previous release, `before`, and its losses.

    `kinds` are the kinds that both releases store in the same version.
    """

    release: Release
    before: Release
    kinds: tuple[TypeId, ...]
    losses: tuple[RollbackLoss, ...]


def rollback_from(now: Api, release: Release | None, history: History, folders: Container[str]) -> Rollback | None:
    """Return the rollback from `release` with the API `now` to the newest recorded release before it, for groups by folder.

    The records may already have a part of `release`. None if there is no such release, or `release` is unknown.
    """
    earlier = max((each for each in history.releases if release and each < release), default=None)
    if release is None or earlier is None:
        return None
    before = history.api(earlier)
    groups = tuple(group for group in now.groups if group.folder in folders)
    kinds = (
        struct.id
        for group in groups
        for _, struct in stored_kinds(group, now)
        if isinstance(known := before.types.get(struct.id), Struct) and known.kind is not None
    )
    return Rollback(release, earlier, tuple(kinds), tuple(rollback_losses(now, before, release, groups, earlier)))


def rollback_losses(
    now: Api,
    before: Api,
    release: Release,
    groups: Iterable[Group] | None = None,
    earlier: Release | None = None,
) -> Iterator[RollbackLoss]:
    """Return the values that `release` with the API `now` writes by default and `before` does not preserve, by first path.

    Only values in `groups`, if they are given. Without `earlier`, the release of `before`, its gates are disabled.
    Groups and kinds that `before` does not have are ignored: no rollback
    to them is possible.
    """
    features, old_features = ({feature.name: feature for feature in api.features} for api in (now, before))
    walk = _Walk(now, before, features, release, old_features, earlier)
    for group in now.groups if groups is None else groups:
        old_group = next((other for other in before.groups if other.folder == group.folder), None)
        if old_group is not None:
            yield from _of_group(group, old_group, walk)


_IN_USE = ("gate", "field", "place")
"""The values of `inUse:` with which an update that does not change an object keeps its fields."""


def is_enabled_by_default(gate: GateSpec | None, features: Mapping[str, Feature], release: Release) -> bool:
    """Return whether an element behind a gate is written by default in a release; true without a gate, or if nothing
    drops it.
    """
    if gate is None or gate.during == ():
        return True
    states = [features[name.value].is_enabled(release) for name in gate.gates if name.value in features]
    return all(states) if gate.join is GateJoin.ALL else any(states)


def stored_kinds(group: Group, api: Api) -> Iterator[tuple[Version, Struct]]:
    """Return the kinds of a group in their storage version; in each version if none is declared as such."""
    structs = [(v, s) for v in group.versions for s in api.structs(group.folder, v.name) if s.kind and not s.list_of]
    chosen = {struct.id.name for version, struct in structs if version.storage}
    return ((v, s) for v, s in structs if v.storage or s.id.name not in chosen)


def _of_group(group: Group, earlier: Group, walk: _Walk) -> Iterator[RollbackLoss]:
    for version, struct in stored_kinds(group, walk.now):
        if earlier.kind(struct.id.name) is None:
            continue
        if struct.id not in walk.before.types:
            detail = f"does not have {group.api_version(version.name)}, the version in which objects are stored"
            yield RollbackLoss(Lost.VERSION, struct.id.name, detail, version.place, version.name)
            continue
        yield from walk.pair(
            StructType(struct.id),
            StructType(struct.id),
            _Spot(struct.id.name, struct.place, version.name, kind=struct.id),
        )


@dataclass(frozen=True, slots=True)
class _Spot:
    """A position of the walk."""

    path: str
    place: Place
    version: str
    before: Place | None = None
    gates: tuple[str, ...] = ()
    owner: TypeId | None = None
    field: str = ""
    kind: TypeId | None = None

    def loss(self, lost: Lost, detail: str, place: Place | None = None) -> RollbackLoss:
        place = place or self.place
        return RollbackLoss(
            lost, self.path, detail, place, self.version, self.before, self.gates, self.owner, self.field, self.kind
        )

    def inside(self, step: str) -> _Spot:
        return replace(self, path=self.path + step)


@dataclass(slots=True)
class _Walk:
    """Walks the types of both releases in parallel; each pair of types once."""

    now: Api
    before: Api
    features: Mapping[str, Feature]
    release: Release
    old_features: Mapping[str, Feature]
    earlier: Release | None
    _seen: set[tuple[TypeId, TypeId]] = field(default_factory=set)

    def pair(self, now: Type, before: Type, spot: _Spot) -> Iterator[RollbackLoss]:
        """Yield the losses of a value of the type `now` that is read as `before`."""
        waiting: list[tuple[Type, Type, _Spot]] = [(now, before, spot)]
        while waiting:
            now, before, spot = waiting.pop()
            match underlying(now), underlying(before):
                case StructType(mine), StructType(theirs):
                    yield from self._structs(self.now.struct(mine), self.before.struct(theirs), spot, waiting)
                case ListType(mine_item), ListType(their_item):
                    waiting.append((mine_item, their_item, spot.inside("[]")))
                case MapType(_, mine_value), MapType(_, their_value):
                    waiting.append((mine_value, their_value, spot.inside("[]")))
                case EnumType(mine), EnumType(theirs):
                    yield from self._values(mine, theirs, spot)
                case mine_type, their_type if mine_type == their_type or (is_text(now) and is_text(before)):
                    pass
                case _:
                    yield spot.loss(Lost.FORM, f"reads it as {before} instead of {now}")

    def _structs(
        self, now: Struct, before: Struct, spot: _Spot, waiting: list[tuple[Type, Type, _Spot]]
    ) -> Iterator[RollbackLoss]:
        if (now.id, before.id) in self._seen:
            return
        self._seen.add((now.id, before.id))
        following: list[tuple[Type, Type, _Spot]] = []
        for member in now.fields:
            if self._is_written(member):
                yield from self._field(member, now.id, before, spot, following)
        waiting.extend(reversed(following))

    def _field(
        self, member: Field, owner: TypeId, before: Struct, spot: _Spot, following: list[tuple[Type, Type, _Spot]]
    ) -> Iterator[RollbackLoss]:
        old_field = before.field(member.json_name)
        gates = tuple(name.value for name in member.gate.gates) if member.gate else ()
        path = f"{spot.path}.{member.json_name}"
        before_place = old_field.place if old_field else None
        spot_of_field = _Spot(path, member.place, spot.version, before_place, gates, owner, member.json_name, spot.kind)
        if old_field is None:
            yield spot_of_field.loss(Lost.FIELD, "drops the field")
            return
        if member.number is not None and (member.number, member.via) != (old_field.number, old_field.via):
            detail = "does not read protobuf"
            if old_field.number is not None:
                detail = f"reads protobuf field number {old_field.number} instead of {member.number}"
            yield spot_of_field.loss(Lost.FORM, detail)
        if old_field.gate is not None and self._is_dropped_in_use(old_field.gate):
            updates = "every update" if old_field.gate.in_use == "never" else "updates of some objects"
            yield spot_of_field.loss(Lost.FIELD, f"drops the field on {updates} while its feature gate is disabled")
        following.append((member.type, old_field.type, spot_of_field))

    def _values(self, now: TypeId, before: TypeId, spot: _Spot) -> Iterator[RollbackLoss]:
        new_enum, old_enum = self.now.types[now], self.before.types[before]
        assert isinstance(new_enum, Enum) and isinstance(old_enum, Enum)
        if old_enum.open or (now, before) in self._seen:
            return
        self._seen.add((now, before))
        known = {value.value for value in old_enum.values}
        for value in new_enum.values:
            is_given = value.is_introduced(self.release) and is_enabled_by_default(
                value.gate, self.features, self.release
            )
            if value.value not in known and is_given:
                yield spot.loss(Lost.VALUE, f"rejects the value {value.value!r}", value.place)

    def _is_dropped_in_use(self, gate: GateSpec) -> bool:
        """Return whether an update by the previous release may drop a field that the old object has."""
        was_enabled = self.earlier is not None and is_enabled_by_default(gate, self.old_features, self.earlier)
        is_dropped = gate.during is None or "update" in gate.during
        return gate.in_use not in _IN_USE and is_dropped and not was_enabled

    def _is_written(self, member: Field) -> bool:
        removed = member.lifecycle.removed
        is_removed = removed is not None and removed <= self.release
        return not is_removed and is_enabled_by_default(member.gate, self.features, self.release)
