"""The command prints its sections, and its exit code says whether anything is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kubernetes.evolution import __main__ as command
from tests.kubernetes.evolution.registry import SECTIONS
from tests.kubernetes.evolution.section import Report, Section

RANDOMIZED = {
    "right": Section("What is right", lambda folder: Report((f"all in {folder.name}",))),
    "wrong": Section("What is wrong", lambda _: Report(("1 of 2",), ("a record differs",))),
}


@pytest.fixture(autouse=True)
def _randomized(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "BUILD", tmp_path / "built")
    monkeypatch.setattr(command, "SECTIONS", RANDOMIZED)


@pytest.mark.parametrize(("sections", "code"), [(["right"], 0), (["wrong"], 1), (["wrong", "right"], 1), ([], 1)])
def test_exit_code_reports_failures(sections: list[str], code: int) -> None:
    assert command.main(sections) == code


def test_printed_sections(capsys: pytest.CaptureFixture[str]) -> None:
    command.main([])
    assert capsys.readouterr().out.splitlines() == [
        "What is right",
        "  all in built",
        "",
        "What is wrong",
        "  1 of 2",
        "  WRONG: a record differs",
    ]


def test_unknown_section_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        command.main(["rihgt"])
    assert exit_.value.code == 2
    assert "there is no section rihgt; there are right, wrong" in capsys.readouterr().err


def test_all_parts_have_a_section() -> None:
    assert list(SECTIONS) == ["gates", "lifecycles", "strategies"]
