"""Random specs, written as Go, imported: the IR has the same fields."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.diagnostics import Report
from apigen.inputs.merging import write_together
from apigen.ir.model import Presence, Struct, TypeId
from apigen.ir.resolve import resolve
from apigen.language.load import load_api
from tests.inputs.go_specs.running import run_import

SCALARS = ("string", "bool", "int32", "int64", "float64")
META = 'metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"'


@dataclass(frozen=True)
class MadeField:
    """A field by what it is to be: the Go text follows from that."""

    name: str
    type: str
    presence: Presence
    number: int
    required: bool | None

    @property
    def go(self) -> str:
        is_list = self.type.startswith(("[]", "map["))
        pointer = (
            "*" if self.presence is Presence.OPTIONAL or (self.presence is Presence.NULLABLE and not is_list) else ""
        )
        word = ",omitempty" if self.presence in (Presence.OPTIONAL, Presence.OMIT_EMPTY) else ""
        if self.type == "Inner" and self.presence is Presence.OMIT_EMPTY:
            word = ",omitzero"
        marker = {True: "\t// +required\n", False: "\t// +optional\n", None: ""}[self.required]
        tag = f'`json:"{self.name}{word}" protobuf:"bytes,{self.number},opt,name={self.name}"`'
        return f"{marker}\t{self.name[0].upper()}{self.name[1:]} {pointer}{self.type} {tag}\n"

    @property
    def is_required(self) -> bool:
        if self.required is not None:
            return self.required
        return self.presence in (Presence.PLAIN, Presence.NULLABLE)


@st.composite
def made_fields(draw: st.DrawFn) -> list[MadeField]:
    names = draw(
        st.lists(st.from_regex(r"[a-z][a-zA-Z]{0,8}", fullmatch=True), min_size=1, max_size=8, unique_by=str.lower)
    )
    numbers = draw(st.lists(st.integers(1, 500), min_size=len(names), max_size=len(names), unique=True))
    fields = []
    for name, number in zip(names, numbers, strict=True):
        kind = draw(st.sampled_from(("scalar", "list", "map", "struct")))
        scalar = draw(st.sampled_from(SCALARS))
        type_ = {"scalar": scalar, "list": f"[]{scalar}", "map": f"map[string]{scalar}", "struct": "Inner"}[kind]
        choices = [Presence.OMIT_EMPTY, Presence.NULLABLE, Presence.OPTIONAL]
        if kind in ("scalar", "struct"):
            choices.append(Presence.PLAIN)
        fields.append(
            MadeField(
                f"f{name}", type_, draw(st.sampled_from(choices)), number, draw(st.sampled_from((None, True, False)))
            )
        )
    return fields


def source(fields: list[MadeField]) -> str:
    body = "".join(field.go for field in fields)
    return (
        f"// +groupName=things.example.com\npackage v1\n\nimport {META}\n\n"
        'type Frobber struct {\n\tmetav1.TypeMeta `json:",inline"`\n'
        '\tmetav1.ObjectMeta `json:"metadata,omitempty" protobuf:"bytes,1000,opt,name=metadata"`\n'
        f'{body}}}\n\ntype Inner struct {{\n\tA string `json:"a" protobuf:"bytes,1,opt,name=a"`\n}}\n'
    )


def imported(folder: Path, fields: list[MadeField]) -> Struct:
    (folder / "go" / "v1").mkdir(parents=True, exist_ok=True)
    (folder / "go" / "go.mod").write_text("module example.com/things\n", encoding="utf-8")
    (folder / "go" / "v1" / "types.go").write_text(source(fields), encoding="utf-8")
    ran = run_import(folder)
    assert not ran.report.has_errors, ran.text
    report = Report()
    api = resolve(load_api(folder / "specs", report), report)
    found = api.types[TypeId("things.example.com", "v1", "Frobber")]
    assert isinstance(found, Struct)
    return found


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(fields=made_fields())
def test_generated_fields_are_in_the_ir(fields: list[MadeField]) -> None:
    with tempfile.TemporaryDirectory() as name:
        found = imported(Path(name), fields)
        said = [
            (f.json_name, str(f.type), f.presence, f.number, f.required)
            for f in found.own_fields
            if f.json_name != "metadata"
        ]
        assert said == [(f.name, f.type, f.presence, f.number, f.is_required) for f in fields]
        before = (Path(name) / "specs" / "things.example.com" / "v1.yaml").read_bytes()
        assert run_import(Path(name)).files["things.example.com/v1.yaml"] == before


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(first=made_fields(), second=made_fields())
def test_incremental_import_equals_fresh_import(first: list[MadeField], second: list[MadeField]) -> None:
    """Existing entries are kept, and new entries are inserted in Go's order."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        holes = imported(folder, first).reserved
        names = {field.name for field in first}
        numbers = {field.number for field in first}
        added = [
            field
            for field in second
            if field.name not in names
            and field.number not in numbers
            and not any(field.number in hole for hole in holes)
        ]  # a number that was omitted is reserved, and stays so
        both = [*first[: len(first) // 2], *added, *first[len(first) // 2 :]]
        found = imported(folder, both)
        assert [field.json_name for field in found.own_fields if field.json_name != "metadata"] == [
            f.name for f in both
        ]
        merged = (folder / "specs" / "things.example.com" / "v1.yaml").read_bytes()
        write_together({folder / "specs" / "things.example.com" / "v1.yaml": b"types: {}\n"})
        imported(folder, both)
        assert (folder / "specs" / "things.example.com" / "v1.yaml").read_bytes() == merged
