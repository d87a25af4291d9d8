"""Sources of a stranger: whatever they hold, the reader ends soon, with a diagnostic and without a traceback."""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.diagnostics import Report
from apigen.inputs.go import syntax
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import MAX_FILE_BYTES, GoRoot
from tests.effort import within
from tests.inputs.go.reading import codes, read, read_types, write

CALLS = 5_000_000
"""For one input."""

DEEP = {
    "lists": f"type T {'[]' * 50_000}string",
    "pointers": f"type T struct {{ A {'*' * 50_000}string }}",
    "maps": f"type T {'map[string]' * 20_000}int",
    "structs": "type T " + "struct { A " * 20_000 + "int" + "}" * 20_000,
    "functions": "type T " + "func(a " * 20_000 + "int" + ")" * 20_000,
    "generics": "type T struct { A " + "G[" * 20_000 + "int" + "]" * 20_000 + " }",
    "parentheses": "type T struct { A " + "(" * 20_000 + "int" + ")" * 20_000 + " }",
}


@pytest.mark.parametrize("name", DEEP)
def test_types_nested_deep(name: str, tmp_path: Path) -> None:
    with within(CALLS):
        types, report = read_types(tmp_path, f"{DEEP[name]}\n\ntype Fine struct{{}}")
    expected = {"functions": [], "structs": ["AG1212"]}  # their text is kept as it is
    assert codes(report) == expected.get(name, ["AG1204"])
    assert [type_.go for type_ in types][-1] == "Fine"


def test_types_nested_as_deep_as_allowed(tmp_path: Path) -> None:
    depth = syntax.MAX_DEPTH
    types, report = read_types(tmp_path, f"type T {'[]' * depth}string")
    assert not report.diagnostics
    assert types[0].underlying is not None and types[0].underlying.text == f"{'[]' * depth}string"
    assert codes(read_types(tmp_path, f"type T {'[]' * (depth + 1)}string")[1]) == ["AG1204"]


EXPRESSIONS = {
    "parentheses": f"{'(' * 50_000}1{')' * 50_000}",
    "signs": f"{'-' * 1} {'- ' * 50_000}1",
    "conversions": f"{'string(' * 20_000}1{')' * 20_000}",
    "right-nested": f"{'1 + (' * 20_000}1{')' * 20_000}",
    "shift": "1 << 1000000000",
    "power": " * ".join(["(1 << 1000)"] * 200),
    "exponent": "1e1000000000",
    "digits": "9" * 1_000_000,
    "fraction": f"0.{'1' * 1_000_000}",
    "calls": f"{'f(' * 20_000}1{')' * 20_000}",
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_expressions_without_bounds_have_no_value(name: str, tmp_path: Path) -> None:
    with within(CALLS):
        text = f"package v1\n\nconst C = {EXPRESSIONS[name]}\n\nconst D = 1\n"
        packages, report = read(tmp_path, {"v1/a.go": text})
    assert [constant.value for constant in packages[0].constants] == [None, 1]
    assert not report.diagnostics


@pytest.mark.slow
def test_a_long_sum_is_not_deep(tmp_path: Path) -> None:
    text = f"package v1\n\nconst C = {' + '.join(['1'] * 50_000)}\nconst D = {' + '.join(['`x`'] * 50_000)}\n"
    packages, _ = read(tmp_path, {"v1/a.go": text})
    assert [constant.value for constant in packages[0].constants] == [50_000, "x" * 50_000]


def test_exponential_constants_are_limited(tmp_path: Path) -> None:
    lines = ["const C0 = `0123456789`", *(f"const C{n} = C{n - 1} + C{n - 1}" for n in range(1, 80))]
    packages, _ = read(tmp_path, {"v1/a.go": "package v1\n" + "\n".join(lines)})
    values = [constant.value for constant in packages[0].constants]
    assert values[3] == "0123456789" * 8
    assert values[79] is None


@pytest.mark.slow
def test_constants_that_name_each_other(tmp_path: Path) -> None:
    """Backwards without bounds, forwards as far as the stack is meant to hold; a circle has no value."""
    backwards = "\n".join(f"const B{n} = B{n - 1} + 1" for n in range(1, 20_000))
    forwards = "\n".join(f"const F{n} = F{n + 1}" for n in range(20_000))
    text = f"package v1\nconst B0 = 0\n{backwards}\n{forwards}\nconst F20000 = 7\nconst A, Z = Z, A\n"
    packages, report = read(tmp_path, {"v1/a.go": text})
    values = {constant.go: constant.value for constant in packages[0].constants}
    assert values["B19999"] == 19_999
    assert values["F19999"] == 7 and values["F0"] is None
    assert values["A"] is None and values["Z"] is None
    assert not report.diagnostics


def test_oversized_file(tmp_path: Path) -> None:
    _, report = read(tmp_path, {"v1/a.go": b"package v1\n" + b"/" * MAX_FILE_BYTES})
    assert codes(report)[0] == "AG1203"


def test_file_that_exceeds_the_parse_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax, "LONGEST_PARSE", 0.0)
    _, report = read(tmp_path, {"v1/a.go": "package v1\n" + "var a = b[c]{d}(e)\n" * 20_000})
    assert "AG1203" in codes(report)


BYTES = {
    "latin-1": ("package v1\n\n// caf\u00e9\ntype A struct{}".encode("latin-1"), "things/v1/a.go:3:7"),
    "utf-16": ("package v1".encode("utf-16"), "things/v1/a.go:1:1"),
    "zero": (b"package v1\ntype A\x00 struct{}", "things/v1/a.go:2:7"),
    "image": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100, "things/v1/a.go:1:1"),
    "behind-a-mark": (b"\xef\xbb\xbfpackage \xff", "things/v1/a.go:1:9"),
}


@pytest.mark.parametrize("name", BYTES)
def test_undecodable_file(name: str, tmp_path: Path) -> None:
    data, place = BYTES[name]
    _, report = read(tmp_path, {"v1/a.go": data})
    assert [(d.code, str(d.place)) for d in report.diagnostics] == [("AG1202", place)]


def test_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    packages, report = read(tmp_path, {"v1/a.go": b"\xef\xbb\xbfpackage v1\n\ntype A struct{}\n"})
    assert [type_.go for type_ in packages[0].types] == ["A"] and not report.diagnostics


def test_windows_line_endings_are_accepted(tmp_path: Path) -> None:
    text = 'package v1\r\n\r\n// A is.\r\n// +near\r\ntype A struct {\r\n\t// +optional\r\n\tB int `json:"b"`\r\n}\r\n'
    packages, report = read(tmp_path, {"v1/a.go": text})
    (type_,) = packages[0].types
    assert [marker.text for marker in type_.markers] == ["+near"] and type_.doc == "A is."
    assert [marker.text for marker in type_.fields[0].markers] == ["+optional"]
    assert not report.diagnostics


def test_columns_count_characters(tmp_path: Path) -> None:
    packages, _ = read(tmp_path, {"v1/a.go": "package v1\n\ntype A struct { /* größe */ B int }\n"})
    assert packages[0].types[0].fields[0].place.column == 29


def test_a_pipe_and_links(tmp_path: Path) -> None:
    outside = tmp_path / "secret.go"
    outside.write_text("package v1\n\ntype Secret struct{}\n")
    (tmp_path / "m/v1").mkdir(parents=True)
    (tmp_path / "m/v2").mkdir()
    (tmp_path / "m/v2/fine.go").write_text("package v2\n\ntype Fine struct{}\n")
    (tmp_path / "m/v1/secret.go").symlink_to(outside)
    (tmp_path / "m/v1/nothing.go").symlink_to("nowhere.go")
    (tmp_path / "m/v1/loop.go").symlink_to("loop.go")
    (tmp_path / "m/round").symlink_to(".")
    os.mkfifo(tmp_path / "m/v1/pipe.go")
    report = Report()
    packages = read_packages([GoRoot(tmp_path / "m", "example.com/m", "m")], report)
    assert [package.path for package in packages] == ["example.com/m/v2"]
    assert set(codes(report)) <= {"AG0101", "AG0103", "AG0106"}
    assert {str(d.place) for d in report.diagnostics} >= {
        "m/round",
        "m/v1/secret.go",
        "m/v1/pipe.go",
        "m/v1/nothing.go",
    }


@pytest.mark.slow(one_in=16)
def test_many_brackets_and_long_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts that make careless patterns and parsers slow; the parser is stopped where it would be."""
    monkeypatch.setattr(syntax, "LONGEST_PARSE", 2.0)
    texts = [
        "(" * 60_000,
        "{" * 60_000,
        "type T struct {\n" + "\t// A `" + 'json:"' * 100_000 + "\n}",
        "type T struct {\n" + "\t// A " + "`" * 300_000 + "\n}",
        "type T struct {\n" + ('\t// A b `json:"a" protobuf:"x"` c\n' * 20_000) + "}",
        "type T struct {\n\t// +a " + '"\\' * 60_000 + " // b\n\tA int\n}",
        "type T struct {\n\t// +a" + " " * 300_000 + "// b\n\tA int\n}",
        "type T struct {\n\tA int `" + 'a:"' * 100_000 + "`\n}",
        "type T struct {\n\tA int `" + " " * 300_000 + "`\n}",
        "/*" * 60_000,
        "func f() {\n(\n" + "/* " * 150_000,
        'func f() {\n(\n"' + '\\"' * 600_000,
        "func f() {\n(\n" + "'" * 600_000,
        "func f() { new(`x`) }\n" * 20_000,
        "// " + "x" * 3_000_000,
        "\n" * 3_000_000,
        "const C = `" + "x" * 3_000_000,
        "type T struct {" + "A, " * 30_000 + "B int }",
        "const (\n" + "A = iota\n" * 50_000 + ")",
        "var a = " + "f(" * 30_000,
        "func init() { s.AddKnownTypes(" + "&" * 100_000 + "A{}) }",
    ]
    for number, text in enumerate(texts):
        with within(CALLS):
            read(tmp_path / str(number), {"v1/a.go": f"package v1\n\n{text}\n"})


WORDS = [
    *("type", "struct", "const", "package", "import", "func", "map", "iota", "interface", "A", "b", "v1.T", "string"),
    *("{", "}", "(", ")", "[", "]", "[]", "*", "=", ",", ";", ".", "\n", "\n\n", "\t", "0", '"x"', "`", '"', "'", "//"),
    *(
        "/*",
        "*/",
        "// +optional\n",
        "// +k8s:deprecated=a,protobuf=1\n",
        '`json:"a" protobuf:"bytes,1,opt,name=a"`',
        "\\",
    ),
]


@settings(max_examples=200, deadline=None)
@given(words=st.lists(st.sampled_from(WORDS), max_size=40))
def test_random_tokens_terminate_without_crash(words: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("words")
    read(folder, {"v1/a.go": "package v1\n" + " ".join(words)})


@settings(max_examples=100, deadline=None)
@given(data=st.binary(max_size=300))
def test_random_bytes_terminate_without_crash(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    read(tmp_path_factory.mktemp("bytes"), {"v1/a.go": data})


def test_damaged_sources_terminate_without_crash(tmp_path: Path) -> None:
    """A sound file from which parts are cut, doubled and exchanged."""
    sound = (Path(__file__).parent / "cases/tombstones/module/v1/types.go").read_text(encoding="utf-8")
    chance = random.Random(4)
    for number in range(150):
        first, second = sorted(chance.sample(range(len(sound)), 2))
        damaged = chance.choice(
            (sound[:first] + sound[second:], sound[:second] + sound[first:], sound[second:] + sound[:first])
        )
        read(tmp_path / str(number), {"v1/a.go": damaged})


def test_without_the_libraries(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)
    packages, report = read(tmp_path, {"v1/a.go": "package v1\n"})
    assert not packages and codes(report) == ["AG1216"]


def test_unreadable_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Path.open

    def reject(path: Path, *arguments: object, **more: object) -> object:
        if path.name == "locked.go":
            raise PermissionError(13, "Permission denied")
        return real(path, *arguments, **more)  # type: ignore[call-overload]

    files = {"v1/locked.go": "package v1\n", "v1/open.go": "package v1\n\ntype A struct{}\n"}
    root = GoRoot(write(tmp_path, files), "example.com/m", "m")
    monkeypatch.setattr(Path, "open", reject)
    report = Report()
    packages = read_packages([root], report)
    assert codes(report) == ["AG0102"]
    assert [type_.go for type_ in packages[0].types] == ["A"]
