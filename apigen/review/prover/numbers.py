"""Sets of numbers, and whether one contains the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, lcm

from apigen.dataclass import dataclass, replace
from apigen.review.prover.result import INCLUDED, Inclusion, NotIncluded, NotProven

Number = int | float


def exact(number: Number) -> Fraction:
    """Return the exact value of a number as written in decimal."""
    return Fraction(Decimal(str(number)))


@dataclass(frozen=True, slots=True)
class Bound:
    """A bound of a range; `is_open`: the bound itself is excluded."""

    at: Fraction
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Numbers:
    """The numbers between two bounds that are multiples of `step`, integers if `is_whole`, in `allowed` and not in
    `excluded`.
    """

    least: Bound | None = None
    most: Bound | None = None
    step: Fraction | None = None
    is_whole: bool = False
    allowed: frozenset[Fraction] | None = None
    excluded: frozenset[Fraction] = frozenset()

    def holds(self, number: Fraction) -> bool:
        """Return whether the set contains a number."""
        return (
            self.is_above(number)
            and self.is_below(number)
            and (self.step is None or number % self.step == 0)
            and (not self.is_whole or number.denominator == 1)
            and (self.allowed is None or number in self.allowed)
            and number not in self.excluded
        )

    def is_above(self, number: Fraction) -> bool:
        """Return whether a number satisfies the lower bound."""
        least = self.least
        return least is None or (number > least.at if least.is_open else number >= least.at)

    def is_below(self, number: Fraction) -> bool:
        """Return whether a number satisfies the upper bound."""
        most = self.most
        return most is None or (number < most.at if most.is_open else number <= most.at)

    @property
    def grid(self) -> Fraction | None:
        """The distance of neighboring members; None if they are dense."""
        if self.step is None:
            return Fraction(1) if self.is_whole else None
        return common_multiple(self.step, Fraction(1)) if self.is_whole else self.step


def numbers_included(inner: Numbers, outer: Numbers) -> Inclusion:
    """Return whether every number of `inner` is in `outer`; if not, with a counterexample close to the violated bound."""
    inner = with_closed_bounds(inner)
    if inner.step == outer.step:
        outer = replace(outer, step=None)
    # floating-point arithmetic agrees on the members only for an integer step, or none
    if all(of.step is None or of.step.denominator == 1 for of in (inner, outer)):
        return _answer(inner, outer)
    if outer.step is None and _answer(replace(inner, step=None), outer) == INCLUDED:
        return INCLUDED
    found = _answer(inner, outer)
    return NotProven("remainders of fractions depend on rounding") if found == INCLUDED else found


def _answer(inner: Numbers, outer: Numbers) -> Inclusion:
    found = _first(_candidates(inner, outer), inner, outer)
    return INCLUDED if found is None else NotIncluded(_json(found))


def _first(candidates: Iterable[Fraction], inner: Numbers, outer: Numbers) -> Fraction | None:
    """Return the first counterexample, preferably not 0, because 0 often means unset."""
    found = None
    for each in candidates:
        if inner.holds(each) and not outer.holds(each):
            if each != 0:
                return each
            found = each
    return found


def _candidates(inner: Numbers, outer: Numbers) -> Iterator[Fraction]:
    """Yield numbers that include a counterexample if there is one: those next to each bound, two adjacent ones, and
    all of a small set.
    """
    if inner.allowed is not None:
        yield from sorted(inner.allowed)
        return
    yield from sorted(outer.excluded)
    starts = [bound.at for bound in (outer.least, outer.most, inner.least, inner.most) if bound is not None]
    for start in (*starts, Fraction(0)):
        yield from _near(start, inner)
    if outer.allowed is not None:
        for each in sorted(outer.allowed):
            yield from _near(each, inner)


def _near(start: Fraction, inner: Numbers) -> Iterator[Fraction]:
    """Yield members around a number: more than can be excluded, and more than one between two others."""
    grid = inner.grid
    reach = len(inner.excluded) + 3
    if grid is not None:
        middle = start / grid
        for index in range(reach):
            yield (ceil(middle) + index) * grid
            yield (floor(middle) - index) * grid
        return
    yield Fraction(floor(start) + 1)
    yield Fraction(ceil(start) - 1)
    ends = [bound.at for bound in (inner.least, inner.most) if bound is not None]
    for end in ends:
        for part in range(1, reach + 2):
            yield start + (end - start) * Fraction(part, reach + 1)
    yield start
    for part in range(reach):
        distance = Fraction(1, 2**part)
        yield start - distance
        yield start + distance


def with_closed_bounds(of: Numbers) -> Numbers:
    """Return the set with open bounds of integers converted to closed ones."""
    if not of.is_whole:
        return of
    least, most = of.least, of.most
    if least is not None:
        least = Bound(Fraction(floor(least.at) + 1 if least.is_open else ceil(least.at)))
    if most is not None:
        most = Bound(Fraction(ceil(most.at) - 1 if most.is_open else floor(most.at)))
    return replace(of, least=least, most=most)


def common_multiple(one: Fraction, other: Fraction) -> Fraction:
    """Return the least common multiple of two positive fractions."""
    denominator = lcm(one.denominator, other.denominator)
    return Fraction(lcm(int(one * denominator), int(other * denominator)), denominator)


def _json(number: Fraction) -> Number:
    return int(number) if number.denominator == 1 else float(number)
