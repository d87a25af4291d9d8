"""Who names a type of a surface: the fields that hold it, the kinds that it is the root of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from apigen.compat.reachability import names_in
from apigen.compat.surface.elements import Element, ElementKind, TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Alias, Struct, TypeDef

Owner = tuple[TypeName, str]
"""A type and its field; no field where the type names the other one as a whole."""


class Naming:
    """Made when it is first asked, since most reviews remove and add no types."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface

    def named_by(self, name: TypeName) -> Sequence[Owner]:
        """The fields and types that name a type, in order of the surface."""
        return self._owners.get(name, ())

    def kinds_of(self, name: TypeName) -> Sequence[Element]:
        """The kinds, each in its version, that a type is the root of."""
        return self._roots.get(name, ())

    def versions_of(self, kind: Element) -> Sequence[str]:
        """The versions of its group that have a kind."""
        group = self._surface.groups.get(kind.group)
        return [] if group is None else [name for name, version in group.versions.items() if kind.type in version.kinds]

    @cached_property
    def _owners(self) -> dict[TypeName, list[Owner]]:
        owners: dict[TypeName, list[Owner]] = {}
        for group in self._surface.groups.values():
            for version in group.versions.values():
                for type_ in version.types.values():
                    for owner, part in _parts(type_):
                        for name in names_in(part):
                            owners.setdefault(name, []).append(owner)
        return owners

    @cached_property
    def _roots(self) -> dict[TypeName, list[Element]]:
        roots: dict[TypeName, list[Element]] = {}
        for group in self._surface.groups.values():
            for version in group.versions.values():
                for kind in version.kinds.values():
                    element = Element(ElementKind.KIND, group.name, version.name, kind.kind)
                    roots.setdefault(kind.root, []).append(element)
        return roots


def _parts(type_: TypeDef) -> list[tuple[Owner, TypeDef]]:
    """A struct field by field, each as if it were a type of its own; other types as a whole."""
    if not isinstance(type_, Struct):
        return [((type_.name, ""), type_)]
    fields = type_.fields.values()
    return [((type_.name, field.name), Alias(type_.name, field.slot, field.place)) for field in fields]
