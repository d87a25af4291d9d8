"""The preset `bytes`: fields and values are their numbers, and what arrives is what protobuf's own parser makes of it."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError, Message

from apigen.ir.surface import Scalars
from apigen.review.effects.scalar_transfer import passed_in_bytes
from apigen.review.results import Direction, Impact, Preset, Severity
from apigen.review.review import review
from tests.review.proto.reading import read

HEAD = 'syntax = "proto3";\npackage acme.v1;\n'
FLAG = "enum Flag {\n  NONE = 0;\n  SOME = 1;\n}\n"
ALL = set(Direction)
FORWARD = {Direction.OLD_CLIENT, Direction.STORED}
BACKWARD = {Direction.NEW_CLIENT, Direction.ROLLBACK}


def broken(folder: Path, old: str, new: str, preset: Preset = Preset.BYTES) -> dict[str, set[Direction]]:
    """Return, by rule, the directions that break, of reported findings."""
    surfaces = [read(folder, side, {f"{side}/a.proto": HEAD + text}) for side, text in (("old", old), ("new", new))]
    found: dict[str, set[Direction]] = {}
    for each in review(*surfaces, preset).findings:
        if each.severity > Severity.INFO:
            effects = {direction for direction, effect in each.effects.items() if effect.impact is Impact.BREAKS}
            found.setdefault(each.rule, set()).update(effects)
    return found


def thing(body: str) -> str:
    return f"message Thing {{\n  {body}\n}}\n"


CASES = {
    "another name": (thing("int32 a = 1;"), thing("int32 b = 1;"), {}),
    "names that were swapped": (thing("int32 a = 1; int32 b = 2;"), thing("int32 b = 1; int32 a = 2;"), {}),
    "numbers that were swapped": (
        thing("int32 a = 1; string b = 2;"),
        thing("int32 a = 2; string b = 1;"),
        {"type-changed": ALL},
    ),
    "another number": (thing("int32 a = 1;"), thing("int32 a = 2;"), {"field-removed": FORWARD}),
    "another name and type": (thing("int32 a = 1;"), thing("string b = 1;"), {"type-changed": ALL}),
    "another name in a oneof": (
        thing("oneof one { int32 a = 1; int32 b = 2; }"),
        thing("oneof other { int32 c = 1; int32 d = 2; }"),
        {"oneof-membership-changed": set()},
    ),
    "a value with another name": (
        FLAG + thing("Flag a = 1;"),
        FLAG.replace("SOME", "ANY") + thing("Flag a = 1;"),
        {},
    ),
    "a value with another number": (
        FLAG + thing("Flag a = 1;"),
        FLAG.replace("1", "2") + thing("Flag a = 1;"),
        {"enum-value-removed": FORWARD},
    ),
    "a wider integer": (thing("int32 a = 1;"), thing("int64 a = 1;"), {"integer-widened": BACKWARD}),
    "a narrower one": (thing("int64 a = 1;"), thing("int32 a = 1;"), {"integer-narrowed": FORWARD}),
    "text as bytes": (thing("string a = 1;"), thing("bytes a = 1;"), {"bytes-and-text-swapped": BACKWARD}),
    "a list": (thing("string a = 1;"), thing("repeated string a = 1;"), {"list-and-single-swapped": BACKWARD}),
    "no list": (thing("repeated string a = 1;"), thing("string a = 1;"), {"list-and-single-swapped": FORWARD}),
    "a list of another type": (
        thing("string a = 1;"),
        thing("repeated int32 a = 1;"),
        {"list-and-single-swapped": ALL},
    ),
    "an enum as its number": (
        FLAG + thing("Flag a = 1;"),
        FLAG + thing("int32 a = 1;"),
        {"enum-and-scalar-swapped": set()},
    ),
    "an enum as a text": (
        FLAG + thing("Flag a = 1;"),
        FLAG + thing("string a = 1;"),
        {"enum-and-scalar-swapped": ALL},
    ),
    "a field that is gone": (
        thing("int32 a = 1; int32 b = 2;"),
        thing('int32 b = 2; reserved "a";'),
        {"field-removed": FORWARD},
    ),
    "a field that is gone, with its number reserved": (
        thing("int32 a = 1; int32 b = 2;"),
        thing("int32 b = 2; reserved 1;"),
        {"field-removed-with-tombstone": FORWARD},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_breaking_changes_of_the_encoding(name: str, tmp_path: Path) -> None:
    old, new, expected = CASES[name]
    assert broken(tmp_path, old, new) == expected


def test_default_of_a_number_changes_decoded_values(tmp_path: Path) -> None:
    head = 'edition = "2023";\npackage acme.v1;\n'
    thing_of = "message Thing {{\n  Flag a = 1 [default = {}];\n}}\n"
    sides = [
        (FLAG + thing_of.format("SOME")),
        (FLAG.replace("SOME", "ANY") + thing_of.format("ANY")),
        (FLAG + thing_of.format("NONE")),
    ]
    old, renamed, moved = (read(tmp_path, f"{n}", {f"{n}/a.proto": head + text}) for n, text in enumerate(sides))
    assert not [each for each in review(old, renamed, Preset.BYTES).findings if each.severity > Severity.INFO]
    assert [each.rule for each in review(old, moved, Preset.BYTES).findings] == ["default-of-readers-changed"]


def test_json_is_for_the_preset_wire(tmp_path: Path) -> None:
    old, new = FLAG + thing("Flag a = 1;"), FLAG.replace("SOME", "ANY") + thing("Flag b = 1;")
    assert broken(tmp_path, old, new) == {}
    assert set(broken(tmp_path, old, new, Preset.WIRE)) == {"field-renamed", "enum-value-renamed"}


VALUES = (0, 1, -1, 2, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1, 2**32 - 1, 2**32, 2**63 - 1, -(2**63), 2**63)
NAMES = {Scalars.FLOAT64: "DOUBLE", Scalars.FLOAT32: "FLOAT"}
KNOWN = dict(descriptor_pb2.FieldDescriptorProto.Type.items())
TYPES = {scalar: KNOWN[name] for scalar in Scalars if (name := f"TYPE_{NAMES.get(scalar, scalar.name)}") in KNOWN}


def test_fixes_use_keywords_of_protobuf(tmp_path: Path) -> None:
    texts = (thing("int32 a = 1; repeated int32 b = 2;"), thing("repeated int32 b = 2 [deprecated = true];"))
    surfaces = [read(tmp_path, str(n), {f"{n}/a.proto": HEAD + text}) for n, text in enumerate(texts)]
    found = review(surfaces[0], surfaces[1])
    reserved = '`reserved 1; reserved "a";`'
    assert {each.rule: each.result.fix or found.rules[each.rule].fix for each in found.findings} == {
        "field-removed": f"restore the field with `[deprecated = true]`; if it must be removed, declare {reserved}",
        "deprecated": "name the replacement in the comment",
    }
    assert {each.result.message for each in found.findings if each.rule == "field-removed"} == {
        "v1 `Thing.a` was removed without reserving its name and number"
    }
    assert not any(each.result.patch for each in found.findings)


def message_of(scalar: Scalars) -> Message:
    """A message with a field of a scalar."""
    file = descriptor_pb2.FileDescriptorProto(name="a.proto", syntax="proto3")
    file.message_type.add(name="Thing").field.add(name="a", number=1, label=1, type=TYPES[scalar])
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("Thing"))()


@pytest.mark.parametrize(("old", "new"), list(product(TYPES, TYPES)), ids=str)
def test_safe_changes_preserve_values(old: Scalars, new: Scalars) -> None:
    effects = passed_in_bytes(old, new).effects
    for writer, reader, direction in ((old, new, Direction.STORED), (new, old, Direction.ROLLBACK)):
        lost = [value for value in (*VALUES, 0.5, "a", b"\xff") if not _arrives(writer, reader, value)]
        assert bool(lost) == (direction in effects), (writer, reader, lost)


def _arrives(writer: Scalars, reader: Scalars, value: object) -> bool:
    """Whether the reader finds what was written; values that the writer cannot write do not count."""
    sent, received = message_of(writer), message_of(reader)
    try:
        setattr(sent, "a", value)  # noqa: B010 - of a class that is made here
    except (TypeError, ValueError, OverflowError):
        return True
    try:
        received.ParseFromString(sent.SerializeToString())
    except DecodeError:
        return False
    written, read_ = (getattr(each, "a") for each in (sent, received))  # noqa: B009 - likewise
    if isinstance(written, str):
        written = written.encode()
    return bool(written == (read_.encode() if isinstance(read_, str) else read_))
