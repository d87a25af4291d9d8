"""Inclusion of numbers, against all that lie near."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.review.prover.numbers import Bound, Numbers, exact, numbers_included
from apigen.review.prover.result import INCLUDED, Included, NotIncluded, NotProven

_AT = st.none() | st.builds(Bound, st.sampled_from([Fraction(n, 2) for n in range(-8, 9)]), st.booleans())
_FEW = st.frozensets(st.integers(-4, 4).map(Fraction), max_size=3)


@st.composite
def sets(draw: st.DrawFn) -> Numbers:
    """Numbers with a few limits."""
    return Numbers(
        least=draw(_AT),
        most=draw(_AT),
        step=draw(st.none() | st.sampled_from([Fraction(1), Fraction(2), Fraction(3)])),
        is_whole=draw(st.booleans()),
        allowed=draw(st.none() | _FEW),
        excluded=draw(_FEW),
    )


@pytest.mark.slow
@settings(max_examples=600, deadline=None)
@given(sets(), sets())
def test_result_is_correct_for_all_nearby_numbers(one: Numbers, other: Numbers) -> None:
    near = [Fraction(n, 4) for n in range(-80, 81)]
    match numbers_included(one, other):
        case Included():
            assert [number for number in near if one.holds(number) and not other.holds(number)] == []
        case NotIncluded(example):
            assert isinstance(example, int | float)
            assert one.holds(exact(example)) and not other.holds(exact(example))
        case NotProven(reason):
            raise AssertionError(reason)


def test_the_example_is_next_to_the_bound() -> None:
    whole = Numbers(is_whole=True)
    assert numbers_included(whole, Numbers(most=Bound(Fraction(32)))) == NotIncluded(33)
    assert numbers_included(whole, Numbers(least=Bound(Fraction(5), is_open=True))) == NotIncluded(5)
    assert numbers_included(Numbers(is_whole=True, step=Fraction(4)), Numbers(step=Fraction(2))) == INCLUDED
    assert numbers_included(Numbers(is_whole=True, step=Fraction(2)), Numbers(step=Fraction(4))) != INCLUDED


def test_fractions_of_steps_are_not_proven() -> None:
    tenth, fifth = Numbers(step=exact(0.1)), Numbers(step=exact(0.2))
    assert isinstance(numbers_included(fifth, tenth), NotProven)
    assert numbers_included(tenth, tenth) == INCLUDED
    assert isinstance(numbers_included(tenth, fifth), NotIncluded)
