"""Decide whether every value of one schema is a value of another."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.language.json_values import TYPES
from apigen.review.prover.result import INCLUDED, Included, NotProven
from apigen.review.prover.schemas.atoms import Clause, Form, Formula
from apigen.review.prover.schemas.forms import Forms
from apigen.review.prover.schemas.remainders import (
    formats_clash,
    is_no_boolean,
    is_no_list,
    is_no_number,
    is_no_object,
    is_no_text,
)
from apigen.review.prover.schemas.schema import Schema, Steps, TooMuchError

TOO_LARGE = NotProven("the schemas are too large to compare")
"""The result if a comparison would take too long."""

NOTHING_SHOWS = NotProven("apigen cannot show that one schema accepts all values of the other")
"""The result if the comparison is complete, and undecided values remain."""


@dataclass(frozen=True, slots=True)
class Undecided(NotProven):
    """The result depends on an unsupported keyword."""


def schemas_included(inner: Schema, outer: Schema, steps: Steps | None = None) -> Included | NotProven:
    """Return whether every value of `inner` is proven to be a value of `outer`; `steps` limits the work.

    This is the case if `inner` without `outer` is empty: the difference is converted, type by type, to alternatives,
    each of which must be contradictory or require a part that is empty. Undecided if this depends on an unknown
    property of a pattern.
    """
    looking = _Emptiness(steps or Steps())
    try:
        is_empty = looking.holds(frozenset({(inner, True), (outer, False)}))
    except TooMuchError:
        return TOO_LARGE
    if is_empty:
        return INCLUDED
    return Undecided(looking.doubts[0]) if looking.doubts else NOTHING_SHOWS


class _Emptiness:
    """Decides which schemas are empty. Values are finite: a schema that requires itself as a part is empty.

    `doubts` are the reasons for which parts of a possible value could not be decided.
    """

    def __init__(self, steps: Steps) -> None:
        self.doubts: list[str] = []
        self._steps = steps
        self._forms = Forms(self._steps)
        self._asked: list[Formula] = []
        self._empty: set[Formula] = set()
        self._filled: set[Formula] = set()

    def holds(self, formula: Formula) -> bool:
        """Return whether no value satisfies the formula."""
        if formula in self._filled:
            return False
        if formula in self._empty or formula in self._asked or _contradicts_itself(formula):
            return True
        if len(self._asked) > Steps.DEEPEST:
            raise TooMuchError
        self._asked.append(formula)
        is_empty = all(
            self._is_contradiction(type_, clause) for type_ in TYPES for clause in self._form(formula, type_)
        )
        self._asked.pop()
        if not is_empty:
            self._filled.add(formula)
        elif not self._asked:
            self._empty.add(formula)
        return is_empty

    def _form(self, formula: Formula, type_: str) -> Form:
        ordered = sorted(formula, key=lambda literal: not literal[1])
        return self._forms.all_of(self._forms.of(schema, holds, type_) for schema, holds in ordered)

    def _is_contradiction(self, type_: str, clause: Clause) -> bool:
        self._steps.take(1 + len(clause) ** 2 // 200)  # each name of a property is compared with each atom
        before = len(self.doubts)
        is_none = self._is_none_of(type_, clause)
        if is_none:
            del self.doubts[before:]
        return is_none

    def _is_none_of(self, type_: str, clause: Clause) -> bool:
        if formats_clash(clause):
            return True
        match type_:
            case "null":
                return False
            case "boolean":
                return is_no_boolean(clause)
            case "number":
                return is_no_number(clause)
            case "string":
                return is_no_text(clause, self.doubts)
            case "array":
                return is_no_list(clause, self.holds)
            case _:
                return is_no_object(clause, self.holds, self._is_no_name)

    def _is_no_name(self, formula: Formula, clause: Clause) -> bool:
        return (
            is_no_text(clause, self.doubts)
            if not formula
            else all(is_no_text((*found, *clause), self.doubts) for found in self._form(formula, "string"))
        )


def _contradicts_itself(formula: Formula) -> bool:
    """Return whether the positive and the negative side are the same schema, as for every unchanged part of a document."""
    denied = {schema.text for schema, holds in formula if not holds}
    return any(holds and schema.text and schema.text in denied for schema, holds in formula) if denied else False
