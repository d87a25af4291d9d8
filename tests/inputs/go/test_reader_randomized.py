"""Random packages, written as Go, are read as they were generated."""

from __future__ import annotations

import operator
import string
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apigen.inputs.go.model import GoConstant, GoField, GoKind, GoTypeDeclaration, TombstoneForm
from tests.inputs.go.reading import read

KEYWORDS = {
    "break",
    "case",
    "chan",
    "const",
    "continue",
    "default",
    "defer",
    "else",
    "fallthrough",
    "for",
    "func",
    "go",
} | {
    *(
        "goto",
        "if",
        "import",
        "interface",
        "map",
        "package",
        "range",
        "return",
        "select",
        "struct",
        "switch",
        "type",
        "var",
    ),
    *("iota", "true", "false", "nil", "len"),
}
TEXT = st.text(st.characters(exclude_characters="`", exclude_categories=("Cs", "Cc")), max_size=12)
LINE = st.text(st.characters(exclude_characters="`+", exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=30).map(
    str.strip
)
NAME = st.text(string.ascii_letters + string.digits + "_é", min_size=1, max_size=8).map(lambda text: f"N{text}")
JSON_NAME = st.text(string.ascii_letters + string.digits, min_size=1, max_size=8)
SCALAR = st.sampled_from(["string", "bool", "int32", "int64", "[]byte", "Part", "*Part", "metav1.Time", "*metav1.Time"])
TYPE = st.recursive(
    SCALAR, lambda inner: st.tuples(st.sampled_from(["[]", "*", "map[string]"]), inner).map("".join), max_leaves=3
)
MARKER = st.tuples(
    st.sampled_from(["+optional", "+default=", "+k8s:maxLength=", "+featureGate="]), st.sampled_from(["", "1", '"x"'])
)


@dataclass(frozen=True)
class Field:
    """A field as it is written: the model of it, without place and resolved type."""

    names: tuple[str, ...]
    type: str
    json: str
    options: tuple[str, ...]
    number: int | None
    markers: tuple[str, ...]
    doc: tuple[str, ...]
    spaced: bool
    gone: tuple[str, int, bool] | None
    """A field that is gone above it: its name, its number, and whether a marker says so."""

    def lines(self) -> list[str]:
        tag = f'json:"{",".join((self.json, *self.options))}"'
        tag += "" if self.number is None else f' protobuf:"bytes,{self.number},opt,name={self.json}"'
        return [
            *([""] if self.spaced else []),
            *([] if self.gone is None else [*self.gone_lines(*self.gone), ""]),
            *(f"// {line}".rstrip() for line in (*self.doc, *self.markers)),
            f"{', '.join(self.names)} {self.type} `{tag}`",
        ]

    @staticmethod
    def gone_lines(name: str, number: int, is_marker: bool) -> list[str]:
        if is_marker:
            return [f"// +k8s:deprecated={name},protobuf={number}"]
        return ["// A tombstone.", f'// {name} []string `json:"{name}" protobuf:"bytes,{number},rep,name={name}"`']


@st.composite
def fields(draw: st.DrawFn) -> Field:
    return Field(
        names=tuple(draw(st.lists(NAME, min_size=1, max_size=2, unique=True))),
        type=draw(TYPE),
        json=draw(JSON_NAME),
        options=tuple(draw(st.lists(st.sampled_from(["omitempty", "omitzero", "string"]), unique=True))),
        number=draw(st.none() | st.integers(1, 2**29 - 1)),
        markers=tuple("".join(marker) for marker in draw(st.lists(MARKER, max_size=3))),
        doc=tuple(draw(st.lists(LINE.filter(lambda line: line and "//" not in line), max_size=2))),
        spaced=draw(st.booleans()),
        gone=draw(st.none() | st.tuples(NAME, st.integers(1, 500), st.booleans())),
    )


STRUCTS = st.lists(fields(), max_size=5)


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(written=STRUCTS, kind_names=st.lists(NAME, max_size=4, unique=True), values=st.lists(TEXT, max_size=4))
def test_generated_source_is_read(
    written: list[Field], kind_names: list[str], values: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    body = "\n".join(f"\t{line}".rstrip() for field in written for line in field.lines())
    constants = [f"C{number} Mode = `{value}`" for number, value in enumerate(values)]
    more = [
        f"type {name} {underlying}"
        for name, underlying in zip(kind_names, ("string", "[]Part", "map[string]Part", "bool"), strict=False)
    ]
    text = "\n\n".join(
        [
            "package v1",
            'import metav1 "example.com/other/meta/v1"',
            f"// Frobber frobs.\n// +genclient\ntype Frobber struct {{\n\tmetav1.TypeMeta\n{body}\n}}",
            "type Part struct{}\n\ntype Mode string",
            "const (\n" + "\n".join(f"\t{line}" for line in constants) + "\n)",
            *more,
        ]
    )
    packages, report = read(tmp_path_factory.mktemp("made"), {"v1/types.go": text})
    (package,) = packages
    assert not report.diagnostics
    frobber, _, mode, *others = package.types
    assert [(m.text for m in frobber.markers)] and frobber.doc == "Frobber frobs." and frobber.root
    _, *rest = frobber.fields
    expected = [(field, name) for field in written for name in field.names]
    assert len(rest) == len(expected)
    for found, (field, name) in zip(rest, expected, strict=True):
        check_field(found, field, name)
    check_tombstones(frobber, written)
    check_constants(mode.constants, values)
    kinds = (GoKind.NAMED, GoKind.LIST, GoKind.MAP, GoKind.NAMED)
    assert [(type_.go, type_.kind) for type_ in others] == list(zip(kind_names, kinds, strict=False))
    lines = text.split("\n")
    for found in rest:
        assert lines[found.place.line - 1][found.place.column - 1 :].startswith(found.go)
    for marker in (marker for found in rest for marker in found.markers):
        assert lines[marker.place.line - 1][marker.place.column - 1 :].startswith(marker.text)


def check_field(found: GoField, field: Field, name: str) -> None:
    assert (found.go, found.type.text, found.json, found.embedded) == (name, field.type, field.json, False)
    assert found.type.resolved == field.type.replace("metav1.", "example.com/other/meta/v1.")
    options = [word for word, is_set in (("omitempty", found.omitempty), ("omitzero", found.omitzero)) if is_set]
    assert set(options) == set(field.options) & {"omitempty", "omitzero"}
    assert (None if found.protobuf is None else found.protobuf.number) == field.number
    assert [marker.text for marker in found.markers] == [marker.strip() for marker in field.markers]
    assert found.doc == ("\n".join(field.doc) or None)


def check_tombstones(type_: GoTypeDeclaration, written: list[Field]) -> None:
    gone = [(field.gone, position) for position, field in enumerate(written) if field.gone is not None]
    live = [(field.number, name) for field in written for name in field.names]
    assert [(t.json, t.number, t.form is TombstoneForm.MARKER) for t in type_.tombstones] == [one for one, _ in gone]
    for tombstone, (_, position) in zip(type_.tombstones, gone, strict=True):
        before = [name for other in written[:position] for name in other.names]
        assert tombstone.real
        assert tombstone.after == (before[-1] if before else "TypeMeta")
        assert tombstone.number_now_of == next((name for number, name in live if number == tombstone.number), None)


def check_constants(constants: tuple[GoConstant, ...], values: list[str]) -> None:
    assert [(c.go, c.value, c.type) for c in constants] == [(f"C{n}", value, "Mode") for n, value in enumerate(values)]


NUMBER = st.integers(-(10**12), 10**12)


LITERAL = st.tuples(NUMBER, st.sampled_from(["({})", "({:#x})", "({:_})", "({:#o})", "({:#b})"])).map(
    lambda pair: (pair[1].format(pair[0]), pair[0])
)
OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def joined(parts: tuple[tuple[str, int], str, tuple[str, int]]) -> tuple[str, int]:
    (left, left_value), sign, (right, right_value) = parts
    return f"({left} {sign} {right})", OPERATORS[sign](left_value, right_value)


SUMS = st.recursive(
    LITERAL, lambda inner: st.tuples(inner, st.sampled_from([*OPERATORS]), inner).map(joined), max_leaves=12
)
"""Expressions of integers as Go writes them, each with its value."""


@settings(max_examples=60, deadline=None)
@given(expressions=st.lists(SUMS, min_size=1, max_size=5))
def test_arithmetic(expressions: list[tuple[str, int]], tmp_path_factory: pytest.TempPathFactory) -> None:
    lines = [f"const C{number} = {text}" for number, (text, _) in enumerate(expressions)]
    packages, _ = read(tmp_path_factory.mktemp("sums"), {"v1/a.go": "package v1\n" + "\n".join(lines)})
    for constant, (_, value) in zip(packages[0].constants, expressions, strict=True):
        assert constant.value == value


@settings(max_examples=100, deadline=None)
@given(texts=st.lists(st.text(st.characters(exclude_categories=("Cs",)), max_size=20), min_size=1, max_size=6))
def test_strings_in_every_notation(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    notations = [
        lambda t: '"' + "".join(f"\\U{ord(c):08x}" for c in t) + '"',
        lambda t: '"' + "".join(f"\\x{b:02x}" for b in t.encode()) + '"',
    ]
    lines = [f"const C{number} = {notations[number % 2](text)}" for number, text in enumerate(texts)]
    packages, _ = read(tmp_path_factory.mktemp("texts"), {"v1/a.go": "package v1\n" + "\n".join(lines)})
    assert [constant.value for constant in packages[0].constants] == texts


def test_order_follows_files_and_locations(tmp_path: Path) -> None:
    files = {
        f"v1/{name}.go": f"package v1\n\ntype {name.upper()}2 struct{{}}\n\ntype {name.upper()}1 struct{{}}\n"
        for name in "cab"
    }
    packages, _ = read(tmp_path, files)
    assert [type_.go for type_ in packages[0].types] == ["A2", "A1", "B2", "B1", "C2", "C1"]
