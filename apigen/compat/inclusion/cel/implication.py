"""Whether a rule follows from others."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor
from typing import TypeVar

from apigen.compat.inclusion.cel.clauses import Clause, Literal, clauses
from apigen.compat.inclusion.cel.comparison import Comparison, comparison
from apigen.compat.inclusion.numbers import Numbers, numbers_included
from apigen.compat.inclusion.result import INCLUDED, Inclusion, NotIncluded, NotProven
from apigen.compat.inclusion.text_inclusion import texts_included
from apigen.compat.inclusion.texts import Texts
from apigen.dataclass import replace

T = TypeVar("T")
V = TypeVar("V", Numbers, Texts)

_ITSELF: Literal = ("self",)
_SIZES: tuple[Literal, ...] = (("size", "(", "self", ")"), ("self", ".", "size", "(", ")"))


def implied(rule: str, by: Iterable[str], itself: Numbers | Texts | None = None) -> Inclusion:
    """Whether all values that satisfy all rules of `by` satisfy `rule`; a value is shown where `rule` compares `self` itself.

    `itself`: what is known of `self`, where that is a number or a text.
    Equal text, parts of a conjunction, and comparisons of the same expression with constants are understood. Of all else
    nothing is proven: CEL has no way to decide it.
    """
    wanted = clauses(rule)
    if wanted is None:
        return NotProven("the rule is not taken apart here")
    known: set[Clause] = set()
    for other in by:
        known |= clauses(other) or frozenset()
    answers = [_follows(clause, known, itself) for clause in sorted(wanted, key=_order)]
    refuted = next((each for each in answers if isinstance(each, NotIncluded)), None)
    return refuted or next((each for each in answers if each != INCLUDED), INCLUDED)


def narrowed(values: V, rules: Iterable[str]) -> V:
    """What is left of values by rules that compare `self`, or the size of a text, with constants."""
    known = {clause for rule in rules for clause in clauses(rule) or ()}
    values = _known_of(_ITSELF, known, values)
    if not isinstance(values, Texts):
        return values
    for operand in _SIZES:
        sizes = _known_of(operand, known, Numbers(is_whole=True))
        values = replace(values, least=max(values.least, _least(sizes)), most=_most(sizes, values.most))
    return values


def _least(sizes: Numbers) -> int:
    bound = sizes.least
    return 0 if bound is None else floor(bound.at) + 1 if bound.is_open else ceil(bound.at)


def _most(sizes: Numbers, most: int | None) -> int | None:
    bound = sizes.most
    if bound is None:
        return most
    size = max(0, ceil(bound.at) - 1 if bound.is_open else floor(bound.at))
    return size if most is None else min(size, most)


def is_true_without_change(rule: str) -> bool:
    """Whether a rule about `self` and `oldSelf` surely holds where nothing changed."""
    found = clauses(rule)
    return found is not None and all(any(_is_reflexive(literal, clause) for literal in clause) for clause in found)


def clause_guards(rule: str) -> tuple[frozenset[str], ...]:
    """By clause, the fields of which one that is not there makes it true."""
    return tuple(frozenset(name for literal in clause if (name := _guard(literal))) for clause in clauses(rule) or ())


def _follows(clause: Clause, known: set[Clause], itself: Numbers | Texts | None) -> Inclusion:
    if any(other <= clause for other in known):
        return INCLUDED
    for other in known:
        if all(any(_literal_follows(one, each) for each in clause) for one in other):
            return INCLUDED
    if len(clause) == 1:
        return _comparison_follows(next(iter(clause)), known, itself)
    return NotProven("whether it follows from the rules of the other side")


def _literal_follows(known: Literal, wanted: Literal) -> bool:
    if known == wanted:
        return True
    one, other = comparison(known), comparison(wanted)
    return (
        one is not None
        and other is not None
        and one.operand == other.operand
        and _included(one.values, other.values) == INCLUDED
    )


def _comparison_follows(literal: Literal, known: set[Clause], itself: Numbers | Texts | None) -> Inclusion:
    """Of a comparison with constants: all that is known of the same expression together."""
    wanted = comparison(literal)
    if wanted is None:
        return NotProven("whether it follows from the rules of the other side")
    if isinstance(wanted.values, Numbers):
        start = itself if isinstance(itself, Numbers) and wanted.operand == _ITSELF else Numbers()
        found = numbers_included(_known_of(wanted.operand, known, start), wanted.values)
    else:
        text = itself if isinstance(itself, Texts) and wanted.operand == _ITSELF else Texts()
        found = texts_included(_known_of(wanted.operand, known, text), wanted.values)
    is_only_about_it = wanted.operand == _ITSELF and all(_is_about_itself(clause) for clause in known)
    if found == INCLUDED or (is_only_about_it and isinstance(found, NotIncluded)):
        return found
    return NotProven("whether it follows from the rules of the other side")


def _known_of(operand: Literal, known: Iterable[Clause], values: V) -> V:
    """What is left of values of an expression by the clauses that compare it with constants."""
    for clause in known:
        said = comparison(next(iter(clause))) if len(clause) == 1 else None
        if said is not None and said.operand == operand:
            values = _both(values, said)
    return values


def _is_about_itself(clause: Clause) -> bool:
    said = comparison(next(iter(clause))) if len(clause) == 1 else None
    return said is not None and said.operand == _ITSELF


def _both(values: V, said: Comparison) -> V:
    """The values for which a comparison holds, too; all of them where it is about values of another type."""
    other = said.values
    if isinstance(values, Numbers) and isinstance(other, Numbers):
        least = max((b for b in (values.least, other.least) if b), key=lambda b: (b.at, b.is_open), default=None)
        most = min((b for b in (values.most, other.most) if b), key=lambda b: (b.at, not b.is_open), default=None)
        return replace(
            values,
            least=least,
            most=most,
            is_whole=values.is_whole or other.is_whole,
            allowed=_narrower(values.allowed, other.allowed),
            excluded=values.excluded | other.excluded,
        )
    if isinstance(values, Texts) and isinstance(other, Texts):
        return replace(
            values, allowed=_narrower(values.allowed, other.allowed), excluded=values.excluded | other.excluded
        )
    return values


def _included(inner: Numbers | Texts, outer: Numbers | Texts) -> Inclusion:
    if isinstance(inner, Numbers) and isinstance(outer, Numbers):
        return numbers_included(inner, outer)
    if isinstance(inner, Texts) and isinstance(outer, Texts):
        return texts_included(inner, outer)
    return NotProven("values of two types")


def _is_reflexive(literal: Literal, clause: Clause) -> bool:
    """`self >= oldSelf` and the like: true where both are the same. A part of `self` has to be known to be there."""
    for operator in ("==", "<=", ">="):
        if literal.count(operator) == 1:
            at = literal.index(operator)
            left, right = (
                tuple("self" if token == "oldSelf" else token for token in side)
                for side in (literal[:at], literal[at + 1 :])
            )
            is_there = left == _ITSELF or (
                len(left) == 3 and left[:2] == ("self", ".") and left[2] in {_guard(each) for each in clause}
            )
            return left == right and is_there
    return False


def _guard(literal: Literal) -> str:
    """The field of `!has(self.x)`; empty for all else."""
    match literal:
        case ("!", "has", "(", "self", ".", name, ")"):
            return name
    return ""


def _order(clause: Clause) -> list[Literal]:
    return sorted(clause)


def _narrower(one: frozenset[T] | None, other: frozenset[T] | None) -> frozenset[T] | None:
    return other if one is None else one if other is None else one & other
