"""Whether any boolean or number has all of some atoms; formats of any scalar."""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from math import lcm

from apigen.compat.inclusion.schemas.atoms import Bound, Clause, HasFormat, Multiple, OneOf
from apigen.compat.sources.schemas.literals import canonical

_MOST_TRIED = 200


def is_no_boolean(clause: Clause) -> bool:
    """Whether it is certain that there is none."""
    left = {"true", "false"}
    for atom in clause:
        if isinstance(atom, OneOf):
            left = left & atom.values if atom.holds else left - atom.values
    return not left


def formats_clash(clause: Clause) -> bool:
    """Whether a format is asked for and denied."""
    formats = [atom for atom in clause if isinstance(atom, HasFormat)]
    return any(HasFormat(atom.name, not atom.holds) in formats for atom in formats)


def is_no_number(clause: Clause) -> bool:
    """Whether it is certain that there is none."""
    atoms = [atom for atom in clause if not isinstance(atom, HasFormat)]
    listed = [atom.values for atom in atoms if isinstance(atom, OneOf) and atom.holds]
    if listed:
        values = (Fraction(str(json.loads(text))) for text in frozenset.intersection(*listed))
        return not any(_fits(value, atoms) for value in values)
    low, high = _ends(atoms)
    step = _step(atoms)
    if low is not None and high is not None and low.value > high.value:
        return True
    if any(not atom.holds and step and step % atom.of == 0 for atom in atoms if isinstance(atom, Multiple)):
        return True
    if low is None or high is None:
        return False
    if not step:
        return low.value == high.value and not _fits(low.value, atoms)
    first, last = -(-low.value // step), high.value // step
    if last - first >= _MOST_TRIED:
        return False
    return not any(_fits(count * step, atoms) for count in range(first, last + 1))


def _ends(atoms: Iterable[object]) -> tuple[Bound | None, Bound | None]:
    bounds = [atom for atom in atoms if isinstance(atom, Bound)]
    low = max((each for each in bounds if not each.is_upper), key=lambda each: each.value, default=None)
    high = min((each for each in bounds if each.is_upper), key=lambda each: each.value, default=None)
    return low, high


def _step(atoms: Iterable[object]) -> Fraction | None:
    """What every number is a multiple of."""
    step: Fraction | None = None
    for atom in atoms:
        if isinstance(atom, Multiple) and atom.holds:
            step = atom.of if step is None else _common(step, atom.of)
    return step


def _common(one: Fraction, other: Fraction) -> Fraction:
    whole = one.denominator * other.denominator
    return Fraction(lcm(int(one * whole), int(other * whole)), whole)


def _fits(value: Fraction, atoms: Iterable[object]) -> bool:
    return all(_has(value, atom) for atom in atoms)


def _has(value: Fraction, atom: object) -> bool:
    match atom:
        case Bound(end, is_upper, is_strict):
            if value == end:
                return not is_strict
            return (value < end) is is_upper
        case Multiple(of, holds):
            return (value % of == 0) is holds
        case OneOf(values, holds):
            return (_text(value) in values) is holds
        case _:
            return True


def _text(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else canonical(float(value))
