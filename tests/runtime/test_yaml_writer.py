"""Trees to YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime import EncodeError, FieldsV1, JsonNumber, RawExtension, json_text, parse_json, parse_yaml, yaml_text
from apigen.runtime.yaml_writer import sorted_keys
from tests.runtime.kubernetes_vectors import codec_files, fixture_sets, objects

HOSTILE = st.sampled_from(
    [
        "yes",
        "0x1",
        "1e3",
        "~",
        "<<",
        "- ",
        "a: b",
        " #",
        "\u2028",
        "\n",
        "\t",
        "\ufeff",
        "\x85",
        "\x7f",
        "😀",
        "2001-01-01",
        "1:30",
        "'",
        '"',
        "x" * 130,
    ]
)
TEXTS = st.lists(st.text(max_size=5) | HOSTILE, max_size=4).map("".join) | st.lists(
    st.sampled_from(["word", "longer-word", " "]), max_size=40
).map(" ".join)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
TREES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=15)


@pytest.mark.parametrize("path", codec_files(), ids=lambda path: path.name)
def test_kubernetes_objects_are_written_byte_for_byte(path: Path) -> None:
    for record in objects(path):
        assert yaml_text(parse_json(record["json"])) == record["yaml"]


@pytest.mark.parametrize("folder", fixture_sets(), ids=lambda folder: folder.name)
def test_fixtures_are_written_byte_for_byte(folder: Path) -> None:
    for path in folder.glob("*.json"):
        assert yaml_text(parse_json(path.read_bytes())) == path.with_suffix(".yaml").read_text(encoding="utf-8")


LONG = "eighty characters and some more, of which a space behind column eighty ends the line here, and again if need be"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null\n"),
        ("", '""\n'),
        ({}, "{}\n"),
        ([], "[]\n"),
        ([[], {}, [[1, 2]], {"a": 1, "b": [3]}], "- []\n- {}\n- - - 1\n    - 2\n- a: 1\n  b:\n  - 3\n"),
        ({"b": {"d": 1, "c": [{}]}, "a": True}, "a: true\nb:\n  c:\n  - {}\n  d: 1\n"),
        (
            {"a10": 1, "a9": 2, "a": 3, "B": 4, "1": 5, "_": 6, "a01": 7},
            '_: 6\n"1": 5\nB: 4\na: 3\na01: 7\na9: 2\na10: 1\n',
        ),
        (
            ["yes", "n", "~", "null", "1", "1.5", "0x1", "1_0", "2001-01-01", "1:30", ".inf", "="],
            '- "yes"\n- "n"\n- "~"\n- "null"\n- "1"\n- "1.5"\n- "0x1"\n- "1_0"\n- "2001-01-01"\n- "1:30"\n- ".inf"\n- =\n',
        ),
        (
            ["a: b", "a #", "- a", "[", "it's", "'", "a:", " a", "a ", "---"],
            "- 'a: b'\n- 'a #'\n- '- a'\n- '['\n- it's\n- ''''\n- 'a:'\n- ' a'\n- 'a '\n- '---'\n",
        ),
        (
            ["\t", "\x7f", "é", "😀", "\x85", "\ufeff", '"\\'],
            '- "\\t"\n- "\\x7F"\n- é\n- "\\U0001F600"\n- "\\N"\n- "\\uFEFF"\n- \'"\\\'\n',
        ),
        (
            {"a": "x\ny\n", "b": "x\n", "c": "x\n\n", "d": "x\ny", "e": " x\n", "f": "x \ny", "g": "\n"},
            'a: |\n  x\n  y\nb: |\n  x\nc: |+\n  x\n\nd: |-\n  x\n  y\ne: |2\n   x\nf: "x \\ny"\ng: |2+\n\n',
        ),
        ([["x\ny"]], "- - |-\n    x\n    y\n"),
        ({"k\nl": {"a": 1, "b": 2}}, "? |-\n  k\n  l\n: a: 1\n  b: 2\n"),
        ({"k" * 129: [1, 2]}, "? " + "k" * 129 + "\n: - 1\n  - 2\n"),
        ({"<<": "<<", "": ""}, '"": ""\n"<<": <<\n'),
        (
            {"a": LONG},
            "a: eighty characters and some more, of which a space behind column eighty ends the\n  line here, and again if need be\n",
        ),
        (
            {"a": "# " + LONG},
            "a: '# eighty characters and some more, of which a space behind column eighty ends\n  the line here, and again if need be'\n",
        ),
        (
            [2**64 - 1, 2**64, 1.5, 1e6 + 0.5, 5.0, -0.0, JsonNumber("1e+21")],
            "- 18446744073709551615\n- 1.8446744073709552e+19\n- 1.5\n- 1.0000005e+06\n- 5\n- 0\n- 1e+21\n",
        ),
        ({"a": RawExtension(b'{"b":1.0,"a":[ ]}'), "f": FieldsV1(b"{}")}, "a:\n  a: []\n  b: 1\nf: {}\n"),
        (RawExtension(b"[1e2]"), "- 100\n"),
    ],
)
def test_strings(value: object, text: str) -> None:
    assert yaml_text(value) == text


@given(TREES)
def test_written_yaml_round_trips(tree: object) -> None:
    assert parse_yaml(yaml_text(tree)) == parse_json(json_text(tree))


@given(TREES)
def test_order_of_members_is_ignored(tree: object) -> None:
    assert yaml_text(_reversed(tree)) == yaml_text(tree)


def _reversed(tree: object) -> object:
    if isinstance(tree, dict):
        return {key: _reversed(tree[key]) for key in reversed(tree)}
    return [_reversed(item) for item in tree] if isinstance(tree, list) else tree


def test_keys_without_order_in_go_are_written_in_fixed_order() -> None:
    assert sorted_keys(["1:30", "01", "0x1"]) == sorted_keys(["0x1", "1:30", "01"])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": float("nan")}, "JSON cannot hold nan"),
        ({1: 2}, "the name 1 is not a string"),
        ([object()], "YAML cannot hold a object"),
        ([RawExtension(b"{")], "raw value: invalid JSON"),
    ],
)
def test_values_that_yaml_cannot_represent(value: object, message: str) -> None:
    with pytest.raises(EncodeError, match=message):
        yaml_text(value)


def test_depth_is_limited() -> None:
    tree: object = 1
    for _ in range(500):
        tree = [tree]
    assert yaml_text(tree) == "- " * 500 + "1\n"
    with pytest.raises(EncodeError, match="nested more than 500 levels deep"):
        yaml_text({"a": tree})


def test_lone_surrogate_is_replaced() -> None:
    assert yaml_text({"\ud800": "\udfff"}) == "\ufffd: \ufffd\n"
