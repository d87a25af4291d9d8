"""What a server of 1.36 loses of objects that 1.37 has stored: foretold from the specs, and found by running both."""

from __future__ import annotations

import csv
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from apigen.history.rollback import Lost, rollback_losses, stored_kinds
from apigen.ir.model import Api, FeatureStage, Field, ListType, MapType, Release, Struct, StructType, Type, underlying
from apigen.language.model import Stage
from tests.kubernetes.compiling import Package
from tests.kubernetes.emulating import features_at
from tests.kubernetes.records import DATA
from tests.kubernetes.whole.filling import Filler

JSON, PROTOBUF = "application/json", "application/vnd.kubernetes.protobuf"
LISTED = DATA / "rollback.csv"
NEWER, OLDER = Release(1, 37), Release(1, 36)

Json = Any


@dataclass(frozen=True, slots=True, order=True)
class LostField:
    """A field of a type that the older server omits; `kinds` are those whose objects it was lost from."""

    type: str
    field: str
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedField:
    """A field that the documentation lists, with the gates that 1.37 marks it with."""

    type: str
    field: str
    gates: tuple[str, ...]


def listed() -> list[ListedField]:
    """What 1.36 is known to lose."""
    with LISTED.open(encoding="utf-8", newline="") as lines:
        return [ListedField(row["type"], row["field"], tuple(row["gates"].split())) for row in csv.DictReader(lines)]


def foretold(newer: Api, older: Api) -> set[tuple[str, str]]:
    """Types and fields that the specs say are lost, whatever the state of their gates."""
    losses = rollback_losses(_with_all_on(newer), older, NEWER)
    places = {loss.place for loss in losses if loss.lost is Lost.FIELD}
    return {
        (str(struct.id), field.json_name)
        for struct in newer.types.values()
        if isinstance(struct, Struct)
        for field in struct.own_fields
        if field.place in places
    }


class Rollback:
    """Servers of both releases; `newer_api` is what `newer` was compiled from."""

    def __init__(self, newer: Package, older: Package, newer_api: Api) -> None:
        self._newer: Any = newer.scheme
        self._older: Any = older.scheme
        self._api = newer_api
        self._filler = Filler(newer_api)
        self._features = features_at(self._older, str(OLDER))
        self._known = {(v, kind.partition(".")[0]) for kind in self._older.kinds() for v in self._older.versions(kind)}

    def lost(self) -> list[LostField]:
        """What is gone after the older server has changed a label of an object of each kind that it knows."""
        kinds: dict[tuple[str, str], list[str]] = defaultdict(list)
        for api_version, struct in self.kinds():
            for type_, field in self._of_kind(api_version, struct):
                kinds[type_, field].append(f"{api_version}.{struct.id.name}")
        return sorted(LostField(*key, tuple(sorted(found))) for key, found in kinds.items())

    def kinds(self) -> Iterator[tuple[str, Struct]]:
        """The kinds that both releases have, in the version that the newer one stores."""
        for group in self._api.groups:
            for version, struct in stored_kinds(group, self._api):
                api_version = group.api_version(version.name)
                if struct.has_type_meta and (api_version, struct.id.name) in self._known:
                    yield api_version, struct

    def _of_kind(self, api_version: str, struct: Struct) -> set[tuple[str, str]]:
        filled = json.dumps(self._filler.kind(api_version, struct))
        stored = self._newer.decode(filled, JSON, default=False)
        before = json.loads(self._newer.encode(stored, JSON))
        found: set[tuple[str, str]] = set()
        for media_type in (JSON, PROTOBUF):
            after = self._updated(self._newer.encode(stored, media_type), media_type)
            found.update(_missing(before, json.loads(after), StructType(struct.id), self._api))
        return found

    def _updated(self, data: bytes, media_type: str) -> bytes:
        """What the older server stores after one of its clients has set a label."""
        obj = self._older.decode(data, media_type, default=False)
        metadata: Any = getattr(obj, "metadata", None)
        if hasattr(metadata, "labels"):
            metadata.labels = {**(metadata.labels or {}), "rolled": "back"}
        written: bytes = self._older.encode(obj, JSON)
        return written


def _missing(before: Json, after: Json, type_: Type, api: Api) -> Iterator[tuple[str, str]]:
    """The fields of `before` that `after` has not, as the type that has them and their name; all else is the same."""
    match underlying(type_):
        case StructType(id_):
            struct = api.struct(id_)
            for name, value in before.items():
                field = struct.field(name)
                if field is None:
                    continue  # apiVersion and kind
                if name not in after:
                    yield _owner(struct, field, api), name
                else:
                    yield from _missing(value, after[name], field.type, api)
        case ListType(item):
            for mine, theirs in zip(before or (), after or (), strict=True):
                yield from _missing(mine, theirs, item, api)
        case MapType(_, value_type):
            for key, value in (before or {}).items():
                yield from _missing(value, after[key], value_type, api)
        case _:
            assert before == after, f"{before!r} has become {after!r}"


def _owner(struct: Struct, field: Field, api: Api) -> str:
    """The type that declares the field: that of the last inline field, if it comes from one."""
    for name in field.via:
        inline = struct.inline(name)
        assert inline is not None
        struct = api.struct(inline.type.id)
    return str(struct.id)


def _with_all_on(api: Api) -> Api:
    on = (FeatureStage(Release(0, 0), Stage.BETA, True, False),)
    return replace(api, features=tuple(replace(feature, stages=on) for feature in api.features))
