"""Every row of the union table of compatibility rules is handled by a rule, or omitted with a reason."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
from pathlib import Path

import pytest

from apigen.review.rules.registry import RULES
from tests.review import union_table

TABLE = Path(__file__).resolve().parents[4] / "shared/research/compatibility-tools.md"
PARTS = [
    importlib.import_module(f"{union_table.__name__}.{module.name}")
    for module in pkgutil.iter_modules(union_table.__path__)
    if not module.name.startswith("test_")
]


def rows() -> list[str]:
    """The first cells of the tables of §21."""
    text = TABLE.read_text(encoding="utf-8")
    section = text[text.index("\n## 21. ") : text.index("\n### 21.13 ")]
    cells = re.findall(r"^\| (.+?) \|", section, flags=re.MULTILINE)
    return [cell for cell in cells if cell not in ("Rule", "---")]


def said() -> dict[str, tuple[str, ...] | str]:
    """By row: the rules that handle it, or the reason why it is omitted."""
    found: dict[str, tuple[str, ...] | str] = {}
    for part in PARTS:
        for row, what in (*part.ROWS.items(), *part.LEFT_OUT.items()):
            assert row not in found, f"{row} is listed twice"
            found[row] = what
    return found


@pytest.mark.skipif(not TABLE.exists(), reason="the union table is in ../shared")
def test_every_row_is_classified() -> None:
    table = rows()
    assert len(table) == 161
    assert set(said()) == set(table)


def test_named_rules_exist() -> None:
    known = {rule.id for rule in RULES}
    named = {rule for what in said().values() if isinstance(what, tuple) for rule in what}
    assert named <= known
    assert "APIGEN_NO_SKIPS" not in os.environ or TABLE.exists()


def test_reasons_are_not_empty() -> None:
    assert all(len(what) > 20 for what in said().values() if isinstance(what, str))
