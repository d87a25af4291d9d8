"""Which types the served kinds of a surface lead to."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import KindVersion, Surface
from apigen.compat.surface.types import Alias, ListOf, MapOf, Named, Several, Slot, Struct, Type, TypeDef


class Reachability:
    """By type, the kinds that lead to it. A kind counts where its version is served, or stored."""

    def __init__(self, surface: Surface) -> None:
        self._kinds: dict[TypeName, set[str]] = {}
        for group in surface.groups.values():
            for version in group.versions.values():
                for kind in version.kinds.values():
                    if (kind.served and version.served) or kind.storage:
                        self._mark(surface, f"{version} {kind.kind}", kind)

    def kinds(self, name: TypeName) -> frozenset[str]:
        """The kinds that a type is part of, as `group/version Kind`."""
        return frozenset(self._kinds.get(name, ()))

    def _mark(self, surface: Surface, kind: str, of: KindVersion) -> None:
        waiting = [of.root]
        while waiting:
            name = waiting.pop()
            found = self._kinds.setdefault(name, set())
            type_ = surface.type(name)
            if kind in found or type_ is None:
                continue
            found.add(kind)
            waiting.extend(names_in(type_))


def names_in(type_: TypeDef) -> Iterator[TypeName]:
    """The types that a type names."""
    if isinstance(type_, Struct):
        yield from _in_slot(type_.slot)
        for field in type_.fields.values():
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
