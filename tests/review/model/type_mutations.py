"""Changes of what fields hold: types, presence, defaults."""

from __future__ import annotations

from random import Random

from tests.review.model.families import PRESENCES, TYPES, Spec, default
from tests.review.model.registering import CONSTRAINTS, MUTATIONS, Mutation, everywhere, mutation, on_field


def _retype(field: Spec, type_: str) -> None:
    for key in (*CONSTRAINTS, "default", "listType", "listMapKeys"):
        field.pop(key, None)
    field["type"] = type_


@mutation("type-changed")
def _type_changed(random: Random, spec: Spec) -> bool:
    type_ = random.choice(TYPES)
    return on_field(random, spec, lambda field: _retype(field, type_), lambda field: field["type"] != type_)


def _swap(one: str, other: str) -> Mutation:
    def swap(random: Random, spec: Spec) -> bool:
        first, second = (one, other) if random.random() < 0.5 else (other, one)
        return on_field(random, spec, lambda field: field.update(type=second), lambda field: field["type"] == first)

    return swap


for _one, _other in (
    ("int32", "int64"),
    ("int32", "uint32"),
    ("int64", "float64"),
    ("string", "bytes"),
    ("string", "Mode"),
    ("string", "Name"),
    ("Part", "[]Part"),
    ("string", "[]string"),
    ("Part", "map[string]string"),
    ("string", "Quantity"),
    ("string", "IntOrString"),
    ("int32", "IntOrString"),
    ("string", "Duration"),
    ("string", "Time"),
    ("int32", "bool"),
    ("[]string", "[]Mode"),
    ("map[string]string", "map[string]Part"),
    ("[]int32", "[]string"),
):
    MUTATIONS[f"type {_one} and {_other}"] = _swap(_one, _other)


@mutation("presence changed")
def _presence_changed(random: Random, spec: Spec) -> bool:
    presence = random.choice(PRESENCES)

    def change(field: Spec) -> None:
        for key in ("optional", "nullable", "omitEmpty"):
            field.pop(key, None)
        field.update(presence)

    return on_field(random, spec, change)


@mutation("required changed")
def _required_changed(random: Random, spec: Spec) -> bool:
    required = random.random() < 0.5
    return on_field(random, spec, lambda field: field.update(required=required))


@mutation("default changed")
def _default_changed(random: Random, spec: Spec) -> bool:
    return on_field(
        random, spec, lambda field: field.update(default(random, field["type"])), lambda field: "default" in field
    )


@mutation("default-added")
def _default_added(random: Random, spec: Spec) -> bool:
    return on_field(
        random, spec, lambda field: field.update(default(random, field["type"])), lambda field: "default" not in field
    )


@mutation("default-removed")
def _default_removed(random: Random, spec: Spec) -> bool:
    return on_field(random, spec, lambda field: field.pop("default"), lambda field: "default" in field)


@mutation("default computed")
def _default_computed(random: Random, spec: Spec) -> bool:
    def change(field: Spec) -> None:
        field["default"] = [{"value": "given", "when": {"set": "s0"}}, {"value": "other"}]

    return on_field(random, spec, change, lambda field: field["type"] == "string" and not field.get("required"))


@mutation("nullable-changed")
def _nullable_changed(random: Random, spec: Spec) -> bool:
    """A named list or map may be null, and could not, or the other way round."""
    versions = everywhere(random, spec)
    is_nullable = not versions[0]["Words"].get("nullable", False)
    for types in versions:
        types["Words"]["nullable"] = is_nullable
    return True
