"""Hand-written functions of removed versions and groups are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import apigen, new_project

FUNCTION = "def widget_to_hub(source, generated):\n    return generated(source)\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_project(tmp_path)


def add_functions(project: Path, folder: str, name: str = "conversions.py") -> None:
    path = project / "handwritten" / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(FUNCTION)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["example_com/v1alpha1", "gone_example_com/v1"])
def test_functions_of_removed_elements_are_reported(project: Path, folder: str) -> None:
    add_functions(project, folder)
    assert apigen(project, "generate").code == 0
    for words in (("lint",), ("generate", "--format", "json"), ("verify", "--format", "json")):
        ran = apigen(project, *words)
        assert "AG0806" in ran.out
        assert f"handwritten/{folder}/conversions.py" in ran.out
        assert f"git rm -r handwritten/{folder}" in ran.out
        assert ran.code == 0
    for command in ("generate", "verify"):
        assert "1 warning; `apigen lint` prints them" in apigen(project, command).err
    spec = project / "api-specs/example.com/v1.yaml"  # a build of what an edit reaches does not forget it
    spec.write_text(spec.read_text() + "\n# edited\n")
    assert "AG0806" in apigen(project, "generate", "--format", "json").out


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("example_com/v1", "conversions.py"),
        ("example_com/common", "conversions.py"),
        ("example_com/v1alpha1", "notes.md"),
        ("common/v1", "helpers.py"),
        ("core/v1", "conversions.py"),  # for types of Kubernetes that a project may select later
    ],
)
def test_other_folders_are_not_reported(project: Path, folder: str, name: str) -> None:
    add_functions(project, folder, name)
    assert "AG0806" not in apigen(project, "lint").out


def test_tombstone_of_the_version_is_shown(project: Path) -> None:
    header = project / "api-specs/example.com/group.yaml"
    header.write_text(header.read_text() + 'tombstones:\n  versions: {v1alpha1: {removed: "1.0"}}\n')
    add_functions(project, "example_com/v1alpha1")
    assert "`v1alpha1` was removed here" in apigen(project, "lint").out
