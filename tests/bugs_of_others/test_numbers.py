"""Assigned protobuf numbers and names, and their replacements."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.cli.main import main
from tests.bugs_of_others.made import types

CONFIG = '[tool.apigen]\nspecs = "specs"\noutput = "out"\npackage = "out"\n'
GROUP = "group: one.example.com\nversions: {v1: {}}\nkinds: {Thing: {list: false}}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(CONFIG)
    (tmp_path / "specs" / "one").mkdir(parents=True)
    (tmp_path / "specs" / "one" / "group.yaml").write_text(GROUP)
    return tmp_path


def generate(project: Path, text: str) -> int:
    (project / "specs" / "one" / "v1.yaml").write_text(types(text))
    return main(["generate"])


def proto(project: Path) -> str:
    return (project / "out" / "one" / "v1" / "types.proto").read_text()


def test_number_is_never_reused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """go-to-protobuf takes the highest remaining number plus one, which may be one that was just removed."""
    assert generate(project, "Thing: {fields: {a: {type: string}, b: {type: string}, c: {type: string}}}") == 0
    gone = "Thing: {fields: {a: {type: string}, b: {type: string}%s}, tombstones: {c: {reason: unused}}}"
    assert generate(project, gone % "") == 0
    assert generate(project, gone % ", d: {type: string}") == 0
    assert "string d = 4;" in proto(project)
    assert "reserved 3;" in proto(project) and 'reserved "c";' in proto(project)
    capsys.readouterr()
    assert generate(project, gone % ", d: {type: string, protobuf: 3}") == 1
    assert "AG04" in capsys.readouterr().err
    assert generate(project, gone % ", c: {type: int32, protobuf: 9}") == 1, "nor is the name"


def test_gap_in_numbers_has_a_tombstone(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In Kubernetes 92 numbers are missing, and their former fields are unknown."""
    assert generate(project, "Thing: {fields: {a: {type: string}, b: {type: string}}}") == 0
    capsys.readouterr()
    assert generate(project, "Thing: {fields: {a: {type: string}}}") == 1
    shown = capsys.readouterr().err
    assert "`b`" in shown and "tombstones" in shown, "with the tombstone to paste"


def test_two_fields_of_one_number(project: Path) -> None:
    assert generate(project, "Thing: {fields: {a: {type: string, protobuf: 1}, b: {type: string, protobuf: 1}}}") == 1


def test_wrong_invocation_fails_with_a_hint(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There a wrong invocation writes nothing and ends with 0."""
    assert generate(project, "Thing: {fields: {a: {type: string}}}") == 0
    assert main(["generate", "--specs", "nowhere"]) == 3
    (project / "pyproject.toml").write_text(CONFIG + 'groups = ["on"]\n')
    assert main(["generate"]) == 2
    assert "did you mean `one`?" in capsys.readouterr().err
