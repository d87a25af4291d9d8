"""References to the types of a surface: from fields, and from kinds whose root they are."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import cached_property

from apigen.review.links import names_in, names_in_slot
from apigen.review.surface import Element, ElementKind, Named, Scalar, Struct, Surface, TypeDef, TypeName

Owner = tuple[TypeName, str]
"""A type and its field; no field where the type names the other one as a whole."""

Owners = Mapping[TypeName, tuple[Owner, ...]]
"""By type, the types and fields that refer to it, in order of the surface."""


class Naming:
    """References to types; `owners` has only the requested types."""

    def __init__(self, surface: Surface, owners: Owners) -> None:
        self._surface = surface
        self._owners = owners

    def named_by(self, name: TypeName) -> Sequence[Owner]:
        """Return the fields and types that refer to a type, in order of the surface."""
        return self._owners.get(name, ())

    def kinds_of(self, name: TypeName) -> Sequence[Element]:
        """Return the kinds with a type as root, each in its version."""
        return self._roots.get(name, ())

    def versions_of(self, kind: Element) -> Sequence[str]:
        """Return the versions of the group that have a kind."""
        group = self._surface.groups.get(kind.group)
        return [] if group is None else [name for name, version in group.versions.items() if kind.type in version.kinds]

    @cached_property
    def _roots(self) -> dict[TypeName, list[Element]]:
        roots: dict[TypeName, list[Element]] = {}
        for group in self._surface.groups.values():
            for version in group.versions.values():
                for kind in version.kinds.values():
                    element = Element(ElementKind.KIND, group.name, version.name, kind.kind)
                    roots.setdefault(kind.root, []).append(element)
        return roots


def owners(surface: Surface, wanted: Container[TypeName]) -> Owners:
    """Return the fields and types that refer to each of the `wanted` types."""
    found: dict[TypeName, list[Owner]] = {}
    for group in surface.groups.values():
        for version in group.versions.values():
            for type_ in version.types.values():
                for name, field in _named(type_):
                    if name in wanted:
                        found.setdefault(name, []).append((type_.name, field))
    return {name: tuple(each) for name, each in found.items()}


def _named(type_: TypeDef) -> Iterator[tuple[TypeName, str]]:
    """Yield the types that a type refers to, each with the field."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            inner = field.slot.type
            if field.slot.branches or not isinstance(inner, Scalar | Named):
                for name in names_in_slot(field.slot):
                    yield name, field.name
            elif isinstance(inner, Named):
                yield inner.name, field.name
    else:
        for name in names_in(type_):
            yield name, ""
