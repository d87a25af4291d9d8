"""For any contents of files, loading returns diagnostics and never a traceback, and printing them is harmless."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.diagnostics import Report
from apigen.diagnostics.printers import PRINTERS
from apigen.language.load import load_api
from apigen.language.schema import SchemaKind, spec_schema
from tests.language.reading import GROUP, Plain


def known_keys() -> list[str]:
    """Every key of the language, as the schema has it."""
    keys: set[str] = set()
    for kind in SchemaKind:
        definitions = spec_schema(kind)["$defs"]
        assert isinstance(definitions, dict)
        for definition in definitions.values():
            assert isinstance(definition, dict)
            properties = definition.get("properties", {})
            assert isinstance(properties, dict)
            keys |= set(properties)
    return sorted(keys)


HOSTILE = [
    "../../etc/passwd",
    "/etc/passwd",
    'a"b',
    "a'b",
    "{{ x }}",
    "\u202e",
    "a\nb",
    "%0A::error::x",
    "$.",
    "a[",
    "[]",
    "map[",
]
KEYS = st.sampled_from(known_keys()) | st.sampled_from(HOSTILE) | st.text(max_size=5)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.sampled_from(HOSTILE),
    st.sampled_from(known_keys()),
    st.text(),
)
VALUES: st.SearchStrategy[Plain] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6), max_leaves=30
)
YAML_PIECES = st.lists(
    st.sampled_from([*":-[]{},&*!|>'\"%@`#?~ \t\r\n", "<<", "\n  ", "a", "types", "&a", "*a", "---\n"])
    | st.text(max_size=3)
).map("".join)
FILES = ("group.yaml", "v1.yaml", "hub.yaml", "v1.lock.yaml")


def check(**files: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        group = Path(folder, "things")
        group.mkdir()
        Path(folder, "features.yaml").write_bytes(files.get("features", b""))
        for name in FILES:
            key = name.removesuffix(".yaml")
            if key in files or key in ("group", "v1"):
                (group / name).write_bytes(files.get(key, GROUP.encode() if key == "group" else b"types: {}"))
        report = Report()
        load_api(Path(folder), report, display_root=Path(folder))
    for name, render in PRINTERS.items():
        text = render(report.diagnostics)
        text.encode()
        lines = text.split("\n")
        assert all(line.isprintable() for line in lines), name
        if name == "github":
            assert len(lines) == len(report.diagnostics) + 1
            assert all(line.startswith("::error ") for line in lines[:-1])


def names() -> st.SearchStrategy[str]:
    return st.sampled_from(["group", "v1", "hub", "v1.lock", "features"])


@given(names(), st.text() | YAML_PIECES)
def test_any_text(name: str, text: str) -> None:
    check(**{name: text.encode()})


@given(names(), st.binary())
def test_any_bytes(name: str, data: bytes) -> None:
    check(**{name: data})


@pytest.mark.slow
@settings(max_examples=200)
@given(names(), VALUES)
def test_any_value(name: str, value: Plain) -> None:
    check(**{name: json.dumps(value, ensure_ascii=False).encode()})


@pytest.mark.slow
@settings(max_examples=200)
@given(st.dictionaries(KEYS, VALUES, max_size=8), st.sampled_from(["fields", "enum", "is", "other"]))
def test_any_body_of_a_type_and_field(body: dict[str, Plain], form: str) -> None:
    field = {"type": "string", **body}
    types: Plain = {"A": {form: {"a": field}, **{key: value for key, value in body.items() if key != form}}}
    check(v1=json.dumps({"types": types}).encode(), hub=json.dumps({"types": types}).encode())


@pytest.mark.parametrize("name", ["a\nb", "\u202e", "a:b,c%", "\udcff"])
def test_names_of_files(tmp_path: Path, name: str) -> None:
    (tmp_path / "things").mkdir()
    (tmp_path / "things/group.yaml").write_text(GROUP)
    (tmp_path / "things" / name).write_text("x")
    report = Report()
    load_api(tmp_path, report, display_root=tmp_path)
    assert len(report.diagnostics) == 1
    for render in PRINTERS.values():
        assert all(line.isprintable() for line in render(report.diagnostics).split("\n"))
        render(report.diagnostics).encode()
