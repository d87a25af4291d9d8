"""Progress: on a terminal only, and only when a run takes long."""

from __future__ import annotations

import io

import pytest

from apigen.cli import progress
from apigen.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_run_on_a_terminal_tells_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    terminal = Terminal()
    shown = Progress(terminal)
    shown("reading the specs")
    shown("generating types")
    shown.clear()
    shown.clear()
    assert terminal.getvalue() == "\r\x1b[Kreading the specs …\r\x1b[Kgenerating types …\r\x1b[K"


def test_a_short_run_tells_nothing() -> None:
    terminal = Terminal()
    shown = Progress(terminal)
    shown("reading the specs")
    shown.clear()
    assert terminal.getvalue() == ""


def test_what_is_no_terminal_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    stream = io.StringIO()
    Progress(stream)("reading the specs")
    assert stream.getvalue() == ""
