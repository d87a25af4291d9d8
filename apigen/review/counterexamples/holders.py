"""Kinds that hold a value of a type that no kind of the input contains, so that the value can be tried as an object."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from apigen.dataclass import replace
from apigen.ir.model import Presence
from apigen.ir.surface import Field, Group, Kind, KindVersion, Named, Slot, Struct, Surface, TypeName, Version
from apigen.language.json_values import JsonValue
from apigen.review.links import Routes

VALUE_KEY = "value"
"""The field of such a kind."""

_SUFFIX = "Holder"


def spec_name(name: str) -> str:
    """Return the name of a type in the form of the spec language: `Outer.inner_part` is `OuterInnerPart`."""
    parts = [part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name) if part]
    found = "".join(parts) or "Type"
    return found if found[0].isalpha() else f"Type{found}"


def held_type(version: Version, kind: str) -> TypeName | None:
    """Return the type whose value a kind of a version holds; None for a kind of the input."""
    struct = version.types.get(kind) if kind.endswith(_SUFFIX) else None
    value = struct.fields.get(VALUE_KEY) if isinstance(struct, Struct) else None
    return value.slot.type.name if value is not None and isinstance(value.slot.type, Named) else None


def unheld(surfaces: Iterable[Surface], names: Iterable[TypeName]) -> list[TypeName]:
    """Return the types that no kind of any side contains; for others, objects of these kinds are better
    counterexamples.
    """
    routes = [Routes(surface) for surface in surfaces]
    return [name for name in dict.fromkeys(names) if not any(each.to(name) for each in routes)]


def with_holders(surface: Surface, names: Iterable[TypeName]) -> Surface:
    """Return the surface with an additional kind that holds a value of each type, as far as it has the types."""
    for name in dict.fromkeys(names):
        version = surface.version(name.group, name.version)
        if version is not None and surface.type(name) is not None:
            group = surface.groups[name.group]
            surface = replace(surface, groups={**surface.groups, name.group: _with_holder(group, version.name, name)})
    return surface


def wrapped_value(value: JsonValue) -> JsonValue:
    """Return the value in an object of such a kind; the object itself if its kind is one of the input."""
    if isinstance(value, dict) and str(value.get("kind", "")).endswith(_SUFFIX):
        return value.get(VALUE_KEY)
    return value


def wrapped_type(value: JsonValue) -> str:
    """Return the name of the type whose value an object of such a kind holds; empty if its kind is one of the input."""
    kind = str(value.get("kind", "")) if isinstance(value, dict) else ""
    return kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else ""


def kind_of(value: JsonValue) -> str:
    """Return the description of an object in reports: its version and kind, or the type whose value it holds."""
    if not isinstance(value, dict):
        return ""
    return wrapped_type(value) or f"{value.get('apiVersion', '')} {value.get('kind', '')}".strip()


def unwrapped_text(text: str, value: JsonValue) -> str:
    """Return the text of an outcome, with paths that start at the value that the object holds."""
    return text.replace(f"{VALUE_KEY}.", "", 1) if wrapped_type(value) else text


def _with_holder(group: Group, version_name: str, name: TypeName) -> Group:
    version = group.versions[version_name]
    kind = f"{spec_name(name.name)}{_SUFFIX}"
    holder = TypeName(name.group, name.version, kind)
    place = version.place
    slot = Slot(Named(name), place)
    fields: Mapping[str, Field] = {
        VALUE_KEY: Field(VALUE_KEY, slot, place, Presence.OPTIONAL, number=1 if version.is_numbered else None)
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


def is_numbered(group: Group) -> bool:
    """Return whether any version of a group has field numbers, so that values can be encoded in protobuf."""
    return any(version.is_numbered for version in group.versions.values())
