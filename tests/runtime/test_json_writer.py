"""Trees to JSON, with orjson and without."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import (
    EncodeError,
    FieldsV1,
    JsonNumber,
    RawExtension,
    encode_bytes,
    encode_string_map,
    json_bytes,
    json_text,
    json_writer,
    parse_json,
)
from tests.runtime.kubernetes_vectors import codec_files, fixture_sets, objects

RAW = frozenset({"raw", "fieldsV1", "object", "oldObject", "parameters", "data"})

Write = Callable[[object], str]


def by_python(value: object) -> str:
    return "".join(json_writer._pieces(value))


def without_orjson(value: object) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_writer, "orjson", None)
        return json_text(value)


WRITERS = pytest.mark.parametrize("write", [json_text, without_orjson, by_python])

HOSTILE = st.sampled_from(
    ["\ud800", "\u2028", "\0", "[NaN,\0NaN]", "[NaN,NaN]", "NaN", ",", '"', "\\", "<&>", "é", "😀"]
)
SPECIAL = st.sampled_from([RawExtension(b'{ "a" : 1.0 }'), FieldsV1(b'"<NaN>"'), JsonNumber("1e+21")])
TREES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | HOSTILE
    | SPECIAL,
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | HOSTILE, inner),
    max_leaves=20,
)


@pytest.mark.parametrize("path", codec_files(), ids=lambda path: path.name)
def test_kubernetes_objects_round_trip_byte_for_byte(path: Path) -> None:
    for record in objects(path):
        text = record["json"]
        tree = parse_json(text)
        assert json_text(tree) == text
        assert without_orjson(tree) == text
        assert json_bytes(tree) == text.encode()


@pytest.mark.parametrize("folder", fixture_sets(), ids=lambda folder: folder.name)
def test_fixtures_round_trip_byte_for_byte(folder: Path) -> None:
    for path in folder.glob("*.json"):
        text = path.read_text(encoding="utf-8")
        assert json_text(parse_json(text), 2) == text


@WRITERS
@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("<a>&", r'"\u003ca\u003e\u0026"'),
        ("\u2028\u2029", r'"\u2028\u2029"'),
        ("\ud800x\udfff", r'"\ufffdx\ufffd"'),
        ("\ufffd", '"\ufffd"'),
        ("\0\b\t\n\v\f\r\x1f\x7f/é😀", '"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\x7f/é😀"'),
        ({"<": {}, "b": [], "a": [None, True, False]}, r'{"\u003c":{},"b":[],"a":[null,true,false]}'),
        (2**64, "18446744073709551616"),
        (-(10**40), "-1" + "0" * 40),
        ([1.0, 1e16, 1e21, -0.0], "[1,10000000000000000,1e+21,-0]"),
        (
            RawExtension(b' { "a" : [ 1.0 , 1e2 ] , "a":"< x > \\u00e9" } '),
            r'{"a":[1.0,1e2],"a":"\u003c x \u003e \u00e9"}',
        ),
        ([FieldsV1(b"{}"), JsonNumber("1e+21")], "[{},1e+21]"),
        (("a", 1), '["a",1]'),
    ],
)
def test_strings(write: Write, value: object, text: str) -> None:
    assert write(value) == text


@given(TREES)
def test_the_three_writers_agree(tree: object) -> None:
    text = json_text(tree)
    assert without_orjson(tree) == text
    assert by_python(tree) == text
    json.loads(text)


@given(TREES)
def test_indented_text_is_the_same_value(tree: object) -> None:
    assert json.loads(json_text(tree, 2)) == json.loads(json_text(tree))


@given(
    st.recursive(
        st.integers() | st.text('a[]{},:\\" '),
        lambda inner: st.lists(inner) | st.dictionaries(st.text("a{}:,"), inner),
        max_leaves=10,
    )
)
def test_indented_text_is_formatted_as_by_python(tree: object) -> None:
    for indent in (0, 1, 2, 4):
        assert json_text(tree, indent) == json.dumps(tree, indent=indent)


@WRITERS
@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [1, object()]}, "a[1]: JSON cannot hold a object"),
        (
            [{"x": RawExtension(b"{")}],
            "[0].x: raw value: invalid JSON at line 1, column 2: expected the name of a member, in quotes, found the end",
        ),
        ([RawExtension(b"")], "[0]: raw value: invalid JSON at line 1, column 1: expected a value, found the end"),
        ({"a": {1: 2}}, "a: the name 1 is not a string"),
        ({"a": float("inf")}, "a: JSON cannot hold inf"),
        ([b"x"], "[0]: JSON cannot hold a bytes"),
    ],
)
def test_values_that_json_cannot_represent(write: Write, value: object, message: str) -> None:
    with pytest.raises(EncodeError) as caught:
        write(value)
    assert str(caught.value) == message


@WRITERS
def test_depth(write: Write) -> None:
    tree: list[object] = []
    for _ in range(9_999):
        tree = [tree]
    assert write(tree) == "[" * 10_000 + "]" * 10_000
    with pytest.raises(EncodeError, match="nested more than 10000 levels deep"):
        write([tree])


@WRITERS
def test_recursive_value_is_too_deep(write: Write) -> None:
    tree: list[object] = []
    tree.append(tree)
    with pytest.raises(EncodeError, match="nested more than 10000 levels deep"):
        write(tree)


def test_generated_trees_are_not_searched_for_floats() -> None:
    tree = {"a": 0.5, "b": JsonNumber("1e+21"), "c": RawExtension(b"[1.0]")}
    assert json_text(tree, floats_encoded=True) == json_text(tree) == '{"a":0.5,"b":1e+21,"c":[1.0]}'


def test_values_with_source_are_written_as_values() -> None:
    tree = parse_json('{"raw": {"a": 1.0, "b": [ 1e2, "x" ]}}', RAW)
    assert json_text(tree) == without_orjson(tree) == '{"raw":{"a":1,"b":[100,"x"]}}'


@given(st.binary())
def test_bytes_are_base64(data: bytes) -> None:
    assert encode_bytes(data) == base64.b64encode(data).decode()


@pytest.mark.parametrize("names", ["", "a", "ab", "ba", "cab", "bac"])
def test_maps_are_copied_in_the_order_of_their_names(names: str) -> None:
    """Also where they are in order already."""
    values = dict.fromkeys(names, "x")
    copied = encode_string_map(values)
    assert list(copied) == sorted(names)
    assert copied == values
    assert copied is not values


def test_writer_without_the_c_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python need not have one."""
    tree = {"a": ["<x>", 1, True, None, {"é": RawExtension(b"{ }")}]}
    expected = '{"a":["\\u003cx\\u003e",1,true,null,{"é":{}}]}'
    assert without_orjson(tree) == expected
    monkeypatch.setattr(json_writer, "_encoder_in_c", None)
    assert without_orjson(tree) == expected
