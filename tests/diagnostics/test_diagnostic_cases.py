"""Each folder of `cases/` holds `specs/` and the exact text of its diagnostics, `expected.txt`.

`APIGEN_UPDATE=1` writes what comes out now. Inputs that cannot lie in a repository are made by `made_inputs`.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from apigen.diagnostics.printers import PRINTERS
from tests.diagnostics.harness import check_specs
from tests.diagnostics.made_inputs import MADE

CASES = Path(__file__).parent / "cases"
NAMES = sorted(folder.name for folder in CASES.iterdir() if folder.is_dir())


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = CASES / name
    if name in MADE:
        folder = tmp_path / name
        shutil.copytree(CASES / name, folder)
        MADE[name](folder / "specs", monkeypatch)
    text = PRINTERS["text"](check_specs(folder / "specs", folder).diagnostics)
    expected = CASES / name / "expected.txt"
    if os.environ.get("APIGEN_UPDATE"):
        expected.write_text(text, encoding="utf-8")
    assert text == expected.read_text(encoding="utf-8")


def test_every_generated_input_has_a_case() -> None:
    assert set(MADE) <= set(NAMES)
