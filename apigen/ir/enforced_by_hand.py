"""Check `enforcedByHand`: its constraints apply to the type, can reject values, and are not generated as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apigen.ir.checks import Checks
from apigen.ir.restrictions import Subject, WordCheck, check_restrictions
from apigen.language.model import Constraints, Located


def check_by_hand(constraints: Constraints, subject: Subject, checks: Checks, words: WordCheck) -> None:
    """Report what is wrong with `enforcedByHand` in the constraints of a value."""
    by_hand = constraints.enforced_by_hand
    if by_hand is None:
        return
    words(by_hand, subject.type, subject.what, checks)
    check_restrictions(by_hand, subject, checks, words)
    for word, said, generated in _by_word(by_hand, constraints):
        if isinstance(said, Located) and said.value is False:
            code = "AG0529"
            message = (
                f"`{word}: false` of {subject.what} rejects no value, so hand-written validation cannot enforce it"
            )
        elif _same(said, generated):
            code = "AG0528"
            message = f"`{word}` is also declared on {subject.what} itself, so it is generated"
        else:
            continue
        place = said[0].place if isinstance(said, tuple) else said.place
        checks.run.error(code, place, message, hint=f"remove `{word}` from `enforcedByHand`")


_Said = Located[Any] | tuple[Located[Any], ...]
"""The value of a keyword: one value, or a list."""


def _by_word(by_hand: Constraints, constraints: Constraints) -> Iterator[tuple[str, _Said, object]]:
    """Each word of `enforcedByHand`, what it says, and what the same word says of the value itself."""
    from dataclasses import fields  # few specs say anything of code by hand

    for field in fields(by_hand):
        said = getattr(by_hand, field.name)
        if said != field.default:
            first, *rest = field.name.removesuffix("_value").split("_")
            yield first + "".join(part.capitalize() for part in rest), said, getattr(constraints, field.name)


def _same(one: object, other: object) -> bool:
    """Return whether two say the same; of lists of words, whether the first says nothing more."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return {each.value for each in one} <= {each.value for each in other}
    return isinstance(one, Located) and isinstance(other, Located) and one.value == other.value
