"""References between the types of one side, and what the served kinds reach."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.graphs import reached
from apigen.ir.surface import (
    Alias,
    Field,
    KindVersion,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Several,
    Slot,
    Struct,
    Surface,
    Type,
    TypeDef,
    TypeName,
    Version,
    behind,
)


class Links:
    """The types to which each type of a surface refers; results are cached.

    `other_side` are the references of the other side, with which unchanged types are shared.
    """

    def __init__(self, surface: Surface, other_side: Links | None = None) -> None:
        self._surface = surface
        self._other_side = other_side
        self._known: dict[TypeName, tuple[TypeName, ...]] = {}

    def of(self, name: TypeName) -> tuple[TypeName, ...]:
        """Return the types that a type refers to, each once; none for an unknown type. A struct only refers to itself
        by its fields.
        """
        if name not in self._known:
            type_, other = self._surface.type(name), self._other_side
            if type_ is not None and other is not None and other._surface.type(name) is type_:
                self._known[name] = other.of(name)
            else:
                self._known[name] = () if type_ is None else tuple(dict.fromkeys(names_in(type_)))
        return self._known[name]


def names_in(type_: TypeDef, leads_on: Callable[[Field], bool] | None = None) -> Iterator[TypeName]:
    """Yield the types to which a type refers; of a struct, in the fields for which `leads_on` returns true (default:
    all).
    """
    if isinstance(type_, Struct):
        if type_.slot.type != Named(type_.name):
            yield from _in_type(type_.slot.type)
        for branch in type_.slot.branches:
            yield from names_in_slot(branch.slot)
        for field in type_.fields.values():
            if leads_on is None or leads_on(field):
                inner = field.slot.type
                if isinstance(inner, Named) and not field.slot.branches:
                    yield inner.name
                elif not isinstance(inner, Scalar) or field.slot.branches:
                    yield from names_in_slot(field.slot)
    elif isinstance(type_, Alias):
        yield from names_in_slot(type_.slot)


def names_in_slot(slot: Slot) -> Iterator[TypeName]:
    """Yield the types to which a slot refers, including those in nested lists, maps and branches."""
    if not isinstance(slot.type, Scalar):
        yield from _in_type(slot.type)
    for branch in slot.branches:
        yield from names_in_slot(branch.slot)


def _in_type(type_: Type) -> Iterator[TypeName]:
    match type_:
        case Named(name):
            yield name
        case ListOf(item):
            yield from names_in_slot(item)
        case MapOf(key, value):
            yield from names_in_slot(key)
            yield from names_in_slot(value)
        case Several(types):
            for each in types:
                yield from _in_type(each)


Owner = tuple[TypeName, str]
"""A type and its field; no field where the type names the other one as a whole."""

Owners = Mapping[TypeName, tuple[Owner, ...]]
"""By type, the types and fields that refer to it, in order of the surface."""


def owners(surface: Surface, names_of_types: Container[TypeName]) -> Owners:
    """Return the fields and types that refer to each of the `names_of_types` types."""
    found: dict[TypeName, list[Owner]] = {}
    for type_ in surface.types():
        for name, field in _named(type_):
            if name in names_of_types:
                found.setdefault(name, []).append((type_.name, field))
    return {name: tuple(each) for name, each in found.items()}


def _named(type_: TypeDef) -> Iterator[tuple[TypeName, str]]:
    """Yield the types that a type refers to, each with the field."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            yield from ((name, field.name) for name in names_in_slot(field.slot))
    else:
        yield from ((name, "") for name in names_in(type_))


def is_live(version: Version, kind: KindVersion) -> bool:
    """Return whether objects of a kind can exist in a version: the version serves or stores it."""
    return (kind.served and version.served) or kind.storage


def no_longer_served(old: Surface, new: Surface) -> frozenset[str]:
    """Return the kinds of the base that the revision declares, but neither serves nor stores, as `group/version Kind`: their
    schemas no longer apply to any object.
    """
    return frozenset(
        f"{version} {kind.kind}".lstrip()
        for version, kind in old.kinds()
        if (after := new.version(version.group, version.name)) is not None
        if kind.kind in after.kinds and is_live(version, kind) and not is_live(after, after.kinds[kind.kind])
    )


class Reachability:
    """The kinds that contain each type: kinds for which `counts` is true, along the references that `leads_to` returns."""

    def __init__(
        self,
        surface: Surface,
        counts: Callable[[Version, KindVersion], bool],
        leads_to: Callable[[TypeName], Iterable[TypeName]],
    ) -> None:
        self._kinds: dict[TypeName, set[str]] = {}
        for version, kind in surface.kinds():
            for name in reached((kind.root,), leads_to) if counts(version, kind) else ():
                self._kinds.setdefault(name, set()).add(f"{version} {kind.kind}".lstrip())

    def kinds(self, name: TypeName) -> frozenset[str]:
        """Return the kinds that contain a type, as `group/version Kind`."""
        return frozenset(self._kinds.get(name, ()))


ITEM = "[]"
VALUE = "{}"
KEY = "{key}"


@dataclass(frozen=True, slots=True)
class Route:
    """A path from a kind in a version to a type: the steps are names of fields, and `[]` and `{}` into lists and maps.

    `types` are those on the path, one for each field, from the root of the kind to the end.
    """

    version: Version
    kind: KindVersion
    steps: tuple[str, ...] = ()
    types: tuple[TypeName, ...] = ()


def routes_from(surface: Surface, *kinds: tuple[Version, KindVersion]) -> Iterator[Route]:
    """Yield the shortest route from one of some kinds to each type that they contain, the shortest first."""
    waiting: deque[tuple[tuple[Version, KindVersion], tuple[str, ...], tuple[TypeName, ...]]] = deque()
    waiting.extend((kind, (), (kind[1].root,)) for kind in kinds)
    seen: set[TypeName] = set()
    while waiting:
        kind, steps, types = waiting.popleft()
        if types[-1] in seen:
            continue
        seen.add(types[-1])
        yield Route(*kind, steps, types)
        type_ = surface.type(types[-1])
        if isinstance(type_, Struct):
            for field in type_.fields.values():
                ends = _ends(surface, field.slot.type, (*steps, field.name))
                waiting.extend((kind, inner, (*types, name)) for name, inner in ends)


class Routes:
    """The shortest routes to the types of a surface, from its kinds; computed once."""

    def __init__(self, surface: Surface) -> None:
        self._found: dict[TypeName, list[Route]] = {}
        for kind in surface.kinds():
            for route in routes_from(surface, kind):
                self._found.setdefault(route.types[-1], []).append(route)

    def to(self, name: TypeName) -> list[Route]:
        """Return one route from each kind that contains a type: served versions before others, then shorter routes."""
        return sorted(self._found.get(name, ()), key=lambda route: (not route.version.served, len(route.steps)))


def _ends(surface: Surface, type_: Type, steps: tuple[str, ...]) -> Iterator[tuple[TypeName, tuple[str, ...]]]:
    """Yield the named types in values at a place, with the steps to them."""
    if isinstance(type_, Named):
        yield type_.name, steps
    match behind(surface, type_):
        case Named(name):
            yield name, steps
        case ListOf(item):
            yield from _ends(surface, item.type, (*steps, ITEM))
        case MapOf(key, value):
            yield from _ends(surface, key.type, (*steps, KEY))
            yield from _ends(surface, value.type, (*steps, VALUE))
        case Several(types):
            for each in types:
                yield from _ends(surface, each, steps)
