"""Which findings are tried together: those whose kinds are not too large to be compiled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.compat.links import names_in
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Group, Surface
from apigen.compat.surface.types import Enum, Struct
from apigen.compat.witnesses.sampling import Allowance

_VALUES = 4
"""Values of an enum that count as a field."""


class Choosing:
    """Weighs the kinds of a group on both sides by the fields of the types that they lead to; each type counts once."""

    def __init__(self, sides: Iterable[tuple[Surface, Group]], allowance: Allowance) -> None:
        self._sides = tuple(sides)
        self._allowance = allowance
        self._there: tuple[set[TypeName], ...] = tuple(set() for _ in self._sides)
        self._known: dict[str, bool] = {}

    def affords(self, kinds: Iterable[str]) -> bool:
        """Whether kinds can be compiled, too; those that can are part of what is compiled from then on."""
        found = [self._known[kind] if kind in self._known else self._adds(kind) for kind in sorted(kinds)]
        return all(found)

    def _adds(self, kind: str) -> bool:
        more = [set(self._reached(surface, group, kind)) for surface, group in self._sides]
        fresh = [found - there for found, there in zip(more, self._there, strict=True)]
        count = sum(self._fields(surface, names) for (surface, _), names in zip(self._sides, fresh, strict=True))
        self._known[kind] = self._allowance.takes_fields(count)
        if self._known[kind]:
            for there, names in zip(self._there, fresh, strict=True):
                there |= names
        return self._known[kind]

    def _fields(self, surface: Surface, names: set[TypeName]) -> int:
        types = [surface.type(name) for name in names]
        values = sum(len(type_.values) for type_ in types if isinstance(type_, Enum))
        return values // _VALUES + sum(len(type_.fields) for type_ in types if isinstance(type_, Struct))

    def _reached(self, surface: Surface, group: Group, kind: str) -> Iterator[TypeName]:
        """The types that a kind leads to in all versions."""
        waiting = [version.kinds[kind].root for version in group.versions.values() if kind in version.kinds]
        seen: set[TypeName] = set()
        while waiting:
            name = waiting.pop()
            type_ = surface.type(name)
            if name in seen or type_ is None:
                continue
            seen.add(name)
            yield name
            waiting.extend(names_in(type_))
