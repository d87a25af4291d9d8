"""Generated copies: equal, and nothing that can change is shared."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from tests.codegen.generated_packages import Package, one_version

Generate = Callable[[Mapping[str, str] | BackendInput], Package]

TYPES = """
    Thing:
      fields:
        name: {type: string}
        spec: {type: Spec}
        other: {type: Spec, optional: true}
        amount: {type: Quantity}
        since: {type: Time}
        raw: {type: RawExtension}
    Spec:
      fields:
        items: {type: "[]string", nullable: true}
        labels: {type: "map[string]string", optional: true}
        data: {type: "map[string]bytes"}
        parts: {type: "[]Spec"}
        byName: {type: "map[string]Spec"}
        extra: {type: "map[string]Values"}
        values: {type: Values, omitEmpty: true}
    Values: {is: "[]string", nullable: true}
"""

COPY_THING = '''\
def copy_thing(obj: Thing) -> Thing:
    """Copy Thing."""
    copy = new(Thing)
    copy.api_version = obj.api_version
    copy.kind = obj.kind
    copy.name = obj.name
    copy.spec = copy_spec(obj.spec)
    copy.other = None if obj.other is None else copy_spec(obj.other)
    copy.amount = obj.amount
    copy.since = obj.since
    copy.raw = obj.raw
    return copy
'''

VALUE = {
    "kind": "Thing",
    "apiVersion": "other/v1",
    "name": "x",
    "spec": {
        "items": ["a"],
        "labels": {"a": "b"},
        "data": {"a": "AQ==", "b": None},
        "parts": [{"items": ["b"]}],
        "byName": {"a": {"items": []}},
        "extra": {"a": ["x"], "b": None},
        "values": ["y"],
    },
    "other": {},
    "amount": "5",
    "since": "2001-02-03T04:05:06Z",
    "raw": {"a": 1},
}


def changeable(obj: typing.Any) -> Iterator[object]:
    """All objects, lists and dicts within an object, itself included."""
    if isinstance(obj, list | dict):
        yield obj
        for value in obj.values() if isinstance(obj, dict) else obj:
            yield from changeable(value)
    elif dataclasses.is_dataclass(obj) and type(obj).__eq__ is not object.__eq__ and type(obj).__hash__ is None:
        yield obj
        for field in dataclasses.fields(obj):
            yield from changeable(getattr(obj, field.name))


def test_generated_code(generate: Generate) -> None:
    package = generate(one_version(TYPES, kinds="Thing: {list: false}"))
    assert COPY_THING in package.text("things_example_com/v1/copying")


def test_copies_are_equal_and_share_nothing(generate: Generate) -> None:
    package = generate(one_version(TYPES, kinds="Thing: {list: false}"))
    original = package.module("things_example_com/v1/json_codec").decode_thing(VALUE)
    copy = package.module("things_example_com/v1/copying").copy_thing(original)
    assert copy == original
    found = {id(value) for value in changeable(original)}
    assert len(found) > 15
    assert found.isdisjoint(id(value) for value in changeable(copy))


def test_none_stays_none_and_empty_stays_empty(generate: Generate) -> None:
    package = generate(one_version(TYPES))
    types, copying = (package.module(f"things_example_com/v1/{name}") for name in ("types", "copying"))
    spec = types.Spec(items=None, labels={}, extra={"a": None, "b": []})
    copy = copying.copy_spec(spec)
    assert (copy.items, copy.labels, copy.extra, copy.values) == (None, {}, {"a": None, "b": []}, None)


def test_type_names_can_equal_names_used_in_functions(generate: Generate) -> None:
    names = (
        "Copy",
        "CopyPart",
        "Part",
        "New",
        "Hub",
        "V1",
        "MetaV1",
        "Data",
        "Items",
        "EncodePart",
        "List",
        "Share",
        "Obj",
        "Class",
    )
    fields = "".join(f'        f{i}: {{type: "[]{name}", optional: true}}\n' for i, name in enumerate(names))
    parts = "".join(f"    {name}:\n      fields:\n        name: {{type: string}}\n" for name in names)
    package = generate(one_version(f"\n    Thing:\n      fields:\n{fields}{parts}", kinds="Thing: {list: false}"))
    value = {"kind": "Thing", "apiVersion": "v1"} | {f"f{i}": [{"name": name}] for i, name in enumerate(names)}
    codec = package.module("things_example_com/v1/json_codec")
    original = codec.decode_thing(value)
    assert package.module("things_example_com/v1/copying").copy_thing(original) == original
    assert codec.encode_thing(original) == value
