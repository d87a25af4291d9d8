"""Files, folders, imports and descriptor sets; and what is wrong with them."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.proto.proto import Proto
from apigen.inputs.proto.reading import imports_of
from apigen.inputs.source import Setting
from apigen.review.changes.comparing import compare
from tests.effort import within
from tests.review.proto.reading import field, read, rejected, struct, write

HEAD = 'syntax = "proto3";\npackage acme.v1;\n'
THING = HEAD + "message Thing {\n  int32 a = 1;\n}\n"


def descriptor_set(folder: Path, name: str, *options: str) -> bytes:
    command = [sys.executable, "-m", "grpc_tools.protoc", "-I.", "--descriptor_set_out=out.bin", *options, name]
    subprocess.run(command, cwd=folder, check=True)
    return (folder / "out.bin").read_bytes()


def test_imports_are_found_from_folders_below_and_above(tmp_path: Path) -> None:
    files = {
        "repo/protos/acme/v1/thing.proto": HEAD + 'import "acme/v1/part.proto";\nmessage Thing {\n  Part a = 1;\n}\n',
        "repo/protos/acme/v1/part.proto": HEAD + "message Part {}\n",
    }
    whole = read(tmp_path, "repo", files)
    part = read(tmp_path, "repo/protos/acme", files)
    for surface in (whole, part):
        assert list(surface.groups["acme"].versions["v1"].files) == ["acme/v1/part.proto", "acme/v1/thing.proto"]
    assert struct(part, "acme", "v1", "Part").place.file == "repo/protos/acme/v1/part.proto"


def test_single_file_is_compared_alone(tmp_path: Path) -> None:
    files = {
        "a.proto": HEAD + 'import "b.proto";\nmessage Thing {\n  Part a = 1;\n}\n',
        "b.proto": HEAD + "message Part {}\n",
    }
    surface = read(tmp_path, "a.proto", files)
    assert list(surface.groups["acme"].versions["v1"].types) == ["Thing"]


def test_imports_in_comments_and_strings_are_ignored() -> None:
    text = '// import "a";\n/* import "b"; */ string s = "import \\"c\\";"; import public "d"; import \'e\'; import weak "f";'
    assert list(imports_of(text)) == ["d", "e", "f"]


def test_descriptor_set_equals_its_files(tmp_path: Path) -> None:
    write(tmp_path, {"protos/thing.proto": THING})
    data = descriptor_set(tmp_path / "protos", "thing.proto", "--include_source_info")
    (tmp_path / "api.binpb").write_bytes(data)
    assert list(compare(read(tmp_path, "protos"), read(tmp_path, "api.binpb"))) == []
    assert str(field(read(tmp_path, "api.binpb"), "a").place) == "thing.proto:4:3"


def test_a_descriptor_set_without_positions(tmp_path: Path) -> None:
    write(tmp_path, {"protos/thing.proto": THING})
    (tmp_path / "api.binpb").write_bytes(descriptor_set(tmp_path / "protos", "thing.proto"))
    assert str(field(read(tmp_path, "api.binpb"), "a").place) == "thing.proto"


def test_recognized_protobuf_inputs(tmp_path: Path) -> None:
    write(tmp_path, {"protos/a/thing.proto": THING, "docs/readme.md": "", "set.binpb": "", "docs/.git/a.proto": THING})
    inputs = ("protos", "protos/a/thing.proto", "set.binpb", "docs", "docs/readme.md", "nothing")
    assert [Proto().recognises(each, Setting(tmp_path)) for each in inputs] == [True, True, True, False, False, False]


def test_syntax_error_is_reported_with_its_location(tmp_path: Path) -> None:
    assert rejected(tmp_path, "protos", {"protos/a.proto": HEAD + "message Thing {\n  int32 a = ;\n}\n"}) == [
        "AG1440 protos/a.proto:4:13: protoc reports: Expected field number."
    ]


def test_error_columns_count_characters(tmp_path: Path) -> None:
    assert rejected(tmp_path, "a.proto", {"a.proto": HEAD + "message Thing {\n\t/* ü */ int32 a = ;\n}\n"}) == [
        "AG1440 a.proto:4:20: protoc reports: Expected field number."
    ]


def test_unknown_type_is_reported_with_its_location(tmp_path: Path) -> None:
    assert rejected(tmp_path, "a.proto", {"a.proto": HEAD + "message Thing {\n  Part a = 1;\n}\n"}) == [
        'AG1440 a.proto:4:3: protoc reports: "Part" is not defined.'
    ]


def test_missing_import_is_reported_with_its_location(tmp_path: Path) -> None:
    text = HEAD + 'import "google/api/http.proto";\nmessage Thing {}\n'
    assert rejected(tmp_path, "protos", {"protos/a.proto": text}) == [
        'AG1441 protos/a.proto:3:1: "google/api/http.proto" was not found'
    ]


def test_other_files_are_read_despite_a_missing_import(tmp_path: Path) -> None:
    files = {
        "protos/http.proto": HEAD + 'import "google/api/http.proto";\nmessage Http {}\n',
        "protos/over.proto": HEAD + 'import "http.proto";\nmessage Over {\n  Http a = 1;\n}\n',
        "protos/thing.proto": HEAD
        + 'import "google/protobuf/any.proto";\nmessage Thing {\n  google.protobuf.Any a = 1;\n}\n',
    }
    write(tmp_path, files)
    report = Report()
    surface = Proto().load("protos", Setting(tmp_path), report)
    assert surface is not None
    assert list(surface.groups["acme"].versions["v1"].types) == ["Thing"]
    assert [(str(each.place), each.message) for each in surface.unread] == [
        ("protos/http.proto:3:1", '"google/api/http.proto" is missing, so this file is not compared'),
        ("protos/over.proto:3:1", '"http.proto" is not compared, so this file is not compared'),
    ]
    assert [(each.code, each.severity.value, str(each.place)) for each in report.diagnostics] == [
        ("AG1441", "warning", "protos/http.proto:3:1")
    ]


def test_cyclic_imports(tmp_path: Path) -> None:
    files = {f"protos/{a}.proto": HEAD + f'import "{b}.proto";\n' for a, b in ("ab", "bc", "ca")}
    found = rejected(tmp_path, "protos", files)
    assert found and all("AG1440" in each for each in found)
    assert any("recursively imports itself" in each for each in found)


def test_empty_inputs(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert rejected(tmp_path, "empty") == ["AG1445 empty: no `.proto` file in `empty`"]
    assert rejected(tmp_path, "gone") == ["AG1445 gone: no file or folder `gone`"]


@pytest.mark.parametrize("seed", range(20))
def test_garbage_is_not_a_descriptor_set(tmp_path: Path, seed: int) -> None:
    (tmp_path / "a.binpb").write_bytes(random.Random(seed).randbytes(seed * 50))
    assert [each[:6] for each in rejected(tmp_path, "a.binpb")] == ["AG1443"]


def test_damaged_descriptor_sets_are_rejected_or_read(tmp_path: Path) -> None:
    write(tmp_path, {"protos/thing.proto": THING})
    data = descriptor_set(tmp_path / "protos", "thing.proto", "--include_source_info")
    chance = random.Random(0)
    for _ in range(200):
        damaged = bytearray(data)
        for _ in range(3):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        (tmp_path / "a.binpb").write_bytes(bytes(damaged[: chance.randrange(len(damaged))]))
        report = Report()
        surface = Proto().load("a.binpb", Setting(tmp_path), report)
        assert (surface is None) == report.has_errors


def whole_set(folder: Path) -> bytes:
    """A descriptor set in which all kinds of texts are spelt with one word: `texted`."""
    text = """// texted
syntax = "proto2";
package texted;
option go_package = "texted";
message texted {
  optional string texted = 1 [default = "texted", json_name = "texted"];
  reserved "texted_";
  enum Texted { texted_one = 1; reserved "texted_two"; }
}
"""
    write(folder, {"protos/texted.proto": text})
    return descriptor_set(folder / "protos", "texted.proto", "--include_source_info")


def test_invalid_utf8_strings_in_a_descriptor_set(tmp_path: Path) -> None:
    data = whole_set(tmp_path)
    places = [at for at in range(len(data)) if data[at:].startswith(b"texted")]
    assert len(places) > 8
    for at in places:
        (tmp_path / "a.binpb").write_bytes(data[:at] + b"\xff" + data[at + 1 :])
        report = Report()
        surface = Proto().load("a.binpb", Setting(tmp_path), report)
        assert (surface is None) == report.has_errors
        assert surface is not None or [each.code for each in report.diagnostics] == ["AG1443"]


def test_option_with_invalid_utf8(tmp_path: Path) -> None:
    assert rejected(tmp_path, "a.proto", {"a.proto": HEAD + 'option go_package = "\\xff";\n'}) == [
        "AG1443 a.proto: a.proto is broken: a name, a default or an option in it is not UTF-8"
    ]


def test_comment_with_invalid_utf8_is_truncated(tmp_path: Path) -> None:
    write(tmp_path, {"protos/thing.proto": HEAD + "// a comment\nmessage Thing {}\n"})
    data = descriptor_set(tmp_path / "protos", "thing.proto", "--include_source_info")
    (tmp_path / "a.binpb").write_bytes(data.replace(b"a comment", b"a c\xffmment"))
    assert struct(read(tmp_path, "a.binpb"), "acme", "v1", "Thing").slot.doc == "a c\ufffdmment"


def test_a_descriptor_set_without_its_imports(tmp_path: Path) -> None:
    files = {
        "protos/a.proto": HEAD + 'import "b.proto";\nmessage Thing {\n  Part a = 1;\n}\n',
        "protos/b.proto": HEAD + "message Part {}\n",
    }
    write(tmp_path, files)
    (tmp_path / "a.binpb").write_bytes(descriptor_set(tmp_path / "protos", "a.proto"))
    found = rejected(tmp_path, "a.binpb")
    assert [each[:6] for each in found] == ["AG1443"] and "b.proto" in found[0]


@pytest.mark.slow
def test_ten_thousand_fields_take_bounded_time(tmp_path: Path) -> None:
    lines = "".join(f"  int32 field_{number} = {number};\n" for number in range(20_000, 25_000))
    text = HEAD + f"message Thing {{\n{lines}}}\nmessage Other {{\n{lines}}}\n"
    with within(3_000_000):
        surface = read(tmp_path, "a.proto", {"a.proto": text})
    assert len(struct(surface, "acme", "v1", "Thing").fields) == 5_000


@pytest.mark.slow
def test_more_fields_than_protobuf_allows(tmp_path: Path) -> None:
    lines = "".join(f"  int32 field_{number} = {number};\n" for number in range(20_000, 90_000))
    found = rejected(tmp_path, "a.proto", {"a.proto": HEAD + f"message Thing {{\n{lines}}}\n"})
    assert len(found) == 1 and found[0].startswith("AG1440 a.proto: ") and "limit of 65535" in found[0]


def test_deep_nesting_is_rejected_or_read(tmp_path: Path) -> None:
    text = HEAD + "".join(f"message M{depth} {{" for depth in range(10_000)) + "}" * 10_000
    assert [each[:6] for each in rejected(tmp_path, "a.proto", {"a.proto": text})][:1] == ["AG1440"]


def test_code_in_the_folder_is_not_executed(tmp_path: Path) -> None:
    trap = "raise SystemExit('run')"
    files = {"a.proto": THING, "grpc_tools/__init__.py": trap, "grpc_tools/protoc.py": trap, "google/__init__.py": trap}
    assert field(read(tmp_path, ".", files), "a").number == 1


def test_unusual_file_names(tmp_path: Path) -> None:
    files = {
        "od d/-x.proto": THING,
        "od d/@y.proto": HEAD + "message Part {}\n",
        "od d/ü:z.proto": HEAD + "message More {}\n",
    }
    assert list(read(tmp_path, "od d", files).groups["acme"].versions["v1"].types) == ["Thing", "Part", "More"]


def test_files_with_invalid_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_bytes(b"\xff\xfe\x00\x00" * 100)
    assert {each[:6] for each in rejected(tmp_path, "a.proto")} == {"AG1440"}


def test_special_files_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "protos").mkdir()
    os.mkfifo(tmp_path / "protos/pipe.proto")
    (tmp_path / "protos/loop").symlink_to(tmp_path / "protos")
    (tmp_path / "protos/dead.proto").symlink_to(tmp_path / "nothing")
    assert field(read(tmp_path, "protos", {"protos/a.proto": THING}), "a").number == 1


def test_oversized_inputs(tmp_path: Path) -> None:
    for name in ("a.proto", "a.binpb"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(300 * 2**20)
    assert [rejected(tmp_path, name)[0][:6] for name in ("a.proto", "a.binpb")] == ["AG1444", "AG1444"]


def test_without_the_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apigen.inputs.proto.proto.is_installed", lambda: False)
    assert rejected(tmp_path, "a.proto", {"a.proto": THING}) == [
        "AG1442 a.proto: the libraries for protobuf are not installed"
    ]
