"""Decide whether every value of one schema is a value of another: whether any value of a type satisfies all atoms of a
clause of the difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Iterator
from fractions import Fraction
from itertools import chain, combinations
from math import inf

from apigen.dataclass import dataclass, replace
from apigen.inputs.schemas.words import canonical
from apigen.language.json_values import TYPES
from apigen.review.prover.numbers import common_multiple
from apigen.review.prover.regex import Undecidable
from apigen.review.prover.result import INCLUDED, Included, NotProven
from apigen.review.prover.schemas.forms import (
    EVERYTHING,
    Absent,
    Atom,
    Bound,
    Clause,
    Form,
    Forms,
    Formula,
    HasFormat,
    Items,
    Matches,
    Members,
    Multiple,
    OneOf,
    Size,
    Unique,
)
from apigen.review.prover.schemas.schema import Schema, Steps, TooMuchError
from apigen.review.prover.texts import SAMPLES, Texts, machine, texts_included

IsEmpty = Callable[[Formula], bool]


def is_no_list(clause: Clause, is_empty: IsEmpty) -> bool:
    """Return whether certainly no list satisfies the clause."""
    items = [atom for atom in clause if isinstance(atom, Items)]
    some = [atom for atom in items if not atom.is_every]
    kinds = {atom.holds for atom in clause if isinstance(atom, Unique)}
    least = max((atom.least for atom in clause if isinstance(atom, Size)), default=0)
    if False in kinds:
        least = max(least, 2)
    least = max(least, *(each.start + 1 for each in some), 0)
    most = min((atom.most for atom in clause if isinstance(atom, Size) and atom.most is not None), default=None)
    starts = sorted({0, *(each.start for each in items), *(each.stop for each in items if each.stop is not None)})
    if kinds == {True, False} or (most is not None and most < least):
        return True
    within = [start for start in starts if most is None or start < most]

    def is_beyond(start: int) -> bool:
        """Return whether no list is long enough for this index, because no item can exist at an index up to it."""
        return any(is_empty(_at(each, items)) for each in within if each <= start)

    if any(is_empty(_at(start, items)) for start in within if start < least):
        return True
    return any(
        all(is_empty(_at(start, items) | each.formula) or is_beyond(start) for start in within if _covers(each, start))
        for each in some
    )


def _at(index: int, items: list[Items]) -> Formula:
    """Return all conditions on the item at an index, including those that at least one item of a single index must
    satisfy.
    """
    conditions = (each for each in items if each.is_every or each.stop == each.start + 1)
    return EVERYTHING.union(*(each.formula for each in conditions if _covers(each, index)))


def _covers(items: Items, index: int) -> bool:
    return items.start <= index and (items.stop is None or index < items.stop)


_MOST_PATTERNS = 5

IsNoName = Callable[[Formula, Clause], bool]
"""Returns whether no string matches some schemas and satisfies some atoms, too."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Names that all schemas treat alike: a single name that a schema mentions, or all others in which the same
    patterns match.

    `clause` are the conditions that distinguish them from all other strings.
    """

    name: str | None
    found: frozenset[str]
    clause: Clause

    def is_in(self, members: Members) -> bool:
        """Return whether the atom applies to these names."""
        return members.names.has(self.name, self.found)


def is_no_object(clause: Clause, is_empty: IsEmpty, is_no_name: IsNoName) -> bool:
    """Return whether certainly no object satisfies the clause. Raises TooMuchError."""
    members = [atom for atom in clause if isinstance(atom, Members)]
    some = [each for each in members if not each.is_every]
    every = [each for each in members if each.is_every or each.names.name is not None]  # one member has one name
    absent = {atom.name for atom in clause if isinstance(atom, Absent)}
    least = max((atom.least for atom in clause if isinstance(atom, Size)), default=0)
    most = min((atom.most for atom in clause if isinstance(atom, Size) and atom.most is not None), default=None)
    needed = {each.names.name for each in some if each.names.name is not None and not each.of_name}
    if needed & absent or (most is not None and most < max(least, len(needed), min(len(some), 1))):
        return True
    kinds = [kind for kind in _kinds(members, absent | needed) if kind.name not in absent]

    def is_none(kind: _Kind, *more: Members) -> bool:
        return _is_no_member(kind, every, more, is_empty, is_no_name)

    if any(kind.name in needed and is_none(kind) for kind in kinds):
        return True
    if least > len(needed) and _most(kinds, is_none) < least:
        return True
    return any(all(is_none(kind, each) or is_none(kind) for kind in kinds if kind.is_in(each)) for each in some)


def _most(kinds: list[_Kind], is_none: Callable[[_Kind], bool]) -> float:
    """Return the maximum number of properties."""
    if not all(is_none(kind) for kind in kinds if kind.name is None):
        return inf
    return sum(not is_none(kind) for kind in kinds if kind.name is not None)


def _kinds(members: list[Members], names: set[str]) -> Iterator[_Kind]:
    """Yield all kinds of names; each possible name is in one of them."""
    patterns = sorted(
        {each for of in members for each in (of.names.pattern, *of.names.but_patterns) if each is not None}
    )
    if len(patterns) > _MOST_PATTERNS:
        raise TooMuchError
    all_names = {*names, *(each.names.name for each in members if each.names.name is not None)}
    all_names.update(*(each.names.but_names for each in members))
    for name in sorted(all_names):
        yield _Kind(name, _found(name, patterns), (OneOf(frozenset({canonical(name)}), True),))
    others: tuple[Atom, ...] = (OneOf(frozenset(map(canonical, all_names)), False),) if all_names else ()
    for matched_patterns in chain.from_iterable(combinations(patterns, count) for count in range(len(patterns) + 1)):
        matches = tuple(Matches(pattern, pattern in matched_patterns) for pattern in patterns)
        yield _Kind(None, frozenset(matched_patterns), (*others, *matches))


def _found(name: str, patterns: list[str]) -> frozenset[str]:
    try:
        return frozenset(pattern for pattern in patterns if machine(pattern).finds(name))
    except Undecidable as error:
        raise TooMuchError from error


def _is_no_member(
    kind: _Kind, every: list[Members], more: tuple[Members, ...], is_empty: IsEmpty, is_no_name: IsNoName
) -> bool:
    """Return whether no property with a name of this kind can exist."""
    conditions = [*(each for each in every if kind.is_in(each)), *more]
    of_name = EVERYTHING.union(*(each.formula for each in conditions if each.of_name))
    value = EVERYTHING.union(*(each.formula for each in conditions if not each.of_name))
    if (kind.name is None or of_name) and is_no_name(of_name, kind.clause):
        return True
    return is_empty(value)


_MOST_TRIED = 200


def is_no_boolean(clause: Clause) -> bool:
    """Return whether certainly no boolean satisfies the clause."""
    possible = {"true", "false"}
    for atom in clause:
        if isinstance(atom, OneOf):
            possible = possible & atom.values if atom.holds else possible - atom.values
    return not possible


def is_no_number(clause: Clause) -> bool:
    """Return whether certainly no number satisfies the clause."""
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
    """Return the number of which each satisfying number is a multiple; None without one."""
    step: Fraction | None = None
    for atom in atoms:
        if isinstance(atom, Multiple) and atom.holds:
            step = atom.of if step is None else common_multiple(step, atom.of)
    return step


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
            text = str(value.numerator) if value.denominator == 1 else canonical(float(value))
            return (text in values) is holds
        case _:
            return True


_NONE = Texts(allowed=frozenset())
_MOST_VALUES = 500
_MOST_TOGETHER = 5


def is_no_text(clause: Clause, doubts: list[str]) -> bool:
    """Return whether certainly no string satisfies the clause. Formats are compared by name only.

    Undecided questions about patterns are added to `doubts`.
    """
    try:
        return _is_certain(clause, doubts)
    except Undecidable as reason:
        doubts.append(str(reason))
        return False


def _is_certain(clause: Clause, doubts: list[str]) -> bool:
    texts = _texts_of(clause)
    if texts.most is not None and texts.most < texts.least:
        return True
    denied = list(_denied(clause))
    if texts.allowed is not None and len(texts.allowed) <= _MOST_VALUES:
        return all(
            _is_no_such_text(replace(texts, allowed=frozenset({each})), denied, doubts) for each in texts.allowed
        )
    if texts.most == 0:
        return _is_no_such_text(replace(texts, allowed=frozenset({""})), denied, doubts)
    return _is_no_such_text(texts, denied, doubts)


def _is_no_such_text(texts: Texts, denied: list[Texts], doubts: list[str]) -> bool:
    """Return whether there are no such strings, or all of them are in one of the excluded sets."""
    if texts.allowed is not None and all(map(texts.rejects, texts.allowed)):
        return True
    if texts.allowed is None and any(_is_left(each, texts, denied) for each in SAMPLES):
        return False
    is_bound = texts.least or texts.most is not None or len(texts.patterns) > 1
    if texts.allowed is None and texts.patterns and is_bound and _is_included(texts, _NONE, doubts):
        return True
    return any(_is_included(texts, each, doubts) for each in denied) or _is_in_one_of(texts, denied, doubts)


def _is_included(inner: Texts, outer: Texts, doubts: list[str]) -> bool:
    found = texts_included(inner, outer)
    if isinstance(found, NotProven):
        doubts.append(found.reason)
    return isinstance(found, Included)


def _is_in_one_of(texts: Texts, denied: list[Texts], doubts: list[str]) -> bool:
    """Return whether several patterns together cover all strings: each string without a match of the others matches
    the last one.
    """
    patterns = sorted({pattern for each in denied for pattern in each.patterns})
    if not 1 < len(patterns) <= _MOST_TOGETHER:
        return False
    rest = replace(texts, without=tuple(patterns[:-1]))
    return _is_included(rest, Texts((patterns[-1],)), doubts)


def _is_left(text: str, texts: Texts, denied: list[Texts]) -> bool:
    """Return whether a string is certainly in a set, and in none of the others; trying a few is faster than a search."""
    try:
        return not texts.rejects(text) and all(each.rejects(text) for each in denied)
    except Undecidable:
        return False


def _texts_of(clause: Clause) -> Texts:
    patterns: list[str] = []
    least, most = 0, None
    allowed: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    for atom in clause:
        match atom:
            case Matches(pattern, True):
                patterns.append(pattern)
            case Size(low, high):
                least = max(least, low)
                most = high if most is None else most if high is None else min(most, high)
            case OneOf(values, True):
                allowed = _texts(values) if allowed is None else allowed & _texts(values)
            case OneOf(values, False):
                excluded |= _texts(values)
            case _:
                pass
    return Texts(tuple(sorted(set(patterns))), least, most, allowed=allowed, excluded=excluded)


def _denied(clause: Clause) -> Iterator[Texts]:
    """Yield the sets of strings that are excluded."""
    for atom in clause:
        match atom:
            case Matches(pattern, False):
                yield Texts((pattern,))
            case OneOf(values, False):
                yield Texts(allowed=_texts(values))
            case _:
                pass


def _texts(values: frozenset[str]) -> frozenset[str]:
    return frozenset(json.loads(each) for each in values)


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
    looking = _Emptiness(steps or Steps(), outer.conditions)
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

    def __init__(self, steps: Steps, shared: Container[str]) -> None:
        self.doubts: list[str] = []
        self._steps = steps
        self._forms = Forms(self._steps, shared)
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
        formats = [atom for atom in clause if isinstance(atom, HasFormat)]
        if any(HasFormat(atom.name, not atom.holds) in formats for atom in formats):
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
