"""The types of an output with only some groups or kinds: those, and all types that they use.

A type of a version is *kept* if a chosen kind contains it, in any version. The *shape* of the hubs is computed from
more types: a hub type is the same, whichever of its versions are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.hub.field_homes import HUB, hub_types_of
from apigen.hub.second_hub_views import as_seen
from apigen.ir.graphs import reached
from apigen.ir.model import Api, Feature, Group, Struct, TypeId, named_in
from apigen.ir.reachability import carries_unseen, named_by, reachable_from
from apigen.language.model import NamedExpr, TypeSpec
from apigen.language.selection import Choice
from apigen.language.walking import gate_names, parts


@dataclass(frozen=True, slots=True)
class Selection:
    """A part of an API. `shape` has the types of `kept`, and the other types that add fields to the hubs.

    `values` are the types of `kept` that only types of another release series hold: they need no hub types.
    """

    kept: Api
    shape: Api
    values: frozenset[TypeId] = frozenset()


def select(api: Api, choice: Choice) -> Selection:
    """Return the selected part of a resolved API.

    `Group.kinds` has only the selected kinds: a kind that is only the type of a field is kept, but not served. A kind
    with the hub of another group also selects the kind of that hub.
    """
    if all(group.folder in choice.groups for group in api.groups) and len(choice.gates) == len(api.features):
        return Selection(api, api)
    hub_of = hub_types_of(as_seen(api), Report())  # errors are reported when the hubs are built
    graph = _Graph(as_seen(api), hub_of)
    kinds = _kinds(api, choice)
    roots = frozenset(_roots(api, choice, kinds))
    kept, graph_part = reachable_from(roots, api), graph.found_from(roots)
    while more := frozenset(graph.unreached(kept - graph_part.values, graph_part.hubs)) - kept:
        roots |= more
        kept, graph_part = reachable_from(roots, api), graph.found_from(roots)
    gated = (graph_part.shape - graph_part.values) | defaulted_values(api, graph_part.values)
    features = _features(api, choice, gated, graph_part.hubs, kinds)
    cut = _Cut(api, choice, kinds, graph_part.hubs, hub_of, features)
    return Selection(cut.part(kept), cut.part(graph_part.shape), graph_part.values)


def defaulted_values(api: Api, values: frozenset[TypeId]) -> frozenset[TypeId]:
    """Return the types of fields with `defaults: true`, with the types in them."""
    opted_in = (
        id_
        for type_ in api.types.values()
        if isinstance(type_, Struct)
        for field in type_.fields
        if field.defaults
        for id_ in named_in(field.type)
    )
    return reachable_from(opted_in, api) & values


def with_gates(part: Api, api: Api, names: Iterable[str]) -> Api:
    """Return a part of an API with additional feature gates, and the gates on which they depend."""
    return replace(part, features=_with_dependencies(api, (*(feature.name for feature in part.features), *names)))


def _kinds(api: Api, choice: Choice) -> frozenset[tuple[str, str]]:
    """Return the chosen kinds, and those that define their hub."""
    kinds = {(group.folder, kind.name): kind for group in api.groups for kind in group.kinds}

    def hub_kind(key: tuple[str, str]) -> tuple[tuple[str, str], ...]:
        hub = kinds[key].hub
        return () if hub is None or (hub.group, hub.name) not in kinds else ((hub.group, hub.name),)

    return reached((key for key in kinds if key[0] in choice.groups or key in choice.kinds), hub_kind)


def _roots(api: Api, choice: Choice, kinds: frozenset[tuple[str, str]]) -> Iterator[TypeId]:
    for id_, type_ in api.types.items():
        root = type_.list_of.name if isinstance(type_, Struct) and type_.list_of else id_.name
        is_root = isinstance(type_, Struct) and (type_.kind or type_.list_of)
        if id_.group in choice.groups or (is_root and (id_.group, root) in kinds):
            yield id_


@dataclass(frozen=True, slots=True)
class _Found:
    """The types that some types use: types of versions (`shape`), of hubs, and those of versions that are
    values only.
    """

    shape: frozenset[TypeId]
    hubs: frozenset[TypeId]
    values: frozenset[TypeId]


class _Graph:
    """The references between types. Types of hubs are nodes, too, by their identity.

    A node is a type and whether it is used as a value: in a type whose hub belongs to another release series. A
    value refers to values, and not to hubs.
    """

    def __init__(self, api: Api, hub_of: Mapping[TypeId, TypeId]) -> None:
        self._api = api
        self._hub_of = hub_of
        self._overrides = {
            TypeId(group.folder, HUB, spec.name): spec for group in api.groups for spec in group.hub_overrides
        }
        self._makers: dict[TypeId, list[TypeId]] = {}
        for id_, hub in hub_of.items():
            if id_.group == hub.group:
                self._makers.setdefault(hub, []).append(id_)
        self._series = api.series_of_groups
        self._met = frozenset(self._meeting())

    def found_from(self, roots: Iterable[TypeId]) -> _Found:
        """Return the types that add fields to the hubs of some types, and all types in these, including the
        given ones.
        """
        nodes = reached(((id_, False) for id_ in roots if id_ in self._api.types), self._below)
        converted = frozenset(id_ for id_, is_value in nodes if not is_value)
        shape = frozenset(id_.unseen for id_, _ in nodes if id_ in self._api.types)
        hubs = frozenset(id_ for id_ in converted if id_.version == HUB)
        return _Found(shape, hubs, shape - converted)

    def _series_of(self, id_: TypeId) -> str:
        """Return the release series of the hub to which a type converts; of its own group without a hub."""
        return self._series.get(self._hub_of.get(id_, id_).group, "")

    def _meeting(self) -> Iterator[TypeId]:
        """Types of another series of which one type names several versions in its own: their group converts them."""
        if not any(self._series.values()):
            return
        named: dict[tuple[TypeId, TypeId], set[TypeId]] = {}
        for id_, type_ in self._api.types.items():
            series = self._series_of(id_)
            for inner in named_by(type_):
                if inner in self._hub_of and self._series_of(inner) != series:
                    named.setdefault((self._hub_of.get(id_, id_), self._hub_of[inner]), set()).add(inner)
        for ids in named.values():
            if len(ids) > 1:
                yield from ids

    def unreached(self, kept: Iterable[TypeId], hubs: frozenset[TypeId]) -> Iterator[TypeId]:
        """Yield the types of versions that no other kept type refers to: those that a type of hub.yaml names, and the
        hidden types of these hubs in versions that preserve fields in annotations, or convert them by hand.
        """
        for hub in hubs & self._overrides.keys():
            for name in named_in_hub(self._overrides[hub], hub.group):
                if name in self._api.types:
                    yield name
        carrying = {(id_.group, id_.version) for id_ in kept if carries_unseen(self._api.types[id_])}
        for id_, hub in self._hub_of.items():
            if (id_.group, id_.version) in carrying and hub in hubs:
                yield id_.unseen

    def _below(self, node: tuple[TypeId, bool]) -> Iterator[tuple[TypeId, bool]]:
        id_, is_value = node
        if not is_value:
            yield from ((maker, False) for maker in self._makers.get(id_, ()))
            if id_ in self._overrides:
                for name in named_in_hub(self._overrides[id_], id_.group):
                    yield name, name.version != HUB and self._series_of(name) != self._series_of(id_)
            if id_ in self._hub_of:
                yield self._hub_of[id_], False
        if id_.seen_as:
            yield id_.unseen, False
        if id_ in self._api.types:
            for inner in named_by(self._api.types[id_]):
                is_foreign = inner not in self._met and self._series_of(inner) != self._series_of(id_)
                yield inner, is_value or is_foreign


def named_in_hub(spec: TypeSpec, group: str) -> Iterator[TypeId]:
    """Yield the types that a type of hub.yaml refers to: those of hubs, if no version is given."""
    for name in parts(spec, NamedExpr):
        yield TypeId(name.group or group, name.version or HUB, name.name)


def _features(
    api: Api,
    choice: Choice,
    shape: frozenset[TypeId],
    hubs: frozenset[TypeId],
    kinds: frozenset[tuple[str, str]],
) -> tuple[Feature, ...]:
    """The gates that the types and the strategies of the kinds name, and those that they depend on."""
    overrides = [s for g in api.groups for s in g.hub_overrides if TypeId(g.folder, HUB, s.name) in hubs]
    strategies = [kind.strategy for g in api.groups for kind in g.kinds if (g.folder, kind.name) in kinds]
    named = gate_names((*(api.types[id_] for id_ in shape), *overrides, *strategies))
    return _with_dependencies(api, (*choice.gates, *named))


def _with_dependencies(api: Api, names: Iterable[str]) -> tuple[Feature, ...]:
    """The gates of these names, and those that they depend on."""
    by_name = {feature.name: feature for feature in api.features}
    found = reached(names, lambda name: by_name[name].depends_on if name in by_name else ())
    return tuple(feature for feature in api.features if feature.name in found)


@dataclass(frozen=True, slots=True)
class _Cut:
    """The properties of an API that are independent of the types in it."""

    api: Api
    choice: Choice
    kinds: frozenset[tuple[str, str]]
    hubs: frozenset[TypeId]
    hub_of: Mapping[TypeId, TypeId]
    features: tuple[Feature, ...]

    def part(self, types: frozenset[TypeId]) -> Api:
        """The part with these types of versions."""
        groups = tuple(self._groups(types))
        part = {id_: type_ for id_, type_ in self.api.types.items() if id_ in types}
        kept = replace(self.api, groups=groups, features=self.features, types=part)
        now = hub_types_of(as_seen(kept), Report())
        lost = {id_: hub for id_, hub in self.hub_of.items() if id_ in part and now.get(id_) != hub}
        explicit = {id_: replace(part[id_], hub_name=str(hub)) for id_, hub in lost.items()}
        return replace(kept, types={**part, **explicit})  # `lost` came from kinds that are not kept

    def _groups(self, types: frozenset[TypeId]) -> Iterator[Group]:
        of_hubs = {hub.group for hub in self.hubs}
        for group in self.api.groups:
            if group.folder in self.choice.groups:
                yield group
                continue
            part = self._part_of_group(group, types)
            if part.versions or group.folder in of_hubs:
                yield part

    def _part_of_group(self, group: Group, types: frozenset[TypeId]) -> Group:
        versions = (
            replace(version, types=tuple(id_ for id_ in version.types if id_ in types)) for version in group.versions
        )
        return replace(
            group,
            versions=tuple(version for version in versions if version.types),
            kinds=tuple(kind for kind in group.kinds if (group.folder, kind.name) in self.kinds),
            hub_overrides=tuple(s for s in group.hub_overrides if TypeId(group.folder, HUB, s.name) in self.hubs),
        )
