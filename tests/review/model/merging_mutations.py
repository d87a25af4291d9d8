"""Changes of how lists, maps and structs are merged, and of what tells the elements of a list apart."""

from __future__ import annotations

from random import Random

from tests.review.model.families import Spec
from tests.review.model.registering import everywhere, mutation, on_field

_KEYS = ("string", "int32", "int64", "bool", "Name", "Mode")
"""Types that a merge key may have."""


@mutation("list type map")
def _list_map(random: Random, spec: Spec) -> bool:
    """Make a list of parts a list map, with a key; a key is added if the elements have none."""
    keys = _keys(random, spec)
    versions = [version["types"] for version in spec["versions"].values()]
    if not any(field["type"] == "[]Part" for types in versions for field in types["Spec"]["fields"].values()):
        for types in versions:
            types["Spec"]["fields"]["parts"] = {"type": "[]Part", "optional": True, "protobuf": 60}
    return bool(keys) and on_field(
        random, spec, lambda field: _keyed(field, keys), lambda field: field["type"] == "[]Part"
    )


@mutation("merge keys changed")
def _keys_changed(random: Random, spec: Spec) -> bool:
    keys = _keys(random, spec)
    return bool(keys) and on_field(
        random, spec, lambda field: field.update(listMapKeys=keys), lambda field: field.get("listType") == "map"
    )


@mutation("list type no longer map")
def _no_map(random: Random, spec: Spec) -> bool:
    said = random.choice(("atomic", None))

    def change(field: Spec) -> None:
        field.pop("listMapKeys")
        field.pop("listType")
        field.update({"listType": said} if said else {})

    return on_field(random, spec, change, lambda field: "listMapKeys" in field)


@mutation("presence of a merge key changed")
def _key_presence(random: Random, spec: Spec) -> bool:
    key = next((keys[0] for types in everywhere(random, spec) if (keys := _known(types))), None)
    if key is None:
        return False
    said = random.choice(({}, {"required": True}, {"optional": True, "default": {"value": "abc"}}))
    for types in everywhere(random, spec):
        field = types.get("Part", {}).get("fields", {}).get(key)
        if field is None or (field["type"] != "string" and "default" in said):
            return False
        for word in ("optional", "nullable", "omitEmpty", "required", "default"):
            field.pop(word, None)
        field.update(said)
    return True


@mutation("elements that differ in fields")
def _unique_by(random: Random, spec: Spec) -> bool:
    keys = _keys(random, spec)
    return bool(keys) and on_field(
        random,
        spec,
        lambda field: field.update(uniqueBy=keys, listType="atomic"),
        lambda field: field["type"] == "[]Part" and field.get("listType", "atomic") == "atomic",
    )


@mutation("uniqueness left to a function")
def _not_unique(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        if field.pop("uniqueItems", None) is None:
            field["uniqueItems"] = False

    return on_field(random, spec, change, lambda field: field.get("listType") in ("set", "map"))


@mutation("map type changed")
def _map_type(random: Random, spec: Spec) -> bool:
    said = random.choice(("atomic", "granular"))
    return on_field(
        random, spec, lambda field: field.update(mapType=said), lambda field: field["type"].startswith("map[")
    )


@mutation("struct type changed")
def _struct_type(random: Random, spec: Spec) -> bool:
    said = random.choice(("atomic", "granular"))
    return on_field(random, spec, lambda field: field.update(structType=said), lambda field: field["type"] == "Part")


def _keyed(field: Spec, keys: list[str]) -> None:
    field.pop("uniqueItems", None)
    field.pop("uniqueBy", None)
    field.update(listType="map", listMapKeys=keys)


def _keys(random: Random, spec: Spec) -> list[str]:
    """One field of the elements that may be a key, or two; each is always written from now on."""
    parts = [version["types"].get("Part", {}).get("fields", {}) for version in spec["versions"].values()]
    found = [name for name, field in parts[0].items() if field["type"] in _KEYS and all(name in each for each in parts)]
    keys = random.sample(found, min(len(found), random.choice((1, 1, 2))))
    for fields in parts:
        for key in keys:
            for word in ("optional", "nullable", "omitEmpty", "featureGate", "default"):
                fields[key].pop(word, None)
    return keys


def _known(types: Spec) -> list[str]:
    for name in ("Spec", "Part", "Choice"):
        for field in types.get(name, {}).get("fields", {}).values():
            if "listMapKeys" in field:
                keys: list[str] = field["listMapKeys"]
                return keys
    return []


@mutation("patch-strategy-changed")
def _patch(random: Random, spec: Spec) -> bool:
    strategy = random.choice(("merge", "replace", "retainKeys"))
    members = spec["versions"]["v1"]["types"].get("Part", {}).get("fields", {})
    key = random.choice([*members, ""])

    def change(field: Spec) -> None:
        field["patchStrategy"] = strategy
        if field["type"] == "[]Part":
            field.pop("patchMergeKey", None)
            field.update({"patchMergeKey": key} if key else {})

    return on_field(random, spec, change, lambda field: field["type"].startswith(("[]", "map[", "Part")))
