"""Changes of elements behind gates, of the releases of their gates, and of the releases that introduce values."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.review.model.families import ENUM_VALUES, Spec
from tests.review.model.registering import a_gate, can_be_absent, everywhere, mutation, on_field

STAGES: dict[str, list[dict[str, Any]]] = {
    "on at once": [{"release": "1.5", "stage": "beta", "default": True}],
    "alpha now": [{"release": "1.5", "stage": "alpha"}],
    "ga now": [
        {"release": "1.3", "stage": "alpha"},
        {"release": "1.4", "stage": "beta", "default": True},
        {"release": "1.5", "stage": "ga", "default": True, "locked": True},
    ],
    "ga": [{"release": "1.2", "stage": "beta", "default": True}, {"release": "1.4", "stage": "ga", "default": True}],
    "locked": [
        {"release": "1.2", "stage": "beta", "default": True},
        {"release": "1.3", "stage": "ga", "default": True, "locked": True},
    ],
    "back to off": [{"release": "1.4", "stage": "beta", "default": True}, {"release": "1.5", "stage": "beta"}],
    "deprecated now": [
        {"release": "1.0", "stage": "ga", "default": True},
        {"release": "1.5", "stage": "deprecated"},
    ],
    "on where all servers have it": [
        {"release": "1.4", "stage": "alpha"},
        {"release": "1.5", "stage": "beta"},
        {"release": "1.5", "stage": "beta", "default": True, "minCompatibility": "1.5"},
    ],
}
"""Histories of gates, besides those that families begin with."""


@mutation("gate moves on")
def _moves_on(random: Random, spec: Spec) -> bool:
    if not spec["features"]:
        return False
    gate = random.choice(list(spec["features"]))
    spec["features"][gate] = {"owner": "x", "stages": random.choice(list(STAGES.values()))}
    return True


@mutation("gate depends on another")
def _depends(random: Random, spec: Spec) -> bool:
    if not spec["features"]:
        return False
    gate, other = random.choice(list(spec["features"])), a_gate(random, spec)
    if gate == other or other in spec["features"][gate].get("dependsOn", ()):
        return False
    spec["features"][gate] = {**spec["features"][gate], "dependsOn": [other]}
    return True


@mutation("gate goes, and its marks")
def _gate_goes(random: Random, spec: Spec) -> bool:
    if not spec["features"]:
        return False
    gate = random.choice(list(spec["features"]))
    for types in (version["types"] for version in spec["versions"].values()):
        for type_ in types.values():
            parts = [*type_.get("fields", {}).values(), *type_.get("enum", {}).values()]
            for part in parts:
                if part.get("featureGate") == gate:
                    part.pop("featureGate")
    spec["features"].pop(gate)
    return True


@mutation("gate says when it goes")
def _says_when(random: Random, spec: Spec) -> bool:
    if not spec["features"]:
        return False
    gate = random.choice(list(spec["features"]))
    spec["features"][gate] = {**spec["features"][gate], "removed": random.choice(("1.5", "1.6"))}
    return True


@mutation("gate mark changed")
def _mark_changed(random: Random, spec: Spec) -> bool:
    gates = [a_gate(random, spec), a_gate(random, spec)]
    mark: Any = random.choice(
        (
            gates[0],
            {"gate": gates[0], "inUse": random.choice(("field", "place", "never", {"set": "spec"}))},
            {"all": gates},
            {"any": gates},
            {"gate": gates[0], "during": random.choice((["create"], ["update"], []))},
            {"gate": gates[0], "prune": True},
        )
    )
    return on_field(random, spec, lambda field: field.update(featureGate=mark), can_be_absent)


@mutation("gate puts a value")
def _puts(random: Random, spec: Spec) -> bool:
    values: dict[str, tuple[Any, ...]] = {"string": ("", "x"), "int32": (0, 3), "bool": (False, True)}
    gate = a_gate(random, spec)

    def change(field: Spec) -> None:
        field["featureGate"] = {"gate": gate, "to": random.choice(values[field["type"]])}

    return on_field(random, spec, change, lambda field: field["type"] in values)


@mutation("gate of an enum value changed")
def _value_gate(random: Random, spec: Spec) -> bool:
    value, gate = random.choice(ENUM_VALUES), a_gate(random, spec)
    versions = [types["Mode"]["enum"] for types in everywhere(random, spec) if value in types["Mode"]["enum"]]
    for values in versions:
        values[value] = {} if values[value].get("featureGate") == gate else {**values[value], "featureGate": gate}
    return bool(versions)


@mutation("enum value rolled out")
def _rolled_out(random: Random, spec: Spec) -> bool:
    said = random.choice(
        (
            {"introduced": "1.5"},
            {"tolerated": "1.4", "introduced": "1.5"},
            {"tolerated": "1.5", "introduced": "1.6"},
            {"tolerated": "1.3", "introduced": "1.4"},
        )
    )
    value = random.choice(ENUM_VALUES)
    for types in everywhere(random, spec):
        types["Mode"]["enum"][value] = dict(said)
    return True


@mutation("enum value in at once")
def _in_at_once(random: Random, spec: Spec) -> bool:
    """Make a value that was rolled out, or behind a gate, an ordinary one."""
    versions = [types["Mode"]["enum"] for types in everywhere(random, spec)]
    found = [value for value, said in versions[0].items() if said]
    if not found:
        return False
    value = random.choice(found)
    for values in versions:
        values[value] = {}
    return True
