"""Gives kinds to types that no kind leads to, so that objects of them can be made: a kind that holds one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Group, Kind, KindVersion, Surface, Version
from apigen.compat.surface.types import Field, Named, Slot, Struct
from apigen.compat.verdict.example import JsonValue
from apigen.compat.witnesses.lowering.names import Names
from apigen.compat.witnesses.routes import Routes
from apigen.dataclass import replace
from apigen.ir.model import Presence

VALUE = "value"
_SUFFIX = "Holder"


def unheld(surfaces: Iterable[Surface], names: Iterable[TypeName]) -> list[TypeName]:
    """Those of the types that no kind of any side leads to: where one does, objects of that kind tell more."""
    routes = [Routes(surface) for surface in surfaces]
    return [name for name in dict.fromkeys(names) if not any(each.to(name) for each in routes)]


def with_holders(surface: Surface, names: Iterable[TypeName]) -> Surface:
    """The surface with a kind for each of the types, if it has them."""
    for name in dict.fromkeys(names):
        version = surface.version(name.group, name.version)
        if version is not None and surface.type(name) is not None:
            group = surface.groups[name.group]
            surface = replace(surface, groups={**surface.groups, name.group: _with_holder(group, version.name, name)})
    return surface


def held(value: JsonValue) -> JsonValue:
    """What an object holds for such a type; the object itself where its kind is one of the input."""
    if isinstance(value, dict) and str(value.get("kind", "")).endswith(_SUFFIX):
        return value.get(VALUE)
    return value


def type_held(value: JsonValue) -> str:
    """The name of the type that an object holds a value of; empty where its kind is one of the input."""
    kind = str(value.get("kind", "")) if isinstance(value, dict) else ""
    return kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else ""


def kind_of(value: JsonValue) -> str:
    """What a report calls an object: its version and kind, or the type of which it holds a value."""
    if not isinstance(value, dict):
        return ""
    return type_held(value) or f"{value.get('apiVersion', '')} {value.get('kind', '')}".strip()


def told(text: str, value: JsonValue) -> str:
    """What happened to an object, with paths that start at the value that it holds."""
    return text.replace(f"{VALUE}.", "", 1) if type_held(value) else text


def _with_holder(group: Group, version_name: str, name: TypeName) -> Group:
    version = group.versions[version_name]
    kind = f"{Names(name.group, name.version).of(name)}{_SUFFIX}"
    holder = TypeName(name.group, name.version, kind)
    place = version.place
    slot = Slot(Named(name), place)
    fields: Mapping[str, Field] = {
        VALUE: Field(VALUE, slot, place, Presence.OPTIONAL, number=2 if _numbered(version) else None)
    }
    struct = Struct(holder, fields, Slot(Named(holder), place), place)
    changed = replace(
        version,
        types={**version.types, kind: struct},
        kinds={**version.kinds, kind: KindVersion(kind, holder, place)},
    )
    return replace(
        group, versions={**group.versions, version_name: changed}, kinds={**group.kinds, kind: Kind(kind, place)}
    )


def _numbered(version: Version) -> bool:
    """Whether fields have numbers."""
    structs = (type_ for type_ in version.types.values() if isinstance(type_, Struct))
    return any(field.number is not None for struct in structs for field in struct.fields.values())


def is_numbered(group: Group) -> bool:
    """Whether values of a group are ever written in protobuf."""
    return any(_numbered(version) for version in group.versions.values())
