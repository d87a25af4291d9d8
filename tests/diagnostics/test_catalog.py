"""Every code that the source reports is explained, and every explained code is reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import apigen
from apigen.diagnostics.catalog import CATALOG, CodeInfo, code_info, explanation

SOURCE = Path(apigen.__file__).parent
CODES = [info.code for info in CATALOG]


def used_codes() -> set[str]:
    files = (path for path in SOURCE.rglob("*.py") if "catalog" not in path.parts)
    return {code for path in files for code in re.findall(r'"(AG\d{4})"', path.read_text(encoding="utf-8"))}


def test_codes_used_and_codes_explained_are_the_same() -> None:
    assert used_codes() == set(CODES)


def test_codes_are_in_order_and_there_once() -> None:
    assert sorted(set(CODES)) == CODES


@pytest.mark.parametrize("info", CATALOG, ids=CODES)
def test_a_code_has_a_title_a_story_and_an_example(info: CodeInfo) -> None:
    assert info.title
    assert not info.title.endswith(".")
    assert info.explanation.strip().endswith((".", "`"))
    assert info.example.strip()


def test_codes_are_found_in_small_letters_too() -> None:
    assert code_info("ag0101") is CATALOG[0]
    assert code_info("AG9999") is None


def test_explanation() -> None:
    text = explanation("AG0111")
    assert text is not None
    assert text.startswith("AG0111: a key is written twice\n\nA mapping has each key once.")
    assert text.endswith("Example:\n\n    width: {type: int32}\n    width: {type: int64}\n")
    assert explanation("nothing") is None
