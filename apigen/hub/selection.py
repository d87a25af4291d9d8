"""What of an API an output holds where it holds only some groups or kinds: these, and all that they lead to.

A type of a version is *kept* when a chosen kind leads to it, in whatever version. The *shape* of the hubs comes of more
types: a hub type looks the same, whichever of its versions are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.choice import Choice
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Report
from apigen.hub.claims import HUB, hub_types_of
from apigen.ir.graphs import reached
from apigen.ir.model import Api, Feature, Group, Struct, TypeDef
from apigen.ir.reachability import carries_unseen, led_to, named_by
from apigen.ir.types import TypeId
from apigen.spec.model import NamedExpr, TypeSpec
from apigen.spec.walking import gate_names, parts


@dataclass(frozen=True, slots=True)
class Selection:
    """A part of an API. `shape` holds the types of `kept` and those that the hubs are made of besides."""

    kept: Api
    shape: Api


def select(api: Api, choice: Choice) -> Selection:
    """The part of a resolved API that a choice leads to.

    `Group.kinds` has the chosen kinds only: a kind that is merely the type of some field is kept, and not served.
    A kind that lives in another group's hub brings the kind of that hub.
    """
    if all(group.folder in choice.groups for group in api.groups) and len(choice.gates) == len(api.features):
        return Selection(api, api)
    hub_of = hub_types_of(api, Report())  # what is wrong is reported when the hubs are made
    graph = _Graph(api, hub_of)
    kinds = _with_hub_kinds(api, _chosen_kinds(api, choice))
    kept = led_to(_roots(api, choice, kinds), api)
    shape, hubs = graph.shape_of(kept)
    while more := frozenset(graph.unseen(kept, hubs)) - kept:
        kept = led_to(kept | more, api)
        shape, hubs = graph.shape_of(kept)
    features = _features(api, choice, shape, hubs, kinds)
    cut = _Cut(api, choice, kinds, hubs, hub_of, features)
    return Selection(cut.part(kept), cut.part(shape))


def with_gates(part: Api, api: Api, names: Iterable[str]) -> Api:
    """A part of an API with more of its gates, and those that they depend on."""
    return replace(part, features=_with_dependencies(api, (*(feature.name for feature in part.features), *names)))


def _chosen_kinds(api: Api, choice: Choice) -> Iterator[tuple[str, str]]:
    for group in api.groups:
        for kind in group.kinds:
            if group.folder in choice.groups or (group.folder, kind.name) in choice.kinds:
                yield group.folder, kind.name


def _with_hub_kinds(api: Api, chosen: Iterable[tuple[str, str]]) -> frozenset[tuple[str, str]]:
    """The kinds, and those whose hub they live in."""
    kinds = {(group.folder, kind.name): kind for group in api.groups for kind in group.kinds}

    def hub_kind(key: tuple[str, str]) -> tuple[tuple[str, str], ...]:
        hub = kinds[key].hub
        return () if hub is None or (hub.group, hub.name) not in kinds else ((hub.group, hub.name),)

    return reached((key for key in chosen if key in kinds), hub_kind)


def _roots(api: Api, choice: Choice, kinds: frozenset[tuple[str, str]]) -> Iterator[TypeId]:
    for id_, type_ in api.types.items():
        root = type_.list_of.name if isinstance(type_, Struct) and type_.list_of else id_.name
        is_root = isinstance(type_, Struct) and (type_.kind or type_.list_of)
        if id_.group in choice.groups or (is_root and (id_.group, root) in kinds):
            yield id_


class _Graph:
    """What leads to what. Types of hubs stand in it by their identity, as those of versions do."""

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

    def shape_of(self, kept: Iterable[TypeId]) -> tuple[frozenset[TypeId], frozenset[TypeId]]:
        """The types of versions that the hubs of these are made of, with them; and the types of these hubs."""
        found = reached(kept, self._below)
        shape = frozenset(id_ for id_ in found if id_ in self._api.types)
        return shape, frozenset(id_ for id_ in found if id_.version == HUB)

    def unseen(self, kept: Iterable[TypeId], hubs: frozenset[TypeId]) -> Iterator[TypeId]:
        """What serves versions that carry, or convert by hand, what they have no field for: their types of these hubs."""
        carrying = {(id_.group, id_.version) for id_ in kept if carries_unseen(self._api.types[id_])}
        for id_, hub in self._hub_of.items():
            if (id_.group, id_.version) in carrying and hub in hubs:
                yield id_

    def _below(self, id_: TypeId) -> Iterator[TypeId]:
        yield from self._makers.get(id_, ())
        if id_ in self._overrides:
            yield from named_in_hub(self._overrides[id_], id_.group)
        if id_ in self._api.types:
            yield from named_by(self._api.types[id_])
        if id_ in self._hub_of:
            yield self._hub_of[id_]


def named_in_hub(spec: TypeSpec, group: str) -> Iterator[TypeId]:
    """The types that a type of hub.yaml names: those of hubs, where it says no version."""
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
    there = {feature.name: feature for feature in api.features}
    found = reached(names, lambda name: there[name].depends_on if name in there else ())
    return tuple(feature for feature in api.features if feature.name in found)


@dataclass(frozen=True, slots=True)
class _Cut:
    """What the parts of an API have in common, whichever of its types they have."""

    api: Api
    choice: Choice
    kinds: frozenset[tuple[str, str]]
    hubs: frozenset[TypeId]
    hub_of: Mapping[TypeId, TypeId]
    features: tuple[Feature, ...]

    def part(self, types: frozenset[TypeId]) -> Api:
        """The part with these types of versions."""
        groups = tuple(self._groups(types))
        kept = Api(groups, self.features, {id_: type_ for id_, type_ in self.api.types.items() if id_ in types})
        return replace(kept, types=dict(self._with_their_hubs(kept)))

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

    def _with_their_hubs(self, kept: Api) -> Iterator[tuple[TypeId, TypeDef]]:
        """The types, each saying its hub type where it got that from a kind above it that is not kept."""
        now = hub_types_of(kept, Report())
        for id_, type_ in kept.types.items():
            hub = self.hub_of.get(id_)
            says_so = hub is None or now.get(id_) == hub
            yield id_, type_ if says_so else replace(type_, hub_name=str(hub))
