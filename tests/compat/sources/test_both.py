"""Both sides of a comparison, loaded at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.compat.sources import both
from apigen.compat.sources.source import Setting
from apigen.compat.surface.surface import Surface
from apigen.diagnostics import Report


def test_what_fails_in_the_other_process_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def load(said: str, setting: Setting, report: Report) -> Surface | None:
        if said == "new":
            raise ZeroDivisionError(said)
        return None

    monkeypatch.setattr(both, "load", load)
    with pytest.raises(ZeroDivisionError):
        both.load_both("old", "new", Setting(tmp_path), Report(), processes=2)
    assert capfd.readouterr().err == ""
