"""The shortest way from a kind to a type."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.resolving import behind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import ListOf, MapOf, Named, Struct, Type
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Route:
    """From the root of a kind by `steps`, which are paths of the spec language; `types` are those on the way, root and end among them."""

    kind: str
    steps: tuple[str, ...]
    types: tuple[TypeName, ...]


def route_to(surface: Surface, name: TypeName) -> Route | None:
    """The shortest route to a type, from the kinds of its own version; None where none of them leads to it."""
    version = surface.version(name.group, name.version)
    kinds = () if version is None else tuple(version.kinds.values())
    waiting = deque(Route(kind.kind, (), (kind.root,)) for kind in kinds)
    seen: set[TypeName] = set()
    while waiting:
        route = waiting.popleft()
        here = route.types[-1]
        if here == name:
            return route
        if here not in seen:
            seen.add(here)
            waiting.extend(_onward(surface, route))
    return None


def _onward(surface: Surface, route: Route) -> Iterator[Route]:
    struct = surface.type(route.types[-1])
    if isinstance(struct, Struct):
        for field in struct.fields.values():
            found = _target(surface, field.slot.type, field.name)
            if found is not None:
                step, target = found
                yield Route(route.kind, (*route.steps, step), (*route.types, target))


def _target(surface: Surface, type_: Type, step: str) -> tuple[str, TypeName] | None:
    match behind(surface, type_):
        case Named(name):
            return step, name
        case ListOf(item):
            return _target(surface, item.type, f"{step}[]")
        case MapOf(_, value):
            return _target(surface, value.type, f"{step}[]")
        case _:
            return None
