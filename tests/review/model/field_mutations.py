"""Changes of fields as wholes: they come, go, and get other names, numbers and places."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from tests.review.model.families import SCALARS, Spec, default, field
from tests.review.model.registering import everywhere, fields_of, mutation, on_field


def _numbers(struct: Spec) -> set[int]:
    used = {each.get("protobuf", 0) for each in struct["fields"].values()}
    return used | {each.get("protobuf", 0) for each in struct.get("tombstones", {}).values()}


def _add(random: Random, spec: Spec, extra: Spec | None, type_: str | None = None) -> bool:
    versions = everywhere(random, spec)
    struct = random.choice(("Spec", "Part"))
    number = max((n for types in versions for n in _numbers(types[struct])), default=0) + 1
    made = field(random, spec, number, simple=struct == "Part", type_=type_)
    if extra is not None:
        for key in ("optional", "nullable", "omitEmpty", "required", "default", "featureGate"):
            made.pop(key, None)
        made.update(extra)
    for types in versions:
        types[struct]["fields"][f"new{number}"] = deepcopy(made)
    return True


@mutation("field-added")
def _field_added(random: Random, spec: Spec) -> bool:
    return _add(random, spec, None)


@mutation("field-added optional")
def _field_added_optional(random: Random, spec: Spec) -> bool:
    return _add(random, spec, {"optional": True})


@mutation("field-added-required")
def _field_added_required(random: Random, spec: Spec) -> bool:
    return _add(random, spec, {"required": True})


@mutation("field-added with default")
def _field_added_default(random: Random, spec: Spec) -> bool:
    type_ = random.choice(("string", "int32", "bool"))
    return _add(random, spec, {"optional": True, **default(random, type_)}, type_)


@mutation("field-added gated")
def _field_added_gated(random: Random, spec: Spec) -> bool:
    gate = random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]
    return _add(random, spec, {"optional": True, "featureGate": gate})


def _remove(random: Random, spec: Spec, *, tombstone: bool, rename: bool = False, reuse: bool = False) -> bool:
    versions = everywhere(random, spec)
    found = [(t, n) for t, n in fields_of(versions[0]) if len(versions[0][t]["fields"]) > 1 and t != "Choice"]
    if not found:
        return False
    type_, name = random.choice(found)
    other = random.choice(SCALARS)
    for types in versions:
        struct = types[type_]
        if name not in struct["fields"]:
            continue
        gone = struct["fields"].pop(name)
        if rename:
            struct["fields"][f"{name}Renamed"] = gone
        elif reuse:
            struct["fields"][f"{name}Other"] = {"type": other, "optional": True, "protobuf": gone["protobuf"]}
        elif tombstone:
            struct.setdefault("tombstones", {})[name] = {
                "protobuf": gone["protobuf"],
                "removed": "1.5",
                "reason": "gone",
            }
    return True


@mutation("field-removed")
def _field_removed(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=False)


@mutation("field-removed-with-tombstone")
def _field_removed_tombstone(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=True)


@mutation("field-renamed")
def _field_renamed(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=False, rename=True)


@mutation("field-number-reused")
def _field_number_reused(random: Random, spec: Spec) -> bool:
    return _remove(random, spec, tombstone=False, reuse=True)


@mutation("field-number-changed")
def _field_number_changed(random: Random, spec: Spec) -> bool:
    number = random.randint(20, 40)
    return on_field(random, spec, lambda field: field.update(protobuf=number))


@mutation("field-order-changed")
def _field_order_changed(random: Random, spec: Spec) -> bool:
    for types in everywhere(random, spec):
        fields = types["Spec"]["fields"]
        types["Spec"]["fields"] = {name: fields[name] for name in reversed(fields)}
    return True
