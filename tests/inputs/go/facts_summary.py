"""Counts what the packages of a release hold, as the `summary.json` of the facts does."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

Json = dict[str, Any]

_COUNTED_FIELDS = (
    *("default", "embedded", "inline", "jsonSkip", "listType", "mapType", "markers", "noJsonTag", "omitempty"),
    *("omitzero", "optional", "patchMergeKey", "patchStrategy", "pointer", "protobuf", "required", "structType"),
)
_NAME = re.compile(r"\+[^=(]*")


def summary(release: str, files: Mapping[str, Json]) -> Json:
    """The counts of each module, and some of each file."""
    modules = sorted({file["module"] for file in files.values()})
    packages = {module: [file for file in files.values() if file["module"] == module] for module in modules}
    return {
        "release": release,
        **{module: _module(packages[module]) for module in modules},
        "files": {name: _file(file) for name, file in files.items()},
    }


def _module(packages: list[Json]) -> Json:
    types = [type_ for package in packages for type_ in package["types"]]
    fields = [field for type_ in types for field in type_.get("fields", ())]
    numbered = [field["protobuf"] for field in fields if _is_numbered(field)]
    holders = (*types, *fields, *_constants(types))
    marked = [marker for holder in holders for marker in holder.get("markers", ())]
    gates = [gate for holder in (*fields, *_constants(types)) for gate in holder.get("featureGates", ())]
    return {
        "counts": _counts(packages, types, fields),
        "typeKinds": dict(Counter(type_["kind"] for type_ in types)),
        "lifecycle": dict(Counter(stage for type_ in types for stage in type_.get("lifecycle", ()))),
        "protobufWire": dict(Counter(tag["wire"] for tag in numbered)),
        "protobufLabels": dict(Counter(tag.get("label", "none") for tag in numbered)),
        "featureGates": dict(Counter(gates)),
        "markers": dict(Counter(_NAME.match(marker)[0] for marker in marked)),  # type: ignore[index]
    }


def _counts(packages: list[Json], types: list[Json], fields: list[Json]) -> Json:
    constants = list(_constants(types))
    on_fields, on_constants = _gated(fields), _gated(constants)
    distinct = {gate for gates in (*on_fields, *on_constants) for gate in gates}
    enums = [type_ for type_ in types if type_.get("enum")]
    tombstones = [tombstone for type_ in types for tombstone in type_.get("tombstones", ())]
    always = {
        "distinctFeatureGates": len(distinct),
        "enumMarkedTypes": len(enums),
        "featureGateMarkers": len(on_fields) + len(on_constants),
        "fields": len(fields),
        **{f"fields:{name}": sum(_has(field, name) for field in fields) for name in _COUNTED_FIELDS},
        "groupVersions": len(packages),
        "otherConstants": sum(len(package.get("constants", ())) for package in packages),
        "rootTypes": sum(type_.get("root", False) for type_ in types),
        "structsWithProtobufFields": sum(any(map(_is_numbered, type_.get("fields", ()))) for type_ in types),
        "typedConstants": len(constants),
        "types": len(types),
        "typesWithConstants": sum("constants" in type_ for type_ in types),
        **_holes(types),
        **_tombstones([tombstone for tombstone in tombstones if tombstone.get("real")]),
    }
    if on_fields or on_constants:
        always["featureGateMarkersNamingTwo"] = sum(len(gates) > 1 for gates in (*on_fields, *on_constants))
    where_any = {
        "enumConstants": sum(len(type_.get("constants", ())) for type_ in enums),
        "featureGateMarkersOnConstants": len(on_constants),
        "featureGateMarkersOnFields": len(on_fields),
        "tombstoneLookAlikes": sum(not tombstone.get("real") for tombstone in tombstones),
    }
    return {**always, **{name: count for name, count in where_any.items() if count}}


def _holes(types: list[Json]) -> Json:
    """Numbers below the highest of a struct that no field has; explained is one that a tombstone had."""
    structs = holes = explained = 0
    for type_ in types:
        live = {field["protobuf"]["number"] for field in type_.get("fields", ()) if _is_numbered(field)}
        gone = {tombstone.get("number") for tombstone in type_.get("tombstones", ()) if tombstone.get("real")}
        missing = set(range(1, max(live, default=0))) - live
        structs += bool(missing)
        holes += len(missing)
        explained += len(missing & gone)
    return {"structsWithNumberHoles": structs, "numberHoles": holes, "numberHolesExplained": explained}


def _tombstones(real: list[Json]) -> Json:
    numbered = [tombstone for tombstone in real if "number" in tombstone]
    past = sum(tombstone.get("pastHighestLive", False) for tombstone in numbered)
    forms = Counter(tombstone["form"] for tombstone in real)
    return {
        "tombstones": len(real),
        **{f"tombstones:{form}": count for form, count in forms.items()},
        "tombstonesWithNumber": len(numbered),
        "tombstonesPastHighestLive": past,
        "tombstonesInTheMiddle": len(numbered) - past,
    }


def _file(file: Json) -> Json:
    fields = [field for type_ in file["types"] for field in type_.get("fields", ())]
    tombstones = [tombstone for type_ in file["types"] for tombstone in type_.get("tombstones", ())]
    constants = list(_constants(file["types"]))
    return {
        "types": len(file["types"]),
        "fields": len(fields),
        "featureGateMarkers": len(_gated([*fields, *constants])),
        "tombstones": sum(tombstone.get("real", False) for tombstone in tombstones),
        "typedConstants": len(constants),
    }


def _constants(types: list[Json]) -> Iterator[Json]:
    return (constant for type_ in types for constant in type_.get("constants", ()))


def _gated(holders: list[Json]) -> list[list[str]]:
    """The gates of those that have any."""
    return [holder["featureGates"] for holder in holders if "featureGates" in holder]


def _is_numbered(field: Json) -> bool:
    return "number" in field.get("protobuf", {})


def _has(field: Json, name: str) -> bool:
    return _is_numbered(field) if name == "protobuf" else bool(field.get(name))
