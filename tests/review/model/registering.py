"""What the changes of random APIs are registered by, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from tests.review.model.families import Spec

Mutation = Callable[[Random, Spec], bool]
"""Changes an API in place; False where there is nothing to be changed so."""

MUTATIONS: dict[str, Mutation] = {}
"""By name."""


def mutation(name: str) -> Callable[[Mutation], Mutation]:
    def register(function: Mutation) -> Mutation:
        MUTATIONS[name] = function
        return function

    return register


def everywhere(random: Random, spec: Spec) -> list[Spec]:
    """The types of all versions; now and then of one alone."""
    found = [version["types"] for version in spec["versions"].values()]
    return found if random.random() < 0.8 else [random.choice(found)]


def fields_of(types: Spec) -> Iterator[tuple[str, str]]:
    for name in ("Spec", "Part", "Choice"):
        yield from ((name, each) for each in types.get(name, {}).get("fields", {}))


def on_member(
    random: Random,
    spec: Spec,
    change: Callable[[Spec, str], object],
    wanted: Callable[[Spec, str], bool] = lambda fields, name: True,
) -> bool:
    """Change a field of a struct, or what is next to it, in all versions alike as far as they have it so.

    Both functions get the fields of the struct, and the name of the one.
    """
    versions = everywhere(random, spec)
    found = [(type_, name) for type_, name in fields_of(versions[0]) if wanted(versions[0][type_]["fields"], name)]
    if not found:
        return False
    type_, name = random.choice(found)
    state = random.getstate()
    for types in versions:
        fields = types[type_]["fields"]
        if name in fields and wanted(fields, name):
            random.setstate(state)
            change(fields, name)
    return True


def on_field(
    random: Random, spec: Spec, change: Callable[[Spec], object], wanted: Callable[[Spec], bool] = lambda _: True
) -> bool:
    """Change a field of a struct, in all versions alike as far as they have it so."""
    return on_member(random, spec, lambda fields, name: change(fields[name]), lambda fields, name: wanted(fields[name]))


def can_be_absent(field: Spec) -> bool:
    """Whether a field can be omitted, so that a gate may take it away."""
    return any(field.get(each) for each in ("optional", "nullable", "omitEmpty"))


def a_gate(random: Random, spec: Spec) -> str:
    """One of the gates of a family, from now on declared."""
    gate: str = random.choice(list(spec["gates"]))
    spec["features"].setdefault(gate, spec["gates"][gate])
    return gate


CONSTRAINTS = frozenset(
    {
        *("minimum", "maximum", "exclusiveMinimum", "multipleOf", "minLength", "maxLength", "pattern", "minItems"),
        *("maxItems", "minProperties", "maxProperties", "immutable", "format", "uniqueItems"),
    }
)
"""The words of constraints that the model changes."""
