"""Which patterns `re` runs: those that are proven to take linear time there, written for `re`."""

from __future__ import annotations

import re
import warnings
from random import Random

import pytest

from apigen.ir.patterns import matches, pattern_fix, pattern_problem, python_pattern
from apigen.runtime.patterns import Pattern, PatternError
from tests.effort import within
from tests.patterns.random_patterns import SIMPLE, VALID, random_pattern, random_text
from tests.patterns.record import HOSTILE
from tests.patterns.test_vectors import INVALID

WRITTEN = {
    "^[a-z]+$": r"^[a-z]+\Z",
    "[a-z]+": "[a-z]+",
    r"\.com$": r"\.com\Z",
    r"^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$": r"^[0-9a-z](?:[-0-9a-z]{0,61}[0-9a-z])?\Z",
    r"^(\d+\.)*\d+$": r"^(?:\d+\.)*\d+\Z",
    r"^([^:\s]+)://[\w.-]+$": r"^[^\t\n\f\r :]+://[-\w.]+\Z",
    "(?i)^k$": r"^[Kk\u212a]\Z",
    r"(?m)^a$|\bb\B": r"(?m:^)a(?m:$)|\bb(?!\b)",
    "^(?s:a.b)$": r"^a(?s:.)b\Z",
    r"^[\]^&~|[-]x$": r"^[-\&\[\]\^\|\~]x\Z",
    "^[^\\x00-\\x{10FFFF}]$": r"^(?!)\Z",
    r"^\Q.*\E[é\x{200b}]??$": r"^\.\*[é\u200b]??\Z",
}


@pytest.mark.parametrize(("pattern", "written"), WRITTEN.items())
def test_linear_pattern_is_written_for_re(pattern: str, written: str) -> None:
    assert python_pattern(pattern) == written


NOT_PROVEN = (
    *(p for p in HOSTILE if p != "^(a|a)*$"),
    *("[a-z]+$", "[a-z]+x", "^.*foo.*$", "^a*a*$", "^(.+):(.+)$", "^[a-z]*[0-9]*[a-z]*$", "(a?){30}a{30}"),
    *("^(a*)*$", "^(|a)+$", "^(a?){2,}$", "^a?a?a?a?a?a?a?a?a?aaaaaaaaa$", "^\\pL+$", "(" * 50 + "a" + ")" * 50),
    "^" + "[a-z]{1,100}[a-z]{1,100}" * 2 + "$",
)


@pytest.mark.parametrize("pattern", NOT_PROVEN)
def test_unproven_pattern_uses_the_matcher(pattern: str) -> None:
    assert pattern_problem(pattern) is None
    assert python_pattern(pattern) is None


def test_adjacent_alternatives_of_one_character_are_one_set() -> None:
    assert python_pattern("^(a|a)*$") == r"^(?:a)*\Z"


@pytest.mark.slow
def test_random_proven_patterns_agree_with_the_matcher() -> None:
    random, proven = Random(3), 0
    for _ in range(1500):
        pattern = random_pattern(random, 3, (*SIMPLE, *VALID))
        if pattern_problem(pattern) is not None:
            continue
        written = python_pattern(pattern)
        if written is None:
            continue
        proven += 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(written, re.ASCII)
        other = Pattern(pattern)
        for text in ("", "\n", *(random_text(random) for _ in range(4))):
            assert (compiled.search(text) is not None) == other.matches(text), (pattern, written, text)
    assert proven > 500


@pytest.mark.parametrize(
    "pattern",
    [
        "^" + "(a|b|c|d)?" * 300 + "$",
        "|".join(f"(x{n}y)+" for n in range(300)),
        "^(" + "|".join(chr(0x4E00 + 2 * n) + "x" for n in range(900)) + ")+$",
        "(" + "[a-f]{1,20}" * 60 + ")",
        "(?i)^[\\pL\\d]{1,63}(\\.[\\p{Greek}\\PL]{1,63})*$",
    ],
    ids=["optional groups", "alternatives", "large alphabet", "nested counts", "large character sets"],
)
def test_proof_takes_bounded_work(pattern: str) -> None:
    with within(500_000):
        python_pattern(pattern)


def test_default_is_matched_unless_that_takes_too_long() -> None:
    assert matches("^(a|aa)+$", "a" * 1000) is True
    assert matches("^(a|aa)+$", "a" * 1000 + "!") is False
    assert matches("(?:a{1000}){1}" * 60, "a") is None
    assert matches("a{1000}$", "a" * 10_000) is None


def test_every_problem_has_a_fix() -> None:
    for problem in {row[1] for row in INVALID}:
        assert pattern_fix(PatternError(problem))
