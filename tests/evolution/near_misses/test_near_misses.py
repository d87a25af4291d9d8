"""Steps that look like wrong ones, and that the policy allows: `lint` has nothing to say.

Each file is a step, as in `wrong_steps`: `step`, `base`, `after` and `edits`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics.printers.text import render
from apigen.language.releases import parse_release
from tests.evolution.editing import apply_all, edits_of
from tests.evolution.recording import Bases, copied, lint
from tests.yaml_files import read_yaml

CASES = sorted(Path(__file__).parent.glob("*.yaml"))


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_the_step_is_allowed(file: Path, bases: Bases, tmp_path: Path) -> None:
    case = read_yaml(file.read_text(encoding="utf-8"))
    original = bases.folder(case.get("base", "gadgets"), parse_release(case["after"]))
    specs = copied(original, tmp_path / "api-specs")
    apply_all(edits_of(case["edits"]), specs, original)
    found = lint(specs).diagnostics
    assert not found, render(found)
