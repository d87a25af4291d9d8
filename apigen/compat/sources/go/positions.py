"""Places in Go sources for a surface that was read from specs made of them."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.compat.surface.surface import Group, Surface, Version
from apigen.compat.surface.types import Alias, Enum, Field, Struct, TypeDef
from apigen.dataclass import replace
from apigen.diagnostics import Place
from apigen.importers.go.model import GoField, GoPackage, GoTypeDeclaration


class Positions:
    """Where types, fields and constants stand in packages."""

    def __init__(self, packages: Iterable[GoPackage]) -> None:
        self._types: dict[tuple[str, str, str], GoTypeDeclaration] = {}
        self._versions: dict[tuple[str, str], Place] = {}
        for package in packages:
            for type_ in package.types:
                self._types.setdefault((package.group, package.version, type_.go), type_)
                self._versions.setdefault((package.group, package.version), Place(type_.place.file))

    def version(self, group: str, version: str) -> Place | None:
        """The first file of a version; None for one that no package is."""
        return self._versions.get((group, version))

    def type(self, group: str, version: str, name: str) -> GoTypeDeclaration | None:
        """A type by its name; None for one that specs add, such as lists."""
        return self._types.get((group, version, name))


def at_sources(surface: Surface, positions: Positions) -> Surface:
    """The surface with the places of what Go sources say; what only specs say keeps its place there."""
    groups = {name: _group(group, positions) for name, group in surface.groups.items()}
    return replace(surface, groups=groups)


def _group(group: Group, positions: Positions) -> Group:
    versions = {name: _version(version, positions) for name, version in group.versions.items()}
    places = [version.place for version in versions.values()]
    return replace(group, versions=versions, place=places[0] if places else group.place)


def _version(version: Version, positions: Positions) -> Version:
    types = {name: _type(type_, version, positions) for name, type_ in version.types.items()}
    place = positions.version(version.group, version.name) or version.place
    kinds = {
        name: replace(kind, place=types[name].place if name in types else kind.place)
        for name, kind in version.kinds.items()
    }
    return replace(version, types=types, kinds=kinds, place=place)


def _type(type_: TypeDef, version: Version, positions: Positions) -> TypeDef:
    found = positions.type(version.group, version.name, type_.name.name)
    if found is None:
        return type_
    match type_:
        case Struct():
            own = {field.json or field.go: field for field in found.fields}
            fields = {name: _field(field, own.get(name)) for name, field in type_.fields.items()}
            slot = replace(type_.slot, place=found.place)
            return replace(type_, fields=fields, slot=slot, place=found.place)
        case Enum():
            places = {str(constant.value): constant.place for constant in found.constants}
            values = {name: replace(value, place=places.get(name, value.place)) for name, value in type_.values.items()}
            return replace(type_, values=values, place=found.place)
        case Alias():
            return replace(type_, slot=replace(type_.slot, place=found.place), place=found.place)


def _field(field: Field, found: GoField | None) -> Field:
    if found is None:
        return field
    return replace(field, place=found.place, slot=replace(field.slot, place=found.place))
