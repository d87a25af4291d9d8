"""Acceptance, matches and positions are those of Go, as recorded in `vectors.jsonl`."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import Any

import pytest

from apigen.ir.patterns import pattern_problem, python_pattern
from apigen.runtime.patterns import Pattern, PatternError
from tests.patterns.record import VECTORS

ROWS: list[list[Any]] = [
    json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]
VALID = [row for row in ROWS if isinstance(row[1], list)]
INVALID = [row for row in ROWS if isinstance(row[1], str)]


def test_vectors_cover_all_problems_and_many_matches() -> None:
    problems = {problem: len(list(rows)) for problem, rows in groupby(sorted(row[1] for row in INVALID))}
    assert set(problems) == {
        "expression nests too deeply",
        "expression too large",
        "invalid character class range",
        "invalid escape sequence",
        "invalid named capture",
        "invalid nested repetition operator",
        "invalid or unsupported Perl syntax",
        "invalid repeat count",
        "missing argument to repetition operator",
        "missing closing )",
        "missing closing ]",
        "trailing backslash at end of expression",
        "unexpected )",
    }
    assert len(VALID) > 1000
    assert sum(bool(spans) for _, answers in VALID for _, spans in answers) > 2000


@pytest.mark.slow
def test_valid_pattern_has_matches_of_go() -> None:
    for pattern, answers in VALID:
        compiled = Pattern(pattern)
        for text, spans in answers:
            assert [list(span) for span in compiled.spans(text)] == spans, (pattern, text)
            assert compiled.matches(text) == bool(spans), (pattern, text)
            assert compiled.find_all(text) == [text[start:end] for start, end in spans]
            assert compiled.find_all(text, 1) == [compiled.find(text)] * bool(spans)


def test_invalid_pattern_is_rejected_with_problem_of_go() -> None:
    for pattern, problem in INVALID:
        with pytest.raises(PatternError) as error:
            Pattern(pattern)
        assert str(error.value).partition(": `")[0] == problem, pattern
        assert 0 <= error.value.offset <= len(pattern)
        assert pattern_problem(pattern) is not None


@pytest.mark.slow
def test_proven_pattern_has_results_of_go_in_re() -> None:
    proven = 0
    for pattern, answers in VALID:
        written = python_pattern(pattern) if len(pattern) < 200 else None
        if written is not None:
            proven += 1
            compiled = re.compile(written, re.ASCII)
            for text, spans in answers:
                assert (compiled.search(text) is not None) == bool(spans), (pattern, written, text)
    assert proven > len(VALID) // 2


def test_lone_surrogate_in_pattern_is_invalid_utf8() -> None:
    with pytest.raises(PatternError, match="invalid UTF-8") as error:
        Pattern("ab\ud800")
    assert error.value.offset == 2


@pytest.mark.parametrize("name", ["Old_Italic", "olditalic", "Anatolian_Hieroglyphs"])
def test_script_of_two_words_is_found_as_in_re2_and_older_go(name: str) -> None:
    assert Pattern(f"^\\p{{{name}}}$").matches("\U00010300" if "talic" in name.lower() else "\U00014400")
