"""Which types the served kinds of a surface lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import KindVersion, Surface, Version
from apigen.compat.surface.types import Alias, Field, ListOf, MapOf, Named, Several, Slot, Struct, Type, TypeDef


def is_live(version: Version, kind: KindVersion) -> bool:
    """Whether anybody can have objects of a kind in a version today: it is served there, or stored."""
    return (kind.served and version.served) or kind.storage


def is_known(version: Version, kind: KindVersion) -> bool:
    """Any kind: objects of one that is neither served nor stored today may be stored since long ago."""
    return True


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
        self._kinds: dict[TypeName, set[str]] = {}
        for group in surface.groups.values():
            for version in group.versions.values():
                for kind in version.kinds.values():
                    if counts(version, kind):
                        self._mark(f"{version} {kind.kind}", kind)

    def kinds(self, name: TypeName) -> frozenset[str]:
        """The kinds that a type is part of, as `group/version Kind`."""
        return frozenset(self._kinds.get(name, ()))

    def _mark(self, kind: str, of: KindVersion) -> None:
        waiting = [of.root]
        while waiting:
            name = waiting.pop()
            found = self._kinds.setdefault(name, set())
            type_ = self._surface.type(name)
            if kind in found or type_ is None:
                continue
            found.add(kind)
            waiting.extend(names_in(type_, self._leads_on))


def names_in(type_: TypeDef, leads_on: Callable[[Field], bool] = through_all) -> Iterator[TypeName]:
    """The types that a type names, in fields that lead on."""
    if isinstance(type_, Struct):
        yield from _in_slot(type_.slot)
        for field in type_.fields.values():
            if leads_on(field):
                yield from _in_slot(field.slot)
    elif isinstance(type_, Alias):
        yield from _in_slot(type_.slot)


def _in_slot(slot: Slot) -> Iterator[TypeName]:
    yield from _in_type(slot.type)
    for branch in slot.branches:
        yield from _in_slot(branch.slot)


def _in_type(type_: Type) -> Iterator[TypeName]:
    match type_:
        case Named(name):
            yield name
        case ListOf(item):
            yield from _in_slot(item)
        case MapOf(key, value):
            yield from _in_slot(key)
            yield from _in_slot(value)
        case Several(types):
            for each in types:
                yield from _in_type(each)
