"""The shortest paths from kinds to types."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.review.surface import (
    KindVersion,
    ListOf,
    MapOf,
    Named,
    Several,
    Struct,
    Surface,
    Type,
    TypeName,
    Version,
    behind,
)

ITEM = "[]"
VALUE = "{}"
KEY = "{key}"


@dataclass(frozen=True, slots=True)
class Route:
    """A kind in a version, and the steps from it: names of fields, and `[]` and `{}` into lists and maps."""

    version: Version
    kind: KindVersion
    steps: tuple[str, ...] = ()

    @property
    def weight(self) -> tuple[bool, int]:
        """The sort key, smallest first: served versions before others, then shorter routes."""
        return not self.version.served, len(self.steps)


class Routes:
    """The routes to the types of a surface, from kinds that are served or stored; computed once."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface
        self._found: dict[TypeName, list[Route]] = {}
        for version, kind in surface.kinds():
            self._walk(Route(version, kind))

    def to(self, name: TypeName) -> list[Route]:
        """Return one route from each kind that contains a type, sorted by weight."""
        return sorted(self._found.get(name, ()), key=lambda route: route.weight)

    def _walk(self, start: Route) -> None:
        waiting = deque([(start.kind.root, start.steps)])
        seen: set[TypeName] = set()
        while waiting:
            name, steps = waiting.popleft()
            if name in seen:
                continue
            seen.add(name)
            self._found.setdefault(name, []).append(Route(start.version, start.kind, steps))
            type_ = self._surface.type(name)
            if isinstance(type_, Struct):
                for field in type_.fields.values():
                    waiting.extend(_ends(self._surface, field.slot.type, (*steps, field.name)))


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
