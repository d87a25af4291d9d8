"""What can be said of a value of one type, or denied, in one step."""

from __future__ import annotations

from fractions import Fraction

from apigen.dataclass import dataclass
from apigen.review.prover.schemas.schema import Schema

Literal = tuple[Schema, bool]
"""A schema, and whether a value matches it or does not."""

Formula = frozenset[Literal]
"""All of some literals."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """A scalar that is one of some values, in one form of JSON, or none of them."""

    values: frozenset[str]
    holds: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """A number on one side of another."""

    value: Fraction
    is_upper: bool
    is_strict: bool


@dataclass(frozen=True, slots=True)
class Multiple:
    """A number that is a multiple of another, or is not."""

    of: Fraction
    holds: bool


@dataclass(frozen=True, slots=True)
class Size:
    """So many characters, items or members. None: any number from `least` on."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """A text in which a pattern is found, or is not."""

    pattern: str
    holds: bool


@dataclass(frozen=True, slots=True)
class HasFormat:
    """A value with a format or another condition, or without; nothing is known of it but its name."""

    name: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Unique:
    """A list in which no item comes twice, or one does."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Items:
    """What holds of every item from `start` up to `stop`, or of one of them at least. `stop` None: to the end."""

    start: int
    stop: int | None
    formula: Formula
    is_every: bool


@dataclass(frozen=True, slots=True)
class Names:
    """Names of members: one of them, or all in which `pattern` is found, without some names and those of some patterns."""

    name: str | None = None
    pattern: str | None = None
    but_names: frozenset[str] = frozenset()
    but_patterns: frozenset[str] = frozenset()

    def has(self, name: str | None, found: frozenset[str]) -> bool:
        """Whether a name is one of them; `found` are the patterns that are found in it. None: a name that is written nowhere."""
        if self.name is not None:
            return name == self.name
        is_in = self.pattern is None or self.pattern in found
        return is_in and name not in self.but_names and not self.but_patterns & found


@dataclass(frozen=True, slots=True)
class Members:
    """What holds of every member with such a name, or of one at least; `of_name`: it is said of the name."""

    names: Names
    formula: Formula
    is_every: bool
    of_name: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """An object without a member."""

    name: str


Atom = OneOf | Bound | Multiple | Size | Matches | HasFormat | Unique | Items | Members | Absent
Clause = tuple[Atom, ...]
"""All of some atoms."""

Form = list[Clause]
"""One of some clauses. An empty list is no value at all, `[()]` is any."""

NOTHING: Form = []
ANYTHING: Form = [()]
EVERYTHING: Formula = frozenset()
