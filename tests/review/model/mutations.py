"""Changes of random APIs, each with the name of the rule that should handle it, or of its effect."""

from __future__ import annotations

import json
from copy import deepcopy
from random import Random

from tests.review.model import (
    case_mutations,
    cel_mutations,
    constraint_mutations,
    conversion_mutations,
    default_mutations,
    ending_mutations,
    enum_mutations,
    field_mutations,
    gate_mutations,
    hand_written_mutations,
    kind_mutations,
    lifecycle_mutations,
    merging_mutations,
    roll_out_mutations,
    type_mutations,
    union_mutations,
    update_mutations,
    version_mutations,
)
from tests.review.model.families import Spec
from tests.review.model.registering import MUTATIONS

PARTS = (
    field_mutations,
    type_mutations,
    default_mutations,
    constraint_mutations,
    hand_written_mutations,
    case_mutations,
    cel_mutations,
    update_mutations,
    merging_mutations,
    gate_mutations,
    enum_mutations,
    union_mutations,
    roll_out_mutations,
    version_mutations,
    conversion_mutations,
    kind_mutations,
    lifecycle_mutations,
    ending_mutations,
)
"""The modules whose changes are registered."""

SHAPES = (
    *("list type map", "annotated field in one version", "field has a tombstone of long ago", "migration-undeclared"),
    *("enum-growth-changed", "deprecated-without-end", "enforcement-by-hand-changed", "patch-strategy-changed"),
    *("default with members", "default into a member", "constraint of a subfield", "rule of a struct"),
)
"""Changes without which others have nothing to change: many of the first schemas have gone through them."""

SHAPED = 0.12
"""How likely each of them is."""


def shaped(random: Random, spec: Spec) -> Spec:
    """A copy with some of the shapes."""
    made = deepcopy(spec)
    for name in SHAPES:
        trial = deepcopy(made)
        if random.random() < SHAPED and MUTATIONS[name](random, trial):
            made = trial
    return made


def mutated(random: Random, spec: Spec, number: int, among: tuple[str, ...] = ()) -> tuple[Spec, list[str]]:
    """A copy with so many changes, and their names; of those `among`, or of all."""
    made = deepcopy(spec)
    names: list[str] = []
    for _ in range(50):
        if len(names) == number:
            break
        name = random.choice(among or list(MUTATIONS))
        trial = deepcopy(made)
        if MUTATIONS[name](random, trial) and (_differ(trial, made) or name.startswith("no-op")):
            made = trial
            names.append(name)
    return made, names


def _differ(one: Spec, other: Spec) -> bool:
    """Whether two say something else, or the same in another order."""
    return one != other or json.dumps(one) != json.dumps(other)
