"""Changes of gates."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from tests.review.model.families import GATES, Spec
from tests.review.model.registering import mutation, on_field


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
