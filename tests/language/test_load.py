"""Loading a spec folder: the worked examples, and what the model says of parts that could not be read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.language.load import load_api
from apigen.language.model import ApiSpec, Broken
from tests.language.reading import GROUP, load, write_group

EXAMPLES = Path(__file__).parent / "examples"


def load_broken(folder: Path, **files: str) -> ApiSpec:
    report = Report()
    spec = load_api(write_group(folder, **files), report, display_root=folder)
    assert report.has_errors
    return spec


def test_the_worked_examples() -> None:
    report = Report()
    spec = load_api(EXAMPLES, report, display_root=EXAMPLES)
    assert report.diagnostics == ()
    assert spec.broken == Broken()
    assert [group.folder for group in spec.groups] == sorted(path.parent.name for path in EXAMPLES.glob("*/group.yaml"))
    assert len(spec.features) == 5
    core = next(group for group in spec.groups if group.folder == "core")
    assert core.group == ""


def test_order_of_fields_is_kept(tmp_path: Path) -> None:
    types = load(tmp_path, v1="types: {B: {fields: {z: {type: A}, a: {type: A}}}, A: {is: string}}\n").groups[0]
    assert [type_.name for type_ in types.version_files[0].types] == ["B", "A"]
    assert [field.name for field in types.version_files[0].types[0].fields] == ["z", "a"]


def test_groups_are_found_in_nested_folders(tmp_path: Path) -> None:
    for name in ("b/two", "a/deep/er/one"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "group.yaml").write_text("group: g\nversions: {}\n")
    report = Report()
    assert [group.folder for group in load_api(tmp_path, report).groups] == ["one", "two"]
    assert report.diagnostics == ()


def test_locations_are_relative_to_display_root_or_working_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_group(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert load_api(root, Report()).groups[0].place.file == "specs/things.example.com/group.yaml"
    assert load_api(root, Report(), display_root=root).groups[0].place.file == "things.example.com/group.yaml"
    outside = load_api(root, Report(), display_root=root / "things.example.com/no").groups[0].place.file
    assert outside == str(root / "things.example.com/group.yaml")


def test_links_within_the_spec_folder_are_followed(tmp_path: Path) -> None:
    root = write_group(tmp_path)
    (root / "things.example.com/v1.yaml").rename(root / "things.example.com/.v1")
    (root / "things.example.com/v1.yaml").symlink_to(".v1")
    report = Report()
    assert len(load_api(root, report).groups[0].version_files) == 1
    assert report.diagnostics == ()


BREAKS: list[tuple[str, dict[str, str], Callable[[Broken], bool]]] = [
    ("a file", {"v1": "types: ["}, lambda b: b.file("things.example.com", "v1")),
    ("hub.yaml", {"hub": "5"}, lambda b: b.file("things.example.com", "hub")),
    ("group.yaml", {"group": "["}, lambda b: b.group("things.example.com")),
    ("the header", {"group": GROUP + "hug: v1\n"}, lambda b: b.header("things.example.com")),
    ("a version", {"group": "group: g\nversions: {v1: 5}\n"}, lambda b: b.version("things.example.com", "v1")),
    ("a kind", {"group": GROUP + "kinds: {A: {plural: 5}}\n"}, lambda b: b.kind("things.example.com", "A")),
    ("a lock", {"v1.lock": "{}"}, lambda b: b.lock("things.example.com", "v1")),
    ("a type", {"v1": "types: {A: 5}"}, lambda b: b.type("things.example.com", "v1", "A")),
    ("a type's part", {"v1": "types: {A: {is: b, doc: 5}}"}, lambda b: b.type("things.example.com", "v1", "A")),
    (
        "a field",
        {"v1": "types: {A: {fields: {a: {type: b, doc: 5}}}}"},
        lambda b: b.members("things.example.com", "v1", "A") == {"a"},
    ),
    (
        "a field written twice",
        {"v1": "types: {A: {fields: {a: {type: b}, a: {type: c}}}}"},
        lambda b: b.member("things.example.com", "v1", "A", "a") and not b.type("things.example.com", "v1", "A"),
    ),
    (
        "a value",
        {"v1": "types: {A: {enum: {a: {doc: 5}}}}"},
        lambda b: b.member("things.example.com", "v1", "A", "a") and not b.type("things.example.com", "v1", "A"),
    ),
]


@pytest.mark.parametrize(("files", "is_named"), [row[1:] for row in BREAKS], ids=[row[0] for row in BREAKS])
def test_broken_elements_are_recorded(
    tmp_path: Path, files: dict[str, str], is_named: Callable[[Broken], bool]
) -> None:
    broken = load_broken(tmp_path, **files).broken
    assert is_named(broken)
    assert len(broken.names) == 1


def test_any_gate_is_accepted_if_features_file_is_broken(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs/features.yaml").write_text("[]")
    assert load_broken(tmp_path).broken.gate("Anything")


def test_only_unreadable_elements_are_omitted(tmp_path: Path) -> None:
    text = "types: {A: {fields: {a: {type: 5}, b: {type: c, default: {x: 1}, doc: d}}}, B: 5, C: {is: string}}"
    (file,) = load_broken(tmp_path, v1=text).groups[0].version_files
    assert [type_.name for type_ in file.types] == ["A", "C"]
    (field,) = file.types[0].fields
    assert (field.name, field.default, field.doc and field.doc.value) == ("b", (), "d")


def test_versions_are_read_if_group_yaml_is_broken(tmp_path: Path) -> None:
    report = Report()
    load_api(write_group(tmp_path, group="[", v1="types: 5", v2="types: 6"), report, display_root=tmp_path)
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["AG0110", "AG0202", "AG0202"]
