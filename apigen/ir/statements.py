"""The statements of a conversion that run after all fields have their values, as trees."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.ir.expressions import Expression, Test
from apigen.ir.field_paths import FieldPath
from apigen.ir.places import BoundStep


@dataclass(frozen=True, slots=True)
class Set:
    """A place, or a variable, gets a value."""

    place: Expression
    value: Expression


@dataclass(frozen=True, slots=True)
class Build:
    """Set optional parents of a path that are `None` to empty structs."""

    root: str
    path: FieldPath


@dataclass(frozen=True, slots=True)
class When:
    """Statements for the case that all tests are true, and for the other case."""

    tests: tuple[Test, ...]
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class AtEach:
    """Statements for each value at the end of steps, which they call `Here`; with `present`, it is not `None`."""

    root: str
    steps: tuple[BoundStep, ...]
    statements: tuple[Statement, ...]
    present: bool = True


@dataclass(frozen=True, slots=True)
class Attempt:
    """Statements that may fail to read a value: that is ignored, or an error of the conversion."""

    statements: tuple[Statement, ...]
    is_ignored: bool


Statement = Set | Build | When | AtEach | Attempt
