"""Checks what specs say of constraints that code by hand enforces: it fits the value, refuses something, and is not generated besides."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
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
    for said in _all_said(by_hand):
        if isinstance(said.value, Located) and said.value.value is False:
            checks.run.error(
                "AG0529",
                said.place,
                f"`{said.word}: false` refuses no value of {subject.what}, so there is nothing that code by hand enforces",
                hint=f"take `{said.word}` out of `enforcedByHand`",
            )
        elif _same(said.value, getattr(constraints, said.field)):
            checks.run.error(
                "AG0528",
                said.place,
                f"`{said.word}` is said of {subject.what} itself, too: what is generated does not need code by hand",
                hint=f"take `{said.word}` out of `enforcedByHand`",
            )


@dataclass(frozen=True, slots=True)
class _Said:
    """A word of `enforcedByHand` with its value, and the field of `Constraints` in which that is."""

    word: str
    field: str
    value: object
    place: Place


def _all_said(by_hand: Constraints) -> Iterator[_Said]:
    from dataclasses import fields  # few specs say anything of code by hand

    for field in fields(by_hand):
        value = getattr(by_hand, field.name)
        if value != field.default:
            place = value[0].place if isinstance(value, tuple) else value.place
            first, *rest = field.name.removesuffix("_value").split("_")
            yield _Said(first + "".join(part.capitalize() for part in rest), field.name, value, place)


def _same(one: object, other: object) -> bool:
    """Whether two say the same; of lists of words, whether the first says nothing more."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return {each.value for each in one} <= {each.value for each in other}
    return isinstance(one, Located) and isinstance(other, Located) and one.value == other.value
