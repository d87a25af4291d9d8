"""Lines of reports are broken where the standard library breaks them."""

from __future__ import annotations

import random
import textwrap

import pytest

from apigen.review.reports.lines import in_columns, wrapped


@pytest.mark.parametrize("seed", range(20))
def test_diff_lines_match_the_standard_library(seed: int) -> None:
    made = random.Random(seed)
    for _ in range(200):
        words = [
            "ab"[made.randrange(2)] * made.choice((1, 2, 3, 5, 8, 19, 20, 21, 40, 41, 60))
            for _ in range(made.randrange(12))
        ]
        text, room = (
            made.choice(("{}", " {}", "{}  ")).format(made.choice((" ", "  ")).join(words)),
            made.randrange(20, 30),
        )
        lines = textwrap.wrap(text, room, break_on_hyphens=False) or [""]
        assert wrapped(text, "", "", room) == [line.rstrip() for line in lines]


def test_side_by_side_texts_have_lines_of_the_longer_one() -> None:
    assert list(in_columns("- a b", "+ c", 4)) == [("- a ", "+ c"), ("b   ", "")]
