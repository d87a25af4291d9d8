"""What a review reports of `.proto` files."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.review.results import Severity
from apigen.review.review import review
from tests.review.proto.reading import read

HEAD = 'syntax = "proto3";\npackage acme.v1;\n'


def reported(folder: Path, old: str, new: str) -> dict[str, tuple[str, str]]:
    """Return the severity and the message of findings, by rule; without those about names and numbers that were reserved."""
    sides = [read(folder, side, {f"{side}/a.proto": HEAD + text}) for side, text in (("old", old), ("new", new))]
    found = (each for each in review(*sides).findings if each.severity > Severity.SILENT)
    return {each.rule: (each.severity.word, each.result.message) for each in found if each.rule != "tombstone-added"}


REMOVALS = {
    "nothing": ("", "field-removed", "was removed without reserving its name and number"),
    "the number": ("reserved 1;", "field-removed", "was removed without reserving its name"),
    "the name": ('reserved "a";', "field-removed", "was removed without reserving its number"),
    "both": ('reserved 1; reserved "a";', "field-removed-with-tombstone", "was removed and is reserved"),
}


@pytest.mark.parametrize("name", REMOVALS)
def test_removed_field_with_reserved_parts(tmp_path: Path, name: str) -> None:
    reserved, rule, words = REMOVALS[name]
    found = reported(tmp_path, "message Thing { int32 a = 1; }", f"message Thing {{ {reserved} }}")
    assert found == {rule: ("error", f"v1 `Thing.a` {words}")}


def test_removed_field_with_a_json_name_is_reserved_by_its_name(tmp_path: Path) -> None:
    old = 'message Thing { int32 a_b = 1 [json_name = "c"]; }'
    found = reported(tmp_path, old, 'message Thing { reserved 1; reserved "a_b"; }')
    assert found == {"field-removed-with-tombstone": ("error", "v1 `Thing.c` was removed and is reserved")}


def test_removed_extension_cannot_be_reserved(tmp_path: Path) -> None:
    texts = ("extend Thing { optional int32 a = 100; }", "")
    head = 'syntax = "proto2"; package acme.v1; message Thing { extensions 100 to 200; }'
    sides = [read(tmp_path, str(n), {f"{n}/a.proto": head + text}) for n, text in enumerate(texts)]
    results = [(each.result.message, each.result.fix) for each in review(*sides).findings]
    assert results == [("v1 `Thing.[acme.v1.a]` was removed", "restore the extension with `[deprecated = true]`")]


NARROWED = {
    "reserved 5 to 9;": "number 10",
    "reserved 7 to 10;": "number 5-6",
    "reserved 5 to 7, 9 to 10;": "number 8",
    "": "number 5-10",
}


@pytest.mark.parametrize("reserved", NARROWED)
def test_narrowed_reserved_range(tmp_path: Path, reserved: str) -> None:
    found = reported(tmp_path, "message Thing { reserved 5 to 10; }", f"message Thing {{ {reserved} }}")
    message = f"{NARROWED[reserved]} of `Thing` is no longer reserved"
    assert found == {"tombstone-removed": ("error", message)}


def test_widened_reserved_range(tmp_path: Path) -> None:
    assert not reported(tmp_path, "message Thing { reserved 5 to 10; }", "message Thing { reserved 5 to 8, 9 to 12; }")


IMPORTED = "".join(f'import "google/protobuf/{name}.proto";' for name in ("duration", "empty", "timestamp", "wrappers"))
OWN = "message Mine {} message Parts { int64 seconds = 1; int32 nanos = 2; }"
TIME, EMPTY, INT32 = (f"google.protobuf.{name}" for name in ("Timestamp", "Empty", "Int32Value"))
TYPES = {
    (TIME, "google.protobuf.Duration"): ("type-replaced", "error"),
    (TIME, "string"): ("type-changed", "error"),
    (TIME, f"repeated {TIME}"): ("list-and-single-swapped", "error"),
    ("int64", TIME): ("type-changed", "error"),
    ("Parts", TIME): ("type-replaced", "error"),  # the same fields, but another JSON
    (TIME, "Parts"): ("type-replaced", "error"),
    (INT32, "optional int32"): ("type-changed", "error"),
    (EMPTY, "Mine"): ("type-renamed", "info"),
}


@pytest.mark.parametrize(("old", "new"), TYPES)
def test_types_of_imported_files_are_compared(tmp_path: Path, old: str, new: str) -> None:
    rule, severity = TYPES[old, new]
    found = reported(tmp_path, *(f"{IMPORTED} {OWN} message Thing {{ {type_} a = 1; }}" for type_ in (old, new)))
    assert found[rule][0] == severity


def test_request_of_an_imported_type(tmp_path: Path) -> None:
    services = (f"{IMPORTED} {OWN} service S {{ rpc Get({name}) returns (Mine); }}" for name in (EMPTY, "Mine"))
    assert reported(tmp_path, *services)["method-request-changed"][0] == "warning"


def test_removed_package_without_a_version(tmp_path: Path) -> None:
    texts = ('syntax = "proto3"; package one;', 'syntax = "proto3"; package two;')
    sides = [read(tmp_path, str(n), {f"{n}/a.proto": text}) for n, text in enumerate(texts)]
    messages = [each.result.message for each in review(*sides).findings if each.rule == "group-removed"]
    assert messages == ["package one was removed"]


@pytest.mark.parametrize("default", ["inf", "-inf", "nan"])
def test_defaults_that_are_no_numbers_of_json_are_valid(tmp_path: Path, default: str) -> None:
    texts = (f"optional double a = 1 [default = {value}];" for value in ("1", default))
    head = 'syntax = "proto2"; package acme.v1; message Thing {'
    sides = [read(tmp_path, str(n), {f"{n}/a.proto": f"{head} {text} }}"}) for n, text in enumerate(texts)]
    assert [each.rule for each in review(*sides).findings] == ["default-of-readers-changed"]
