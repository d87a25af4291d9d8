"""Changes of made-up APIs, each under the name of the rule that is to judge it, or of what it does."""

from __future__ import annotations

from copy import deepcopy
from random import Random

from tests.compat.model import (
    case_mutations,
    cel_mutations,
    constraint_mutations,
    default_mutations,
    field_mutations,
    gate_mutations,
    kind_mutations,
    lifecycle_mutations,
    merging_mutations,
    roll_out_mutations,
    type_mutations,
    union_mutations,
    update_mutations,
    version_mutations,
)
from tests.compat.model.families import Spec
from tests.compat.model.registering import MUTATIONS

PARTS = (
    field_mutations,
    type_mutations,
    default_mutations,
    constraint_mutations,
    case_mutations,
    cel_mutations,
    update_mutations,
    merging_mutations,
    gate_mutations,
    union_mutations,
    roll_out_mutations,
    version_mutations,
    kind_mutations,
    lifecycle_mutations,
)
"""The modules whose changes are registered."""


def mutated(random: Random, spec: Spec, number: int, among: tuple[str, ...] = ()) -> tuple[Spec, list[str]]:
    """A copy with so many changes, and their names; of those `among`, or of all."""
    made = deepcopy(spec)
    names: list[str] = []
    for _ in range(50):
        if len(names) == number:
            break
        name = random.choice(among or list(MUTATIONS))
        trial = deepcopy(made)
        if MUTATIONS[name](random, trial) and (trial != made or name.startswith("no-op")):
            made = trial
            names.append(name)
    return made, names
