"""Changes of gates and enums."""

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
