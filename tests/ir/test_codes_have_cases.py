"""Every code of this stage has a case with its exact text, line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics.codes import code_infos

CASES = Path(__file__).parents[1] / "diagnostics/cases"
OF_LOCK_FILES = {"AG0490", "AG0491"}


@pytest.fixture(scope="module")
def texts() -> str:
    return "".join(path.read_text(encoding="utf-8") for path in sorted(CASES.glob("*/expected.txt")))


@pytest.mark.parametrize(
    "code", [code for code in code_infos() if code[:4] in ("AG03", "AG04", "AG05") and code not in OF_LOCK_FILES]
)
def test_a_code_has_a_case(code: str, texts: str) -> None:
    assert f"error {code}: " in texts
