"""JSON to trees: values that are read as in Kubernetes, values that keep their source text, and rejected documents."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import DecodeError, parse_json
from apigen.runtime.json_source import Sourced
from apigen.runtime.json_values import decode_float64, decode_int32, decode_quantity
from apigen.runtime.json_writer import json_text
from tests.runtime.kubernetes_vectors import documents

RAW = frozenset({"raw", "fieldsV1"})

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["raw", "fieldsV1"]), inner),
    max_leaves=20,
)


def both_parsers(text: str | bytes) -> Iterator[object]:
    """The tree as C and Python parse it, and as they do when somebody asks for source texts and duplicates."""
    yield parse_json(text)
    yield parse_json(text, RAW)
    yield parse_json(text, RAW, [])


@given(JSON, st.booleans(), st.sampled_from([None, 1]))
def test_reader_agrees_with_the_standard_library(tree: object, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(tree, ensure_ascii=ascii_only, indent=indent)
    for parsed in both_parsers(text):
        assert parsed == tree
    assert parse_json(text.encode()) == tree


@pytest.mark.parametrize("number", [-(2**63) - 1, 2**64, 10**400])
def test_integers_past_64_bits(number: int) -> None:
    assert all(parsed == number for parsed in both_parsers(str(number)))


@pytest.mark.parametrize("record", documents("json"), ids=lambda record: record["in"][:60])
def test_unusual_documents_of_kubernetes(record: dict[str, object]) -> None:
    text = record["in"]
    assert isinstance(text, str)
    if "json parse error" in str(record["error"]) and "cannot unmarshal" not in str(record["error"]):
        with pytest.raises(DecodeError):
            parse_json(text)
        return
    duplicates: list[str] = []
    parse_json(text, duplicates=duplicates)
    strict = record["strict"]
    assert isinstance(strict, list)
    assert [f'duplicate field "{path}"' for path in duplicates] == [s for s in strict if s.startswith("duplicate")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "{",
        "[1,]",
        '{"a":1,}',
        '{"a" 1}',
        "{a:1}",
        "{'a':1}",
        "[1 2]",
        "1 2",
        "{}x",
        "\ufeff{}",
        "NaN",
        "[Infinity]",
        "-Infinity",
        "nul",
        "01",
        "1.",
        ".5",
        "+1",
        "-",
        "1e",
        '"',
        '"\\x"',
        '"\\u12"',
        '"a\nb"',
        '"\x00"',
        "\f1",
        "\u00a01",
        "// no\n1",
        "9" * 5000 + "x",
    ],
)
def test_invalid_json(text: str) -> None:
    for read in (text, text.encode()):
        for raw_names in (frozenset[str](), RAW):
            with pytest.raises(DecodeError, match=r"^invalid JSON at line \d+, column \d+: "):
                parse_json(read, raw_names)


def test_error_has_line_and_column() -> None:
    with pytest.raises(DecodeError) as caught:
        parse_json('{"a": [1,\n  2, ?]}')
    assert str(caught.value) == "invalid JSON at line 2, column 6: expected a value, found '?'"
    with pytest.raises(DecodeError, match="expected a comma or a closing bracket, found the end"):
        parse_json('{"a": 1')


def test_numbers() -> None:
    tree = parse_json("[1, -0, 18446744073709551616, 123456789012345678901234567890, 1.0, 1e2, 1.50, 1e999]")
    assert tree[:4] == [1, 0, 2**64, 123456789012345678901234567890]  # type: ignore[index]
    assert [type(number) for number in tree[:4]] == [int] * 4  # type: ignore[index]
    assert [str(number) for number in tree[4:]] == ["1.0", "1e2", "1.50", "1e999"]  # type: ignore[index]
    assert all(isinstance(number, float) for number in tree[4:])  # type: ignore[index]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (rb'"\ud800"', "\ufffd"),
        (rb'"\ud800\u0041"', "\ufffdA"),
        (rb'"\udc00\ud800"', "\ufffd\ufffd"),
        (rb'"\ud83d\ude00"', "😀"),
        (b'"\xff"', "\ufffd"),
        (b'"\xe2\x82x"', "\ufffd\ufffdx"),
        (b'"\xed\xa0\x80"', "\ufffd\ufffd\ufffd"),
        (rb'"\u0000\u001f\/"', "\x00\x1f/"),
    ],
)
def test_invalid_utf8_is_replaced_as_in_go(data: bytes, text: str) -> None:
    for raw_names in (frozenset[str](), RAW):
        assert parse_json(data, raw_names) == text
        assert parse_json(b'{"raw":{%b:1}}' % data, raw_names) == {"raw": {text: 1}}


def test_lone_surrogate_in_a_python_string_is_replaced() -> None:
    assert parse_json('["\udc80", {"raw": "\ud800"}]', RAW) == ["\ufffd", {"raw": "\ufffd"}]


@pytest.mark.parametrize(
    "raw",
    [
        b"1",
        b"-1.50",
        b"1e2",
        b'"a\\u00e9"',
        b"true",
        b"null",
        b"[ ]",
        b"{ }",
        b'{"b" : 1 , "a" : [ 1.0 , 1e2 ] }',
        b'{"a":1,"a":2}',
        b'[{"x": {"y":[ 1 ]}}, [ 2 ] ,3, "4",  null]',
        b'"\xff"',
        b'"\\ud800"',
        '"é😀"'.encode(),
    ],
)
@pytest.mark.parametrize(
    "around", [b'{"raw":%b}', b'[{"a": {"x": [0]}}, {"raw" :\n %b , "z":{"raw":0}}]', b'{"\\u0072aw":%b,"b":"raw"}']
)
def test_a_named_member_keeps_its_source(around: bytes, raw: bytes) -> None:
    tree = parse_json(around % raw, RAW)
    member = tree if isinstance(tree, dict) else tree[1]  # type: ignore[index]
    value = member["raw"]
    assert value == parse_json(raw)
    if value is not None and value is not True:
        assert isinstance(value, Sourced)
        assert value.raw == raw


def test_only_values_in_a_named_member_keep_their_source() -> None:
    tree = parse_json(
        '{"raw": {"a": {"b": [ 1 ]}, "c": [ 2.0 ]}, "other": {"a": 1.0}, "fieldsV1": [ { "x" : "y" } ]}', RAW
    )
    assert isinstance(tree, dict)
    assert {key: value.raw for key, value in tree["raw"].items()} == {"a": b'{"b": [ 1 ]}', "c": b"[ 2.0 ]"}
    assert tree["fieldsV1"][0].raw == b'{ "x" : "y" }'
    assert type(tree["raw"]["a"]["b"]) is list
    assert type(tree["other"]) is dict
    assert type(tree["fieldsV1"][0]["x"]) is str


def test_similar_member_names() -> None:
    text = r'{"k\"raw": [1], "s": "x \"raw\": 1", "l": ["raw", "raw"], "raw" : [ 1 ], "raws": 1, "\u0072": 2}'
    tree = parse_json(text, RAW)
    assert tree == json.loads(text)
    assert tree["raw"].raw == b"[ 1 ]"  # type: ignore[index]


def test_named_members_within_named_members() -> None:
    tree = parse_json('{"raw": {"x": {"y": [{"raw": [ 1 ]}]}}}', RAW)
    assert tree["raw"]["x"]["y"][0]["raw"].raw == b"[ 1 ]"  # type: ignore[index]
    assert tree["raw"]["x"]["y"][0]["raw"][0].raw == b"1"  # type: ignore[index]


@given(JSON)
def test_every_source_parses_to_its_value(tree: object) -> None:
    waiting = [parse_json(json.dumps({"raw": tree, "a": [{"fieldsV1": tree}]}), RAW)]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Sourced):
            assert parse_json(value.raw) == value
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ('{"a":1,"a":2}', ["a"]),
        ('{"data":{"k":1,"k":2,"k":3},"data":{}}', ["data.k", "data"]),
        ('{"s":{"c":[{"p":[{"n":1,"n":2}]},{"x":1,"x":1}]}}', ["s.c[0].p[0].n", "s.c[1].x"]),
        ('[[{"a":1,"a":1}]]', ["[0][0].a"]),
        ('{"a":1,"\\u0061":2}', ["a"]),
        ('{"a":{"b":1},"c":{"b":1}}', []),
        ('{"raw":{"a":1,"a":2}}', ["raw.a"]),
    ],
)
def test_repeated_members_are_reported(text: str, paths: list[str]) -> None:
    for raw_names in (frozenset[str](), RAW):
        duplicates: list[str] = []
        assert parse_json(text, raw_names, duplicates) == json.loads(text)
        assert duplicates == paths


def test_at_most_a_hundred_repeated_members_are_reported() -> None:
    duplicates: list[str] = []
    parse_json("{" + ",".join(f'"{n % 1000}":0' for n in range(2000)) + "}", duplicates=duplicates)
    assert len(duplicates) == 100


@pytest.mark.parametrize("raw_names", [frozenset[str](), RAW], ids=["plain", "raw"])
@pytest.mark.parametrize("duplicates", [None, []], ids=["lenient", "strict"])
def test_depth(raw_names: frozenset[str], duplicates: list[str] | None) -> None:
    for opening, closing in (("[", "]"), ('{"raw":', "}")):
        depth = 10_000
        value = parse_json(opening * depth + "1" + closing * depth, raw_names, duplicates)
        for _ in range(depth):
            value = value[0] if isinstance(value, list) else value["raw"]  # type: ignore[index]
        assert value == 1
        for text in (opening * 10_001 + "1" + closing * 10_001, opening * 100_000):
            with pytest.raises(DecodeError, match="nested more than 10000 levels deep"):
                parse_json(text, raw_names, duplicates)


def test_depth_with_a_nearly_full_stack() -> None:
    def deeper(levels: int) -> object:
        return parse_json("[" * 500 + "]" * 500) if levels == 0 else deeper(levels - 1)

    assert deeper(sys.getrecursionlimit() - 250)


@given(st.binary(max_size=20) | st.text('{}[]:,"\\u0 1e.-tfn\n', max_size=20).map(str.encode))
def test_any_input_is_parsed_or_rejected(data: bytes) -> None:
    try:
        tree = parse_json(data)
    except DecodeError:
        with pytest.raises(DecodeError):
            parse_json(data, RAW, [])
    else:
        assert parse_json(data, RAW, []) == tree


LONG = "9" * 100_000


def test_integers_can_have_any_number_of_digits() -> None:
    tree = parse_json(f'{{"a": [{LONG}, -{LONG}, 1]}}')
    assert json_text(tree) == f'{{"a":[{LONG},-{LONG},1]}}'
    assert str(decode_quantity(tree["a"][0])) == LONG  # type: ignore[index,call-overload]
    assert tree != parse_json(f'{{"a": [{LONG[:-1]}8, -{LONG}, 1]}}')
    assert tree == parse_json(f'{{"a": [{LONG}, -{LONG}, 1]}}')
    for decode in (decode_int32, decode_float64):
        with pytest.raises(DecodeError, match="a number"):
            decode(tree["a"][0])  # type: ignore[index,call-overload]


def test_long_integers_keep_their_source() -> None:
    tree = parse_json(f'{{"raw": [{LONG}]}}', frozenset({"raw"}))
    assert tree["raw"].raw == f"[{LONG}]".encode()  # type: ignore[index,call-overload]


def test_repeated_members_are_reported_once_up_to_a_hundred() -> None:
    found: list[str] = []
    parse_json(
        '{"a": [' + '{"b": 1, "b": 2, "b": 3},' * 200 + '{"c": {"d": 1, "d": 2}, "c": {"d": 1, "d": 2}}]}',
        frozenset(),
        found,
    )
    assert found == [f"a[{at}].b" for at in range(100)]
    found = []
    parse_json('{"c": {"d": 1, "d": 2}, "c": {"d": 1, "d": 2}, "e": 1, "e": 2}', frozenset(), found)
    assert found == ["c.d", "c", "e"]
