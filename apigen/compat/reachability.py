"""Which types the served kinds of a surface lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import KindVersion, Surface, Version
from apigen.compat.surface.types import Alias, Field, ListOf, MapOf, Named, Several, Slot, Struct, Type, TypeDef


def is_live(version: Version, kind: KindVersion) -> bool:
    """Whether anybody can have objects of a kind in a version today: it is served there, or stored."""
    return (kind.served and version.served) or kind.storage


def is_known(version: Version, kind: KindVersion) -> bool:
    """Any kind: objects of one that is neither served nor stored today may be stored since long ago."""
    return True


def all_are_live(surface: Surface) -> bool:
    """Whether that makes no difference: all kinds of all versions are live."""
    versions = (version for group in surface.groups.values() for version in group.versions.values())
    return all(is_live(version, kind) for version in versions for kind in version.kinds.values())


def through_all(field: Field) -> bool:
    """Any field leads on."""
    return True


class Reachability:
    """By type, the kinds that lead to it: those that `counts` takes, by way of the fields that `leads_on` takes."""

    def __init__(
        self,
        surface: Surface,
        counts: Callable[[Version, KindVersion], bool] = is_live,
        leads_on: Callable[[Field], bool] = through_all,
    ) -> None:
        self._surface = surface
        self._leads_on = leads_on
        self._numbers: dict[TypeName, int] = {}
        self._next: list[list[int]] = []
        self._kinds: list[list[str]] = []
        for group in surface.groups.values():
            for version in group.versions.values():
                for kind in version.kinds.values():
                    if counts(version, kind):
                        self._mark(f"{version} {kind.kind}", kind)

    def kinds(self, name: TypeName) -> frozenset[str]:
        """The kinds that a type is part of, as `group/version Kind`."""
        number = self._numbers.get(name)
        return frozenset() if number is None else frozenset(self._kinds[number])

    def _mark(self, kind: str, of: KindVersion) -> None:
        seen = {self._number(of.root)}
        waiting = list(seen)
        while waiting:
            number = waiting.pop()
            self._kinds[number].append(kind)
            fresh = [each for each in self._next[number] if each not in seen]
            seen.update(fresh)
            waiting += dict.fromkeys(fresh)

    def _number(self, name: TypeName) -> int:
        """The number of a type; those that it leads to, however far, get theirs with it, so that each is looked at once."""
        waiting = [] if name in self._numbers else [name]
        self._add(waiting)
        while waiting:
            current = waiting.pop()
            type_ = self._surface.type(current)
            names = () if type_ is None else tuple(dict.fromkeys(names_in(type_, self._leads_on)))
            fresh = [each for each in names if each not in self._numbers]
            self._add(fresh)
            waiting += fresh
            self._next[self._numbers[current]] = [self._numbers[each] for each in names]
        return self._numbers[name]

    def _add(self, names: Iterable[TypeName]) -> None:
        for name in names:
            self._numbers[name] = len(self._next)
            self._next.append([])
            self._kinds.append([])


def names_in(type_: TypeDef, leads_on: Callable[[Field], bool] = through_all) -> Iterator[TypeName]:
    """The types that a type names, in fields that lead on."""
    if isinstance(type_, Struct):
        yield from names_in_slot(type_.slot)
        for field in type_.fields.values():
            if leads_on(field):
                yield from names_in_slot(field.slot)
    elif isinstance(type_, Alias):
        yield from names_in_slot(type_.slot)


def names_in_slot(slot: Slot) -> Iterator[TypeName]:
    """The types that a place for values names, however deep in lists, maps and branches."""
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
