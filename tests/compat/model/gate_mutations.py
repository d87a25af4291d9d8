"""Changes of gates, enums and unions."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random

from tests.compat.model.families import ENUM_VALUES, GATES, Spec
from tests.compat.model.registering import everywhere, mutation, on_field


@mutation("gate added to field")
def _gate_added(random: Random, spec: Spec) -> bool:
    gate = random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]

    def droppable(field: Spec) -> bool:
        return "featureGate" not in field and any(field.get(each) for each in ("optional", "nullable", "omitEmpty"))

    return on_field(random, spec, lambda field: field.update(featureGate=gate), droppable)


@mutation("gate mark removed")
def _gate_mark_removed(random: Random, spec: Spec) -> bool:
    return on_field(random, spec, lambda field: field.pop("featureGate"), lambda field: "featureGate" in field)


@mutation("gate stages changed")
def _gate_stages(random: Random, spec: Spec) -> bool:
    if not spec["features"]:
        return False
    gate = random.choice(list(spec["features"]))
    spec["features"][gate] = {"owner": "x", "stages": deepcopy(random.choice(list(GATES.values())))}
    return True


def _on_enum(random: Random, spec: Spec, change: Callable[[Spec], object]) -> bool:
    for types in everywhere(random, spec):
        change(types["Mode"])
    return True


@mutation("enum-value-added")
def _enum_value_added(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES)
    return _on_enum(random, spec, lambda enum: enum["enum"].setdefault(value, {}))


@mutation("enum-value-added gated")
def _enum_value_gated(random: Random, spec: Spec) -> bool:
    value, gate = random.choice(ENUM_VALUES), random.choice(list(spec["gates"]))
    spec["features"][gate] = spec["gates"][gate]
    return _on_enum(random, spec, lambda enum: enum["enum"].update({value: {"featureGate": gate}}))


@mutation("enum-value-removed")
def _enum_value_removed(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES[1:])
    return _on_enum(random, spec, lambda enum: enum["enum"].pop(value, None))


@mutation("enum open changed")
def _enum_open(random: Random, spec: Spec) -> bool:
    return _on_enum(random, spec, lambda enum: enum.pop("open") if "open" in enum else enum.update(open=True))


@mutation("enum unknown changed")
def _enum_unknown(random: Random, spec: Spec) -> bool:
    value = random.choice(ENUM_VALUES[:2])
    return _on_enum(random, spec, lambda enum: enum.update(unknown=value))


def _on_union(random: Random, spec: Spec, change: Callable[[Spec], object]) -> bool:
    versions = [types for types in everywhere(random, spec) if types["Choice"].get("unions")]
    for types in versions:
        change(types["Choice"])
    return bool(versions)


@mutation("union optional changed")
def _union_optional(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda type_: type_["unions"][0].update(optional=not type_["unions"][0]["optional"]))


@mutation("union removed")
def _union_removed(random: Random, spec: Spec) -> bool:
    return _on_union(random, spec, lambda type_: type_.pop("unions"))


@mutation("union member added")
def _union_member(random: Random, spec: Spec) -> bool:
    def change(type_: Spec) -> None:
        type_["fields"]["another"] = {"type": "string", "optional": True, "protobuf": 31}
        type_["unions"][0]["members"] = [*type_["unions"][0]["members"], "another"]

    return _on_union(random, spec, change)


@mutation("union member left out")
def _union_left_out(random: Random, spec: Spec) -> bool:
    def change(type_: Spec) -> None:
        type_["unions"][0]["members"] = type_["unions"][0]["members"][1:]

    return _on_union(random, spec, change)


@mutation("union added")
def _union_added(random: Random, spec: Spec) -> bool:
    versions = [types for types in everywhere(random, spec) if not types["Choice"].get("unions")]
    for types in versions:
        fields = types["Choice"]["fields"]
        if not all(each.get("optional") for each in fields.values()):
            return False
        types["Choice"]["unions"] = [{"members": list(fields), "optional": True}]
    return bool(versions)
