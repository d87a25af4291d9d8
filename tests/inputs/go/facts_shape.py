"""Renders what the reader gives in the shape of `shared/kubernetes/facts` (its README describes the format).

A member that would be false, empty or absent is omitted there, so it is here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from apigen.inputs.go.model import (
    GoConstant,
    GoField,
    GoPackage,
    GoTombstone,
    GoType,
    GoTypeDeclaration,
    Marker,
    ProtobufTag,
)

Json = dict[str, Any]

_LIFECYCLE = "+k8s:prerelease-lifecycle-gen:"
_ENUM = re.compile(r"\+(k8s:)?enum\b")


def package_facts(package: GoPackage, release: str, module: str) -> Json:
    """A file of the facts."""
    return {
        "release": release,
        "module": module,
        "package": package.path,
        "group": package.group,
        "version": package.version,
        "packageMarkers": sorted({marker.text for marker in package.markers}),
        **_filled(constants=[_other_constant(constant) for constant in exported(package.constants)]),
        "types": [_type(type_) for type_ in package.types],
    }


def exported(constants: Sequence[GoConstant]) -> list[GoConstant]:
    """The constants that other packages see; the facts have no others."""
    return [constant for constant in constants if constant.go[0].isupper()]


def _type(type_: GoTypeDeclaration) -> Json:
    return {
        "go": type_.go,
        "kind": type_.kind.value,
        **({} if type_.underlying is None else _types("underlying", type_.underlying)),
        **_filled(
            root=type_.root,
            enum=any(_ENUM.match(marker.text) for marker in type_.markers),
            lifecycle=_lifecycle(type_.markers),
            markers=_texts(type_.markers),
            detachedMarkers=_texts(type_.detached_markers),
        ),
        **_position(type_),
        **_filled(
            fields=[_field(field) for field in type_.fields],
            tombstones=[_tombstone(tombstone, type_.fields) for tombstone in type_.tombstones],
            constants=[_constant(constant) for constant in exported(type_.constants)],
        ),
    }


def _types(name: str, type_: GoType) -> Json:
    return {name: type_.text, **_filled(resolved=type_.resolved if type_.resolved != type_.text else None)}


def _lifecycle(markers: Sequence[Marker]) -> Json:
    said = [marker.text.removeprefix(_LIFECYCLE).partition("=") for marker in markers if _LIFECYCLE in marker.text]
    return {stage: value for stage, _, value in said}


def _field(field: GoField) -> Json:
    return {
        "go": field.go,
        **_types("type", field.type),
        **_filled(
            json=field.json,
            pointer=field.type.text.startswith("*"),
            embedded=field.embedded,
            inline=field.inline and field.has_json_tag,
            omitempty=field.omitempty,
            omitzero=field.omitzero,
            jsonSkip=field.json_skip,
            noJsonTag=not field.has_json_tag,
            protobuf=_protobuf(field.protobuf),
            patchStrategy=field.patch_strategy,
            patchMergeKey=field.patch_merge_key,
            optional="+optional" in _texts(field.markers),
            required="+required" in _texts(field.markers),
            featureGates=_gates(field.markers),
            default=next(iter(_values(field.markers, "+default=")), None),
            listType=next(iter(_values(field.markers, "+listType=")), None),
            listMapKeys=_values(field.markers, "+listMapKey="),
            mapType=next(iter(_values(field.markers, "+mapType=")), None),
            structType=next(iter(_values(field.markers, "+structType=")), None),
            markers=_texts(field.markers),
        ),
        "line": field.place.line,
    }


def _protobuf(tag: ProtobufTag | None) -> Json | None:
    if tag is None:
        return None
    return _filled(
        wire=tag.wire, number=tag.number, label=tag.label, name=tag.name, extra=dict(tag.extra), skip=tag.skip
    )


def _tombstone(tombstone: GoTombstone, fields: Sequence[GoField]) -> Json:
    numbers = [field.protobuf.number for field in fields if field.protobuf is not None]
    highest = max((number for number in numbers if number is not None), default=0)
    return _filled(
        form=tombstone.form.value,
        go=tombstone.go,
        json=tombstone.json,
        type=tombstone.type,
        number=tombstone.number,
        wire=tombstone.wire,
        says=tombstone.words.value,
        real=tombstone.real,
        after=tombstone.after,
        numberNowOf=tombstone.number_now_of,
        nameLive=any(field.json == tombstone.json for field in fields),
        pastHighestLive=tombstone.number is not None and tombstone.number > highest,
        markers=_texts(tombstone.markers),
        line=tombstone.place.line,
    )


def _constant(constant: GoConstant) -> Json:
    """A constant of a type. One of value 0, "" or false says so."""
    value = {"expr": constant.expression} if constant.value is None else {"value": constant.value}
    said = _filled(featureGates=_gates(constant.markers), markers=_texts(constant.markers))
    return {"go": constant.go, **value, **said, "line": constant.place.line}


def _other_constant(constant: GoConstant) -> Json:
    return {**_constant(constant), **_filled(type=constant.type), "file": constant.place.file.rpartition("/")[2]}


def _position(type_: GoTypeDeclaration) -> Json:
    return {"file": type_.place.file.rpartition("/")[2], "line": type_.place.line}


def _gates(markers: Sequence[Marker]) -> list[str]:
    return [gate for value in _values(markers, "+featureGate=") for gate in value.split(",")]


def _values(markers: Sequence[Marker], prefix: str) -> list[str]:
    return [marker.text.removeprefix(prefix) for marker in markers if marker.text.startswith(prefix)]


def _texts(markers: Sequence[Marker]) -> list[str]:
    return [marker.text for marker in markers]


def _filled(**members: Any) -> Json:
    return {
        name: value
        for name, value in members.items()
        if value is not None and value is not False and value != [] and value != {}
    }
