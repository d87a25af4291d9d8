"""Lists, maps and objects of decoded JSON: what is in them, what they share, and where errors are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from apigen.runtime import (
    DecodeError,
    UnknownMembers,
    decode_int32,
    decode_items,
    decode_scalar_map,
    decode_scalars,
    decode_string_map,
    decode_strings,
    decode_values,
    located,
    parse_yaml,
)

MEMBERS = {"name": "name", "sub-items": "items"}


@dataclass(slots=True)
class Thing:
    name: str
    items: list[Thing]


def decode_thing(value: object, path: str = "", unknown: UnknownMembers | None = None) -> Thing:
    if not isinstance(value, dict):
        raise DecodeError(path, "expected an object")
    obj = Thing.__new__(Thing)
    try:
        obj.name = value.get("name", "")
        obj.items = decode_items(value.get("sub-items"), decode_thing, unknown)
    except DecodeError as error:
        raise located(error, path, obj, MEMBERS) from None
    if unknown is not None:
        unknown.note(value, MEMBERS)
    return obj


def test_null_is_empty() -> None:
    lists: list[object] = [
        decode_strings(None),
        decode_scalars(None, decode_int32),
        decode_items(None, decode_thing, None),
    ]
    maps: list[object] = [
        decode_string_map(None),
        decode_scalar_map(None, decode_int32),
        decode_values(None, decode_thing, None),
    ]
    assert lists == [[], [], []]
    assert maps == [{}, {}, {}]


def test_nested_null_is_the_zero_value() -> None:
    assert decode_strings(["a", None]) == ["a", ""]
    assert decode_string_map({"a": "b", "c": None}) == {"a": "b", "c": ""}
    assert decode_scalars([1, None], decode_int32) == [1, 0]


@pytest.mark.parametrize("value", [["a"], {"a": "b"}])
def test_nothing_is_shared_with_the_tree(value: Any) -> None:
    read = decode_strings(value) if isinstance(value, list) else decode_string_map(value)
    assert read == value
    assert read is not value


@pytest.mark.parametrize(
    ("read", "path"),
    [
        (lambda: decode_strings(["a", 1], "x"), "x[1]"),
        (lambda: decode_strings("a", "x"), "x"),
        (lambda: decode_strings({}, "x"), "x"),
        (lambda: decode_string_map({"a": "", "b/c": 1}, "x"), "x[b/c]"),
        (lambda: decode_string_map([], "x"), "x"),
        (lambda: decode_scalars([1, "1"], decode_int32, "x"), "x[1]"),
        (lambda: decode_scalar_map({"a": "1"}, decode_int32, "x"), "x[a]"),
        (lambda: decode_items([{}, {"sub-items": [{}, 1]}], decode_thing, None, "x"), "x[1].sub-items[1]"),
        (lambda: decode_items([{}, {"sub-items": 1}], decode_thing, None), "[1].sub-items"),
        (lambda: decode_values({"a": {"sub-items": [0]}}, decode_thing, None, "x"), "x[a].sub-items[0]"),
        (lambda: decode_values(1, decode_thing, None, "x"), "x"),
        (lambda: decode_thing({"sub-items": [1]}, "x"), "x.sub-items[0]"),
    ],
)
def test_errors_have_a_path(read: Any, path: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read()
    assert caught.value.path == path


def test_unknown_members_are_reported_in_reading_order() -> None:
    tree = {"b": 1, "name": "", "a": 2, "sub-items": [{}, {"c": {}}]}
    unknown = UnknownMembers()
    decode_thing(tree, "", unknown)
    assert unknown.paths(tree) == ["sub-items[1].c", "b", "a"]
    assert unknown.paths(tree, "items[3]") == ["items[3].sub-items[1].c", "items[3].b", "items[3].a"]


def test_unknown_members_in_maps() -> None:
    tree = {"a": {"sub-items": [{"x": 1}]}, "b.c": {"y": 1}}
    unknown = UnknownMembers()
    decode_values(tree, decode_thing, unknown)
    assert unknown.paths(tree, "named") == ["named[a].sub-items[0].x", "named[b.c].y"]
    assert UnknownMembers().paths(tree) == []


def test_unknown_members_of_an_alias_are_reported_at_each_use() -> None:
    tree = parse_yaml("sub-items:\n- &a {a: 1, b: 1}\n- *a\n")
    unknown = UnknownMembers()
    decode_thing(tree, "", unknown)
    assert unknown.paths(tree) == ["sub-items[0].a", "sub-items[0].b", "sub-items[1].a", "sub-items[1].b"]
