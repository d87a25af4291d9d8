"""The contents of a module of generated tests, as its template uses them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from apigen.codegen.python.source_text import free_names
from apigen.dataclass import dataclass, field
from apigen.ir.generated_modules import Module, package_name
from apigen.ir.model import Struct
from apigen.ir.names import snake_case
from apigen.ir.reserved import HUB_VERSION


def module_of_kind(struct: Struct, subject: str) -> Module:
    """The module of the tests of a kind: `tests/test_<group>_<kind>_<subject>.py`, with the version if it has no hub."""
    version = "" if struct.id.version == HUB_VERSION else f"_{struct.id.version}"
    return Module(("tests", f"test_{package_name(struct.id.group)}{version}_{struct.snake_name}_{subject}"))


Row = tuple[str, str]
"""The literal of a path, and an expression that makes an object with something there."""

Rows = tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Objects that have something gated, and where; `name` is the constant."""

    name: str
    rows: Rows
    doc: str


@dataclass(frozen=True, slots=True)
class DropTests:
    """The tests of one operation and gate. `on` and `off` are expressions of the gates in the two states.

    `empty` is the expression of an object that uses no gated field; `spares_used`: fields that the old object uses are kept.
    `without_is_unused`: an object without the field does not use it, so an update that adds the field drops it.
    `warning` is the expression of the warning for a drop at `path`.
    """

    label: str
    title: str
    operation: str
    is_create: bool
    prepare: str
    table: str
    on: str
    off: str
    empty: str
    spares_used: bool
    without_is_unused: bool
    warning: str


@dataclass(frozen=True, slots=True)
class EnumTests:
    """The tests of one enum value that is rolled out.

    `names` and `titles` are of the state in which it is rejected, and of that in which it is accepted; `error` is the
    end of the error message in the first state.
    """

    label: str
    value: str
    names: tuple[str, str]
    titles: tuple[str, str]
    check: str
    table: str
    on: str
    off: str
    old: str
    error: str


@dataclass(slots=True)
class TestModule:
    """The tests of one kind."""

    tables: list[Table] = field(default_factory=list)
    drops: list[DropTests] = field(default_factory=list)
    enums: list[EnumTests] = field(default_factory=list)

    def table(self, label: str, operation: str, rows: Rows, doc: str) -> str:
        """The constant for a table; equal ones are the same."""
        longer = free_names(f"{label}_{snake_case(operation)}".upper(), "_")
        return constant_of(self.tables, rows, doc, chain((label.upper(),), longer))

    def label(self, label: str, operation: str) -> str:
        """A label that no test of an operation has yet."""
        used_names = {test.label for test in self.drops if test.operation == operation}
        return next(free for free in free_names(label, "_") if free not in used_names)


def constant_of(tables: list[Table], rows: Rows, doc: str, names: Iterable[str]) -> str:
    """Return the constant with these rows, which is added to the tables unless they have it, with the first free name."""
    found = next((known for known in tables if known.rows == rows), None)
    if found is None:
        used_names = {known.name for known in tables}
        found = Table(next(name for name in names if name not in used_names), rows, doc)
        tables.append(found)
    return found.name
