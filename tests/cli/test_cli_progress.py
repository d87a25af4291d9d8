"""Progress: on a terminal only, and only when a run takes long."""

from __future__ import annotations

import io

import pytest

from apigen.cli.terminal import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_long_run_shows_its_step_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apigen.cli.terminal.PATIENCE", 0.0)
    terminal = Terminal()
    shown = Progress(terminal)
    shown("reading the specs")
    shown("generating types")
    shown.clear()
    shown.clear()
    assert terminal.getvalue() == "\r\x1b[Kreading the specs …\r\x1b[Kgenerating types …\r\x1b[K"


def test_short_run_shows_no_progress() -> None:
    terminal = Terminal()
    shown = Progress(terminal)
    shown("reading the specs")
    shown.clear()
    assert terminal.getvalue() == ""


def test_progress_is_not_written_to_a_non_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apigen.cli.terminal.PATIENCE", 0.0)
    stream = io.StringIO()
    Progress(stream)("reading the specs")
    assert stream.getvalue() == ""
