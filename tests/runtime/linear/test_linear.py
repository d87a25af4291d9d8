"""Loops of the runtime take time linear in the input: counted lines at n, 2n and 4n."""

from __future__ import annotations

import pytest

from tests.effort import lines_of

from .hostile import CASES, Case

SIZE = 300
STEPS = 2
"""How often growth may be steeper: where a text gets so long, or so deep, that another parser reads it."""

_SLACK = 1.15
_FEW = 200


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_executed_lines_grow_linearly_with_the_size(name: str) -> None:
    CASES[name](16)()  # what is imported and compiled once
    assert is_linear(CASES[name])


@pytest.mark.slow
def test_quadratic_loop_is_detected() -> None:
    def quadratic(n: int) -> object:
        return lambda: [inner for outer in range(n) for inner in range(outer)]

    assert not is_linear(quadratic)  # type: ignore[arg-type]


def is_linear(case: Case) -> bool:
    """Return whether twice the size adds no more than twice the lines."""
    for times in (SIZE * 2**step for step in range(STEPS + 1)):
        first, second, fourth = (lines_of(case(times * by)) for by in (1, 2, 4))
        if fourth - second <= 2 * _SLACK * max(second - first, 0) + _FEW:
            return True
    return False
