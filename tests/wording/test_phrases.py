"""Texts do not use the phrases of `phrases.yaml`; where some are left, their number may only fall."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.wording.search import counts, kept_counts, pages, search


@pytest.mark.slow(one_in=16)
def test_no_new_phrases() -> None:
    kept = kept_counts()
    exceeded = {name: count for name, count in counts().items() if count > kept.get(name, 0)}
    assert exceeded == {}, "run `python -m tests.wording PATH`"


def test_new_pages_have_no_phrases() -> None:
    kept = kept_counts()
    assert "README.md" not in kept
    assert not [name for name in kept if name.startswith(("docs/cookbook", "docs/comparisons", "docs/explanation"))]
    assert len(pages()) > 40


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("page.md", "The server refuses it.\n\nA finding has a verdict.\n", [1, 3]),
        (
            "page.md",
            "```sh\nthe server refuses it\n```\n`refuses` [text](refused.md) https://example.com/refused\n",
            [],
        ),
        ("page.md", "<!-- table: x | y -->\n| refused |\n<!-- end -->\nIt is refused.\n", [4]),
        (
            "module.py",
            '"""Refuses nothing here."""\nverdict = "verdict"\n# anew\nx = f"{verdict} is refused by it"\n',
            [1, 3, 4],
        ),
        ("page.md", "The server rejects it. Severities are listed.\n", []),
    ],
)
def test_search_finds_phrases_in_prose(tmp_path: Path, name: str, text: str, lines: list[int]) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert [each.line for each in search(path)] == lines
