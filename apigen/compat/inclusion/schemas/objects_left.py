"""Whether any object has all of some atoms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from math import inf

from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.schemas.atoms import (
    EVERYTHING,
    Absent,
    Atom,
    Clause,
    Formula,
    Matches,
    Members,
    OneOf,
    Size,
)
from apigen.compat.inclusion.schemas.limits import TooMuchError
from apigen.compat.inclusion.texts import machine
from apigen.compat.sources.schemas.literals import canonical
from apigen.dataclass import dataclass

_MOST_PATTERNS = 5

IsEmpty = Callable[[Formula], bool]
IsNoName = Callable[[Formula, Clause], bool]
"""Whether no text matches some schemas and has some atoms besides."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """Names that all schemas treat alike: one that is written somewhere, or all others in which the same patterns are found.

    `clause` says what tells them from all texts.
    """

    name: str | None
    found: frozenset[str]
    clause: Clause

    def is_in(self, members: Members) -> bool:
        """Whether these are names that it speaks of."""
        return members.names.has(self.name, self.found)


def is_no_object(clause: Clause, is_empty: IsEmpty, is_no_name: IsNoName) -> bool:
    """Whether it is certain that there is none. Raises TooMuchError."""
    members = [atom for atom in clause if isinstance(atom, Members)]
    some = [each for each in members if not each.is_every]
    every = [each for each in members if each.is_every or each.names.name is not None]  # one member has one name
    gone = {atom.name for atom in clause if isinstance(atom, Absent)}
    least = max((atom.least for atom in clause if isinstance(atom, Size)), default=0)
    most = min((atom.most for atom in clause if isinstance(atom, Size) and atom.most is not None), default=None)
    needed = {each.names.name for each in some if each.names.name is not None and not each.of_name}
    if needed & gone or (most is not None and most < max(least, len(needed), min(len(some), 1))):
        return True
    kinds = [kind for kind in _kinds(members, gone | needed) if kind.name not in gone]

    def is_none(kind: _Kind, *more: Members) -> bool:
        return _is_none(kind, every, more, is_empty, is_no_name)

    if any(kind.name in needed and is_none(kind) for kind in kinds):
        return True
    if least > len(needed) and _most(kinds, is_none) < least:
        return True
    return any(all(is_none(kind, each) or is_none(kind) for kind in kinds if kind.is_in(each)) for each in some)


def _most(kinds: list[_Kind], is_none: Callable[[_Kind], bool]) -> float:
    """How many members there can be."""
    if not all(is_none(kind) for kind in kinds if kind.name is None):
        return inf
    return sum(not is_none(kind) for kind in kinds if kind.name is not None)


def _kinds(members: list[Members], names: set[str]) -> Iterator[_Kind]:
    """The kinds of names that there are: a name in none of them does not exist."""
    patterns = sorted(
        {each for of in members for each in (of.names.pattern, *of.names.but_patterns) if each is not None}
    )
    if len(patterns) > _MOST_PATTERNS:
        raise TooMuchError
    said = {*names, *(each.names.name for each in members if each.names.name is not None)}
    said.update(*(each.names.but_names for each in members))
    for name in sorted(said):
        yield _Kind(name, _found(name, patterns), (OneOf(frozenset({canonical(name)}), True),))
    others: tuple[Atom, ...] = (OneOf(frozenset(map(canonical, said)), False),) if said else ()
    for found in chain.from_iterable(combinations(patterns, count) for count in range(len(patterns) + 1)):
        matches = tuple(Matches(pattern, pattern in found) for pattern in patterns)
        yield _Kind(None, frozenset(found), (*others, *matches))


def _found(name: str, patterns: list[str]) -> frozenset[str]:
    try:
        return frozenset(pattern for pattern in patterns if machine(pattern).finds(name))
    except Undecidable as error:
        raise TooMuchError from error


def _is_none(
    kind: _Kind, every: list[Members], more: tuple[Members, ...], is_empty: IsEmpty, is_no_name: IsNoName
) -> bool:
    """Whether no member with a name of this kind can be there."""
    said = [*(each for each in every if kind.is_in(each)), *more]
    of_name = EVERYTHING.union(*(each.formula for each in said if each.of_name))
    value = EVERYTHING.union(*(each.formula for each in said if not each.of_name))
    if (kind.name is None or of_name) and is_no_name(of_name, kind.clause):
        return True
    return is_empty(value)
