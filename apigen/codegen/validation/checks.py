"""The checks of generated validation, which the template shows: texts of expressions, and checks within checks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from apigen.codegen.python.source_text import all_of
from apigen.dataclass import dataclass

Check: TypeAlias = "Report | Delegated | Variable | Each | Choice"
Checks: TypeAlias = "tuple[Check, ...]"


@dataclass(frozen=True, slots=True)
class Report:
    """An error, if a test is true; always without one."""

    kind = "report"
    error: str
    arguments: str
    test: str = ""


@dataclass(frozen=True, slots=True)
class Delegated:
    """The call of a function that validates a value. It adds its errors to the list, or returns them."""

    kind = "delegated"
    function: str
    arguments: str
    returns: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """A value that the checks after it use."""

    kind = "variable"
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Each:
    """The checks of each of several elements or entries."""

    kind = "each"
    variables: str
    items: str
    checks: Checks


@dataclass(frozen=True, slots=True)
class Choice:
    """The checks of the first branch whose test is true; those behind an empty test apply if none is."""

    kind = "choice"
    branches: tuple[tuple[str, Checks], ...]


def guarded(tests: Iterable[str], checks: Checks) -> Checks:
    """Return checks that apply if all tests are true; the checks themselves without tests."""
    test = all_of(tests)
    return (Choice(((test, checks),)),) if test and checks else checks
