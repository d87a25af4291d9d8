"""Patterns take linear time, counted in lines of Python, and bounded memory, whatever pattern and text are."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.ir.patterns import pattern_problem
from apigen.runtime import patterns
from apigen.runtime.cel import find_cel
from apigen.runtime.pattern_syntax import PatternError
from apigen.runtime.patterns import MOST_CACHED, Pattern, pattern
from tests.effort import lines_of
from tests.patterns.random_patterns import SIMPLE, random_pattern
from tests.patterns.record import HOSTILE

TEXTS = ("a", "a-", "xy", "aaaab")


def growth(work: Callable[[int], object], size: int) -> float:
    """How much more the second doubling of the size adds than the first one: 2 if linear, 4 if quadratic."""
    work(4 * size)  # reads tables and fills caches
    small, medium, large = (lines_of(lambda n=n: work(n)) for n in (size, 2 * size, 4 * size))
    return (large - medium) / max(medium - small, size // 4)


@pytest.mark.parametrize("written", HOSTILE)
@pytest.mark.parametrize("unit", TEXTS)
@pytest.mark.parametrize("end", ["", "!"])
def test_matching_is_linear_in_the_text(written: str, unit: str, end: str) -> None:
    assert growth(lambda n: Pattern(written).matches(unit * n + end), 100) < 2.6
    assert growth(lambda n: Pattern(written).find_all(unit * n + end), 100) < 2.6


@pytest.mark.parametrize("seed", range(25))
def test_matching_of_random_patterns_is_linear(seed: int) -> None:
    random = Random(seed)
    written = random_pattern(random, 4, SIMPLE)
    while pattern_problem(written):
        written = random_pattern(random, 4, SIMPLE)
    unit = "".join(random.choice("aabc1 \n") for _ in range(random.randint(1, 4)))
    assert growth(lambda n: Pattern(written).find_all(unit * n), 100) < 2.6, (written, unit)
    assert growth(lambda n: Pattern(written).matches(unit * n), 100) < 2.6, (written, unit)


@pytest.mark.parametrize("expression", ["self.t.find(self.p) == ''", "self.t.findAll(self.p) == []"])
def test_dynamic_pattern_of_cel_is_linear(expression: str) -> None:
    cel = find_cel()
    assert cel is not None
    program = cel.compile(expression, variables=("self",))
    for written in HOSTILE:
        assert growth(lambda n: program.evaluate({"self": {"t": "a" * n + "!", "p": written}}), 200) < 2.6  # noqa: B023


PARTS = (
    "(",
    "(?:",
    "a",
    "a|",
    "(?:b|",
    "(?:b*",
    "[",
    "[a",
    "[[:",
    "\\Q",
    "(?P<",
    "\\pL",
    "(?i)\\pL",
    "{",
    "a{1,2}",
    "\\",
)


@pytest.mark.slow
@pytest.mark.parametrize("part", PARTS)
def test_parsing_is_linear_in_the_pattern(part: str) -> None:
    def work(n: int) -> None:
        for ends in ("", ")" * n):
            with suppress(PatternError):
                Pattern(part * n + ends)

    work(1)  # reads the tables
    assert growth(work, 300) < 2.6


@pytest.mark.slow
def test_work_for_a_character_is_linear_in_the_pattern() -> None:
    """Each character is another state: `(a|b)*a(a|b){n}` has 2^n of them."""
    random = Random(1)
    text = "".join(random.choice("ab") for _ in range(2_000))

    def work(n: int) -> None:
        Pattern(f"(a|b)*a(a|b){{{n}}}c").matches(text)

    assert growth(work, 25) < 2.6


def size_of(state: Any) -> int:
    return len(state) + len(state.cells) + len(state.results)


def test_states_of_a_matcher_are_bounded() -> None:
    random = Random(2)
    text = "".join(random.choice("ab") for _ in range(20_000))
    compiled = Pattern("(a|b)*a(a|b){12}c")
    assert not compiled.matches(text)
    assert compiled.find_all(text) == []
    gc.collect()
    states = [each for each in gc.get_objects() if isinstance(each, patterns._State)]
    assert sum(size_of(state) for state in states if state.automaton.program is compiled._program) < 60_000


def test_cache_is_bounded_in_number_and_size() -> None:
    for number in range(3 * MOST_CACHED):
        pattern(f"cached{number}")
    assert len(patterns._cache) == MOST_CACHED
    last = f"cached{3 * MOST_CACHED - 1}"
    assert pattern(last) is pattern(last)
    for large in ("a{1000}b{1000}c{1000}d{1000}e{1000}", "a" * 5_000, f"[{'ab' * 5_000}]"):
        assert pattern(large) is not pattern(large)
    with pytest.raises(PatternError):
        pattern("(")
    assert "(" not in patterns._cache


def test_cache_drops_the_pattern_that_was_used_least_recently() -> None:
    first = pattern("first")
    for number in range(MOST_CACHED - 1):
        pattern(f"other{number}")
    assert pattern("first") is first
    pattern("one more")
    assert pattern("first") is first


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="()[]{}|*+?.^$\\abAB019,:-PpLQE<>=!imsU\n é\u212a", max_size=40), st.text(max_size=20))
def test_any_pattern_is_rejected_or_matches_consistently(written: str, text: str) -> None:
    problem = pattern_problem(written)
    if problem is not None:
        assert 0 <= problem.offset <= len(written)
        return
    compiled = Pattern(written)
    spans = list(compiled.spans(text))
    assert compiled.matches(text) == bool(spans)
    assert spans == sorted(spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
