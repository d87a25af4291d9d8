"""Checks what specs say of constraints that code by hand enforces: it fits the value, and is not generated besides."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Place
from apigen.ir.checks import Checks
from apigen.ir.restrictions import Subject, WordCheck, check_restrictions
from apigen.spec.model import Constraints, Located


def check_by_hand(constraints: Constraints, subject: Subject, checks: Checks, words: WordCheck) -> None:
    """Report what is wrong with `enforcedByHand` in the constraints of a value."""
    by_hand = constraints.enforced_by_hand
    if by_hand is None:
        return
    words(by_hand, subject.type, subject.what, checks)
    check_restrictions(by_hand, subject, checks, words)
    for word, place in _said_twice(by_hand, constraints):
        checks.run.error(
            "AG0528",
            place,
            f"`{word}` is said of {subject.what} itself, too: what is generated does not need code by hand",
            hint=f"take `{word}` out of `enforcedByHand`",
        )


def _said_twice(by_hand: Constraints, constraints: Constraints) -> Iterator[tuple[str, Place]]:
    from dataclasses import fields  # few specs say anything of code by hand

    for field in fields(by_hand):
        mine, theirs = getattr(by_hand, field.name), getattr(constraints, field.name)
        if mine == field.default or not _same(mine, theirs):
            continue
        place = mine[0].place if isinstance(mine, tuple) else mine.place
        first, *rest = field.name.removesuffix("_value").split("_")
        yield first + "".join(part.capitalize() for part in rest), place


def _same(one: object, other: object) -> bool:
    """Whether two say the same; of lists of words, whether the first says nothing more."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return {each.value for each in one} <= {each.value for each in other}
    return isinstance(one, Located) and isinstance(other, Located) and one.value == other.value
