"""Go packages as sides of a review."""

from __future__ import annotations

from pathlib import Path

from apigen.inputs.source import Setting
from apigen.ir.surface import Enum, Keyword, TypeName
from apigen.review.changes.comparing import compare
from apigen.review.review import review
from tests.review.sources.things import GROUP, loaded, rejected, struct

DOC = """\
// +groupName=things.example.com
package v1
"""
GO = """\
package v1

// Thing is a thing.
type Spec struct {
	// How many there are.
	// +optional
	// +kubebuilder:validation:Maximum=9
	Size *int32 `json:"size,omitempty" protobuf:"varint,1,opt,name=size"`
	Mode Mode `json:"mode" protobuf:"bytes,2,opt,name=mode"`
}

// +enum
type Mode string

const (
	On  Mode = "On"
	Off Mode = "Off"
)
"""


def write_module(folder: Path, text: str = GO) -> Path:
    """A Go module with one package."""
    package = folder / "v1"
    package.mkdir(parents=True)
    (folder / "go.mod").write_text("module example.com/api\n\ngo 1.22\n", encoding="utf-8")
    (package / "doc.go").write_text(DOC, encoding="utf-8")
    (package / "types.go").write_text(text, encoding="utf-8")
    return folder


def test_package_is_read_with_source_locations(tmp_path: Path) -> None:
    write_module(tmp_path / "api")
    surface = loaded("api", Setting(tmp_path))
    spec = struct(surface, "Spec")
    assert surface.form == "go"
    assert (str(spec.place.file), spec.place.line) == ("api/v1/types.go", 4)
    size = spec.fields["size"]
    assert size.place.line == 8
    assert size.slot.constraints[Keyword.MAXIMUM].place == size.place
    mode = surface.type(TypeName(GROUP, "v1", "Mode"))
    assert isinstance(mode, Enum) and mode.values["Off"].place.line == 17


def test_docs_are_included(tmp_path: Path) -> None:
    write_module(tmp_path / "api")
    assert struct(loaded("api", Setting(tmp_path)), "Spec").fields["size"].slot.doc == "How many there are."


def test_only_parts_of_the_api_are_listed_as_not_reviewed(tmp_path: Path) -> None:
    field = (
        '\t// +k8s:opaqueType\n\tOther int32 `json:"other"`\n\thidden string\n\tLocal string `json:"-"`\n}\n\n// +enum'
    )
    text = GO.replace("}\n\n// +enum", field).replace("type Spec", "// +k8s:deepcopy-gen=true\ntype Spec")
    write_module(tmp_path / "api", text + "\ntype Getter interface{}\n\nconst Plain = 1\n")
    assert [each.message for each in loaded("api", Setting(tmp_path)).unread] == [
        f"{GROUP}/v1.Spec.other: +k8s:opaqueType: the spec language does not support it"
    ]


def test_two_packages_are_compared(tmp_path: Path) -> None:
    write_module(tmp_path / "old")
    write_module(tmp_path / "new", GO.replace('Off Mode = "Off"', 'Off Mode = "Out"'))
    changes = compare(*(loaded(side, Setting(tmp_path)) for side in ("old", "new")))
    assert [str(change.element).rpartition(".")[2] for change in changes] == ["Out", "Off"]


def test_fields_without_numbers_move_into_an_embedded_struct(tmp_path: Path) -> None:
    """In JSON, an embedded struct is its fields."""
    write_module(tmp_path / "old", 'package v1\n\ntype Spec struct {\n\tName string `json:"name"`\n}\n')
    embedded = 'package v1\n\ntype Spec struct {\n\tNamed `json:",inline"`\n}\n\ntype Named struct {\n\tName string `json:"name"`\n}\n'
    write_module(tmp_path / "new", embedded)
    found = review(*(loaded(side, Setting(tmp_path)) for side in ("old", "new")))
    assert not [each.rule for each in found.findings if each.severity and each.rule != "type-added"]


def test_folder_without_go_is_rejected(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert rejected("go:empty", Setting(tmp_path)).code == "AG1407"


def test_invalid_go_is_an_error_with_its_location(tmp_path: Path) -> None:
    write_module(tmp_path / "api", "package v1\n\ntype Spec struct {\n")
    assert str(rejected("api", Setting(tmp_path)).place).startswith("api/v1/types.go")
