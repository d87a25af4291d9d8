"""References between the types of one side."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.review.surface import (
    Alias,
    Field,
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
)


class Links:
    """The types to which each type of a surface refers; results are cached.

    `beside` are the references of the other side, with which unchanged types are shared.
    """

    def __init__(self, surface: Surface, beside: Links | None = None) -> None:
        self._surface = surface
        self._beside = beside
        self._known: dict[TypeName, tuple[TypeName, ...]] = {}

    def of(self, name: TypeName) -> tuple[TypeName, ...]:
        """Return the types that a type refers to, each once; none for an unknown type. A struct only refers to itself
        by its fields.
        """
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = self._found(name)
        return found

    def _found(self, name: TypeName) -> tuple[TypeName, ...]:
        type_ = self._surface.type(name)
        if type_ is None:
            return ()
        if self._beside is not None and self._beside._surface.type(name) is type_:
            return self._beside.of(name)
        return tuple(dict.fromkeys(names_in(type_)))


def names_in(type_: TypeDef, leads_on: Callable[[Field], bool] | None = None) -> Iterator[TypeName]:
    """Yield the types to which a type refers; of a struct, in the fields for which `leads_on` returns true (default: all)."""
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
