"""Unchanged values are not validated: one case for each rule of the research notes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from tests.codegen.gated_packages import Gated, build, specs

TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        spec: {type: FrobberSpec, required: false, protobuf: 2}
        status: {type: FrobberStatus, required: false, protobuf: 3}
    FrobberSpec:
      fields:
        number: {type: int32, maximum: 9, protobuf: 1}
        amount: {type: Quantity, omitEmpty: true, required: true, protobuf: 2}
        policy: {type: Policy, optional: true, protobuf: 3}
        fixed: {type: string, omitEmpty: true, immutable: true, maxLength: 3, protobuf: 4}
        inner: {type: Inner, optional: true, protobuf: 5}
        atomic: {type: "[]Part", omitEmpty: true, listType: atomic, protobuf: 6}
        plain: {type: "[]string", omitEmpty: true, items: {maxLength: 2}, protobuf: 7}
        set: {type: "[]string", omitEmpty: true, listType: set, items: {maxLength: 2}, protobuf: 8}
        map: {type: "[]Part", omitEmpty: true, listType: map, listMapKeys: [name], maxItems: 2, protobuf: 9}
        byKey: {type: "map[string]Part", omitEmpty: true, keys: {maxLength: 2}, protobuf: 10}
        texts: {type: "map[string]string", omitEmpty: true, values: {maxLength: 2}, protobuf: 11}
        policies: {type: "[]Policy", omitEmpty: true, listType: atomic, protobuf: 12}
        a: {type: int32, optional: true, protobuf: 13}
        b: {type: int32, optional: true, protobuf: 14}
      unions: [{members: [a, b], optional: true}]
    Part:
      fields:
        name: {type: string, protobuf: 1}
        weight: {type: int32, maximum: 9, protobuf: 2}
        fixed: {type: string, omitEmpty: true, immutable: true, protobuf: 3}
    Inner:
      fields:
        number: {type: int32, maximum: 9, protobuf: 1}
        other: {type: int32, optional: true, protobuf: 2}
    Policy:
      enum: {Always: {}, Never: {}, Late: {featureGate: GateC}}
    FrobberStatus:
      fields:
        count: {type: int32, omitEmpty: true, protobuf: 1}
    """


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield build(specs(TYPES), tmp_path_factory.mktemp("ratcheting"), monkeypatch)


Validate = Callable[..., list[str]]


@pytest.fixture
def validate(package: Gated) -> Validate:
    """What is wrong with a change of the spec from `old` to `old` with some other values."""

    def run(old: dict[str, Any], **new: Any) -> list[str]:
        types = package.types
        amount = package.module("runtime").Quantity("1")
        before = types.Frobber(spec=types.FrobberSpec(**{"amount": amount, **old}))
        after = copy.deepcopy(before)
        after.metadata.labels = {"changed": "yes"}
        for name, value in new.items():
            setattr(after.spec, name, value)
        strategy = package.strategy("Frobber")
        errors = strategy.validate_update(after, before, features=package.features())
        return [str(e).removeprefix("spec.") for e in errors]

    return run


def test_field_is_validated_if_it_changes(validate: Validate) -> None:
    assert validate({"number": 10}) == []
    assert validate({"number": 10}, number=11) == ["number: Invalid value: 11: must be less than or equal to 9"]
    assert validate({"number": 10}, number=1) == []


def test_equality_is_semantic(package: Gated, validate: Validate) -> None:
    quantity = package.module("runtime").Quantity
    assert validate({"amount": quantity("0")}) == []
    assert validate({"amount": quantity("0")}, amount=quantity("0.0")) == []
    assert validate({"amount": quantity("1")}, amount=quantity("0")) == ["amount: Required value"]
    assert validate({"plain": None}, plain=[]) == []


def test_changed_struct_is_validated_field_by_field(package: Gated, validate: Validate) -> None:
    inner = package.types.Inner
    assert validate({"inner": inner(number=10)}, inner=inner(number=10, other=1)) == []
    assert validate({}, inner=inner(number=10)) == ["inner.number: Invalid value: 10: must be less than or equal to 9"]


def test_immutable_fields(package: Gated, validate: Validate) -> None:
    """Setting counts as a change, as in Kubernetes; where the whole struct is new, there is nothing to compare with."""
    assert validate({"fixed": "a"}) == []
    assert validate({"fixed": "a"}, fixed="b") == ["fixed: Invalid value: null: field is immutable"]
    assert validate({"fixed": "a"}, fixed="") == ["fixed: Invalid value: null: field is immutable"]
    assert validate({}, fixed="toolong") == ["fixed: Invalid value: null: field is immutable"]
    part = package.types.Part
    assert validate({"map": [part(name="a", fixed="x")]}, map=[part(name="a", fixed="y")]) == [
        "map[0].fixed: Invalid value: null: field is immutable"
    ]
    assert validate({}, map=[part(name="a", fixed="y")]) == []


def test_all_items_of_a_changed_atomic_list_are_validated(package: Gated, validate: Validate) -> None:
    part = package.types.Part
    old = {"atomic": [part(name="a", weight=10)], "plain": ["abc"]}
    assert validate(old) == []
    assert validate(old, atomic=[part(name="a", weight=10), part(name="b")]) == [
        "atomic[0].weight: Invalid value: 10: must be less than or equal to 9"
    ]
    assert validate(old, plain=["b", "abc"]) == ["plain[1]: Too long: may not be more than 2 characters"]


def test_items_of_sets_are_paired_by_value(validate: Validate) -> None:
    old = {"set": ["abc", "a"]}
    assert validate(old, set=["b", "abc"]) == []
    assert validate(old, set=["abcd", "abc"]) == ["set[0]: Too long: may not be more than 2 characters"]
    assert validate({"set": ["a", "a"]}) == []
    assert validate({"set": ["a", "a"]}, set=["a", "a", "b"]) == ['set[1]: Duplicate value: "a"']


def test_items_of_list_maps_are_paired_by_their_keys(package: Gated, validate: Validate) -> None:
    part = package.types.Part
    old = {"map": [part(name="a", weight=10), part(name="b", weight=11)]}
    assert validate(old, map=[part(name="b", weight=11), part(name="a", weight=10)]) == []
    assert validate(old, map=[part(name="b", weight=10)]) == [
        "map[0].weight: Invalid value: 10: must be less than or equal to 9"
    ]
    assert validate(old, map=[part(name="a", weight=10), part(name="c", weight=10)]) == [
        "map[1].weight: Invalid value: 10: must be less than or equal to 9"
    ]


def test_size_of_a_changed_list_is_validated(package: Gated, validate: Validate) -> None:
    part = package.types.Part
    names = [part(name=name) for name in "abc"]
    assert validate({"map": names}) == []
    assert validate({"map": names}, map=names[::-1]) == ["map: Too many: 3: must have at most 2 items"]


def test_maps_are_paired_by_key(package: Gated, validate: Validate) -> None:
    part = package.types.Part
    old = {"by_key": {"abc": part(weight=10)}, "texts": {"k": "long"}}
    assert validate(old, by_key={"abc": part(weight=10), "b": part()}) == []
    assert validate(old, by_key={"abd": part(weight=10)}) == [
        "byKey: Too long: may not be more than 2 characters",
        "byKey[abd].weight: Invalid value: 10: must be less than or equal to 9",
    ]
    assert validate(old, texts={"k": "long", "l": "x"}) == []
    assert validate(old, texts={"l": "long"}) == ["texts[l]: Too long: may not be more than 2 characters"]


def test_unions_are_validated_if_set_members_change(validate: Validate) -> None:
    both = {"a": 1, "b": 1}
    assert validate(both, a=2) == []
    assert validate(both, a=None) == []
    assert validate({"a": 1}, b=1) == ['spec: Invalid value: "{a, b}": must specify at most one of: `a`, `b`']


def test_gated_values_used_by_the_old_object_are_allowed(validate: Validate) -> None:
    rejected = 'Invalid value: "Late": only allowed if the GateC feature is enabled'
    assert validate({}, policy="Late") == [f"policy: {rejected}"]
    assert validate({"policies": ["Always"]}, policies=["Always", "Late"]) == [f"policies[1]: {rejected}"]
    assert validate({"policies": ["Late"]}, policy="Late") == []
    assert validate({"policy": "Late"}, policies=["Late", "Late"]) == []
    assert validate({"policy": "Late"}, policy="Later") == [
        'policy: Unsupported value: "Later": supported values: "Always", "Late", "Never"'
    ]
    assert validate({"policy": "Later"}) == [], "an unknown value that was stored stays"
