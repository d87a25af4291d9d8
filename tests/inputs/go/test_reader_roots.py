"""Folders, import paths, and what a read gives of several roots."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.inputs.go import roots
from apigen.inputs.go.packages import read_packages
from apigen.inputs.go.roots import GoRoot, module_path, root_of, versioned_packages
from tests.inputs.go.reading import codes, write


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("module example.com/a\n", "example.com/a"),
        ("// a remark\n\nmodule example.com/a // another\n\ngo 1.24\n", "example.com/a"),
        ('module "example.com/a"\n', "example.com/a"),
        ("module `example.com/a`\n", "example.com/a"),
        ("\tmodule example.com/a\r\n", "example.com/a"),
        ("go 1.24\n", None),
        ("module example.com/a b\n", None),
    ],
)
def test_module_path(text: str, path: str | None, tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": text, "deep/down/x.go": "package down\n"})
    assert module_path(tmp_path) == path
    assert module_path(tmp_path / "deep/down") == (None if path is None else f"{path}/deep/down")


def test_a_root_within_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"m/go.mod": "module example.com/m\n", "m/apis/v1/types.go": "package v1\n\ntype A struct{}\n"})
    monkeypatch.chdir(tmp_path)
    report = Report()
    root = root_of(Path("m/apis"), report)
    assert root == GoRoot(tmp_path / "m/apis", "example.com/m/apis", "m/apis")
    (package,) = read_packages([root], report)
    assert package.path == "example.com/m/apis/v1"
    assert str(package.types[0].place) == "m/apis/v1/types.go:3:6"
    assert not report.diagnostics


def test_the_folder_of_a_package_is_a_root(tmp_path: Path) -> None:
    write(tmp_path, {"go.mod": "module example.com/m\n", "v1beta2/types.go": "package v1beta2\n\ntype A struct{}\n"})
    report = Report()
    root = root_of(tmp_path / "v1beta2", report)
    assert root is not None
    assert [package.version for package in read_packages([root], report)] == ["v1beta2"]


def test_explicit_module_path(tmp_path: Path) -> None:
    write(tmp_path, {"v1/types.go": "package v1\n\ntype A struct{}\n"})
    report = Report()
    root = root_of(tmp_path, report, path="example.com/told", display_path="here")
    assert root is not None
    (package,) = read_packages([root], report)
    assert (package.path, str(package.types[0].place)) == ("example.com/told/v1", "here/v1/types.go:3:6")


def test_no_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(path: Path, most: int) -> bytes:
        raise FileNotFoundError(path)

    monkeypatch.setattr(roots, "read_regular", missing)
    report = Report()
    assert root_of(tmp_path, report) is None
    assert codes(report) == ["AG1206"]


def test_no_folder(tmp_path: Path) -> None:
    report = Report()
    assert root_of(tmp_path / "nowhere", report) is None
    (tmp_path / "file").write_text("")
    assert root_of(tmp_path / "file", report) is None
    assert sorted(codes(report)) == ["AG0101", "AG0103"]


def test_module_root_is_not_a_version(tmp_path: Path) -> None:
    """`example.com/m/v2` is the second major version of a module, not of an API."""
    write(tmp_path, {"go.mod": "module example.com/m/v2\n", "a.go": "package m\n", "v1/a.go": "package v1\n"})
    root = root_of(tmp_path, Report())
    assert root is not None
    assert versioned_packages(root, Report()) == ["example.com/m/v2/v1"]


def test_number_of_folders_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {f"v{number}/a.go": f"package v{number}\n" for number in range(1, 6)})
    monkeypatch.setattr(roots, "MOST_FOLDERS", 3)
    report = Report()
    assert len(versioned_packages(GoRoot(tmp_path, "m", "m"), report)) == 2
    assert codes(report) == ["AG1203"]


def test_nearest_of_two_roots_is_used(tmp_path: Path) -> None:
    """A module within another, as Kubernetes has them in `staging`."""
    write(
        tmp_path,
        {
            "outer/inner/v1/a.go": "package v1\n\ntype Old struct{}\n",
            "inner/v1/a.go": "package v1\n\ntype New struct{}\n",
        },
    )
    found = [GoRoot(tmp_path / "outer", "m", "outer"), GoRoot(tmp_path / "inner", "m/inner", "inner")]
    packages = read_packages(found, Report())
    assert [(package.path, [type_.go for type_ in package.types]) for package in packages] == [("m/inner/v1", ["New"])]


def test_referenced_types_are_read_transitively(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a/v1/a.go": 'package v1\n\nimport "b/one"\nimport "b/unused"\n\ntype A struct {\n\tB map[one.Key][]*one.B `json:"b"`\n}\n\nvar _ = unused.X\n',
            "b/one/b.go": 'package one\n\nimport "b/two"\n\ntype B struct {\n\tC two.C `json:"c"`\n}\n\ntype Key string\n',
            "b/two/c.go": 'package two\n\nimport "b/three"\n\ntype C string\n\ntype D struct{ E three.E }\n',
            "b/three/e.go": "package three\n\ntype E string\n\ntype broken struct {\n",
            "b/unused/u.go": "package unused\n\nconst X = 1\n",
        },
    )
    report = Report()
    packages = read_packages(
        [GoRoot(tmp_path / "a", "a", "a"), GoRoot(tmp_path / "b", "b", "b", is_reference=True)], report
    )
    assert [(package.path, package.referred) for package in packages] == [
        ("a/v1", False),
        ("b/one", True),
        ("b/two", True),
    ]
    assert not report.diagnostics, "errors in other packages are not reported"


def test_source_lines_are_reported(tmp_path: Path) -> None:
    write(tmp_path, {"v1/a.go": "package v1\n\n// größe\ntype A chan int\r\n"})
    report = Report()
    read_packages([GoRoot(tmp_path, "m", "m")], report)
    (diagnostic,) = report.diagnostics
    assert (diagnostic.code, diagnostic.source_line, str(diagnostic.place)) == (
        "AG1211",
        "type A chan int",
        "m/v1/a.go:4:6",
    )
