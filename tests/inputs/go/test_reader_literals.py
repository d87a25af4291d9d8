"""Literals and struct tags, one by one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from apigen.diagnostics import Place
from apigen.inputs.go.fields import read_protobuf_tag, read_tag
from apigen.inputs.go.model import ProtobufTag
from apigen.inputs.go.syntax import CommentLine, base_names, float_value, int_value, rune_value, string_value
from tests.inputs.go.reading import read_types


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ('"plain"', "plain"),
        (r'"\a\b\f\n\r\t\v\\\""', '\a\b\f\n\r\t\v\\"'),
        (r'"\303\244 \xc3\xa4 \u00e4 \U000000e4"', "ä ä ä ä"),
        (r'"\400"', None),
        (r'"\xff"', None),
        (r'"\ud800"', None),
        (r'"\U00110000"', None),
        (r'"\q"', None),
        (r'''"\'"''', None),
        (r'"open\"', None),
        ('"a"b"', None),
        ('"two\nlines"', None),
        ("`a\\n\r\n\"b\"`", 'a\\n\n"b"'),
        ("'c'", None),
        ('"', None),
        ("", None),
    ],
)  # fmt: skip
def test_strings(literal: str, value: str | None) -> None:
    assert string_value(literal) == value


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("'a'", 97),
        ("'ä'", 0xE4),
        (r"'\n'", 10),
        (r"'\''", 39),
        (r"'\x41'", 65),
        (r"'\101'", 65),
        (r"'\u00e4'", 0xE4),
        ("''", None),
        ("'ab'", None),
        (r"'\'", None),
    ],
)
def test_runes(literal: str, value: int | None) -> None:
    assert rune_value(literal) == value


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", 0),
        ("017", 15),
        ("0o17", 15),
        ("0O17", 15),
        ("0x1F", 31),
        ("0b11", 3),
        ("1_000", 1000),
        ("0x_1F", 31),
        ("08", None),
        ("1" * 201, None),
        ("x", None),
    ],
)
def test_ints(literal: str, value: int | None) -> None:
    assert int_value(literal) == value


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("1.5", Fraction(3, 2)),
        (".5", Fraction(1, 2)),
        ("1.", Fraction(1)),
        ("1e3", Fraction(1000)),
        ("1_0.5E-1", Fraction(21, 20)),
        ("0x1p-2", Fraction(1, 4)),
        ("0x1.8p1", Fraction(3)),
        ("0X.8P0", Fraction(1, 2)),
        ("1e401", None),
        ("1e999999999999", None),
        ("0xp1", None),
        ("e1", None),
    ],
)
def test_floats(literal: str, value: Fraction | None) -> None:
    assert float_value(literal) == value


@pytest.mark.parametrize(
    ("text", "pairs", "is_sound"),
    [
        ("", (), True),
        ("   ", (), True),
        ('json:"a"', (("json", "a"),), True),
        ('json:"a" yaml:"b,c"', (("json", "a"), ("yaml", "b,c")), True),
        (r'json:"a\"b"', (("json", 'a"b'),), True),
        ('json:"a"yaml:"b"', (("json", "a"), ("yaml", "b")), True),
        ('json:"a" json:"b"', (("json", "a"),), False),
        ('json:"a", yaml:"b"', (("json", "a"),), False),
        ("json:a", (), False),
        ('json : "a"', (), False),
        ('json:"a" yaml', (("json", "a"),), False),
        (r'json:"\q"', (), False),
    ],
)
def test_tags(text: str, pairs: tuple[tuple[str, str], ...], is_sound: bool) -> None:
    found, problem = read_tag(text)
    assert (tuple(found.items()), problem is None) == (pairs, is_sound)


@pytest.mark.parametrize(
    ("tag", "json", "options"),
    [
        ("name,omitempty,string,,omitzero", "name", (True, True, False, False)),
        ("name,inline", None, (False, False, True, False)),
        ("-", None, (False, False, False, True)),
        ("-,", "-", (False, False, False, False)),
        ("", "A", (False, False, False, False)),
    ],
)
def test_json_tags(tmp_path: Path, tag: str, json: str | None, options: tuple[bool, ...]) -> None:
    types, _ = read_types(tmp_path, f'type T struct {{\n\tA string `json:"{tag}"`\n}}')
    field = types[0].fields[0]
    assert field.json == json
    assert (field.omitempty, field.omitzero, field.inline, field.json_skip) == options


@pytest.mark.parametrize(
    ("value", "tag", "is_sound"),
    [
        ("bytes,1,opt,name=a", ProtobufTag("bytes", 1, "opt", "a"), True),
        (
            "varint,536870911,rep,name=a,casttype=B",
            ProtobufTag("varint", 536870911, "rep", "a", (("casttype", "B"),)),
            True,
        ),
        ("bytes,2,name=a,opt", ProtobufTag("bytes", 2, "opt", "a"), True),
        ("bytes,2", ProtobufTag("bytes", 2, None, None), True),
        ("-", ProtobufTag(None, None, None, None, skip=True), True),
        (",3,opt", ProtobufTag(None, 3, "opt", None), True),
        ("bytes,-1,opt", ProtobufTag("bytes", None, "opt", None), False),
        ("bytes", ProtobufTag("bytes", None, None, None), False),
    ],
)
def test_protobuf_tags(value: str, tag: ProtobufTag, is_sound: bool) -> None:
    found, problem = read_protobuf_tag(value)
    assert (found, problem is None) == (tag, is_sound)


@pytest.mark.parametrize(
    ("text", "marker"),
    [
        ("+a // b", "+a"),
        ('+p="x // y" // z', '+p="x // y"'),
        ("+p=`x // y` // z", "+p=`x // y`"),
        ("+u=http://x", "+u=http://x"),
        ('+q="open // b', '+q="open'),
        ("+max=1 # remark", "+max=1 # remark"),
    ],
)
def test_remarks_behind_markers(text: str, marker: str) -> None:
    assert CommentLine(text, Place("a.go")).marker.text == marker


@pytest.mark.parametrize(
    ("type_", "names"),
    [
        ("string", ["string"]),
        ("*[]*a/b.C", ["a/b.C"]),
        ("map[a.K]map[string][]V", ["a.K", "string", "V"]),
        ("map[map[a.K]b.V]c.D", ["c.D", "a.K", "b.V"]),
    ],
)
def test_base_names(type_: str, names: list[str]) -> None:
    assert sorted(base_names(type_)) == sorted(names)
