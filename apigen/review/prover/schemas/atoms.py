"""Elementary conditions on values of one type, and their negations."""

from __future__ import annotations

from fractions import Fraction

from apigen.dataclass import dataclass
from apigen.language.json_values import JsonValue
from apigen.review.prover.schemas.schema import Schema

Literal = tuple[Schema, bool]
"""A schema, and whether a value must match it or must not match it."""

Formula = frozenset[Literal]
"""A conjunction of literals."""


def formula_of(value: JsonValue, schema: Schema, holds: bool) -> Formula:
    """Return the condition that a value matches a nested schema of the document of `schema`, or that it does not."""
    return frozenset({(schema.document.schema(value), holds)})


@dataclass(frozen=True, slots=True)
class OneOf:
    """A scalar that is, or is not, one of some values, given as JSON."""

    values: frozenset[str]
    holds: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower or an upper bound of a number."""

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
    """A number of characters, items or properties. `most` None: without an upper limit."""

    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """A string in which a pattern matches, or does not."""

    pattern: str
    holds: bool


@dataclass(frozen=True, slots=True)
class HasFormat:
    """A value that has, or does not have, a format or another condition that is known by name only."""

    name: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Unique:
    """A list with distinct items, or with a duplicate."""

    holds: bool


@dataclass(frozen=True, slots=True)
class Items:
    """A condition on every item from `start` up to `stop`, or on at least one of them. `stop` None: to the end."""

    start: int
    stop: int | None
    formula: Formula
    is_every: bool


@dataclass(frozen=True, slots=True)
class Names:
    """A set of property names: a single name, or all in which `pattern` matches, except some names and those in which
    some patterns match.
    """

    name: str | None = None
    pattern: str | None = None
    but_names: frozenset[str] = frozenset()
    but_patterns: frozenset[str] = frozenset()

    def has(self, name: str | None, found: frozenset[str]) -> bool:
        """Return whether the set contains a name; `found` are the patterns that match in it. None: any name that no
        schema mentions.
        """
        if self.name is not None:
            return name == self.name
        is_in = self.pattern is None or self.pattern in found
        return is_in and name not in self.but_names and not self.but_patterns & found


@dataclass(frozen=True, slots=True)
class Members:
    """A condition on every property with such a name, or on at least one; `of_name`: the condition is on the name."""

    names: Names
    formula: Formula
    is_every: bool
    of_name: bool = False


@dataclass(frozen=True, slots=True)
class Absent:
    """An object without a property."""

    name: str


Atom = OneOf | Bound | Multiple | Size | Matches | HasFormat | Unique | Items | Members | Absent
Clause = tuple[Atom, ...]
"""A conjunction of atoms."""

Form = list[Clause]
"""A disjunction of clauses. An empty list matches no value, `[()]` any value."""

NOTHING: Form = []
ANYTHING: Form = [()]
EVERYTHING: Formula = frozenset()
