"""The code that hand-written functions need: statements of their modules, and of the helpers that these import.

Modules are parsed, never imported.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.ir.graphs import reached
from apigen.ir.hand_written import HandWrittenFunction, ModuleName

_IDENTIFIERS = ("id", "attr", "arg", "name", "asname", "rest")
"""The attributes of nodes with one name."""


@dataclass(frozen=True, slots=True)
class TopStatement:
    """A statement at the top of a module: the names that it defines, those that it uses, and the strings in it."""

    node: ast.stmt
    defined: frozenset[str]
    used: frozenset[str]
    texts: frozenset[str]

    @classmethod
    def of(cls, node: ast.stmt) -> TopStatement:
        """Find the names and strings of a statement."""
        below = list(ast.walk(node))
        texts = (each.value for each in below if isinstance(each, ast.Constant) and isinstance(each.value, str))
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        used = frozenset() if is_import else frozenset(name for each in below for name in _names(each))
        return cls(node, frozenset(_defined(node)), used, frozenset(texts))


@dataclass(frozen=True, slots=True)
class NeededCode:
    """The statements of a module, and the names that some of its functions lead to, their own included."""

    statements: tuple[TopStatement, ...]
    names: frozenset[str]

    def needs(self, defined: Iterable[str]) -> bool:
        """Return whether statements that define these names are needed; one that defines none always is."""
        defined = list(defined)
        return not defined or not self.names.isdisjoint(defined)

    @property
    def texts(self) -> frozenset[str]:
        """The strings in the needed statements."""
        return frozenset().union(*(each.texts for each in self.statements if self.needs(each.defined)))

    def helpers(self, package: str) -> Iterator[tuple[ModuleName, tuple[str, ...]]]:
        """Yield the needed names that the module imports from other hand-written ones; `package` is their folder."""
        for node in (each.node for each in self.statements):
            if isinstance(node, ast.ImportFrom) and node.module is not None and not node.level:
                match node.module.split("."):
                    case [first, group, version, helper] if first == package:
                        names = tuple(each.name for each in node.names if (each.asname or each.name) in self.names)
                        yield ModuleName(group, version, helper), names


def needed_code(
    functions: Iterable[HandWrittenFunction], folder: Path, display_path: str, report: Report
) -> dict[ModuleName, NeededCode]:
    """Return what functions need of the modules below `folder`, by module.

    `display_path` is the name of the folder in diagnostics. Error AG0803: a module that Python cannot read.
    """
    names: dict[ModuleName, set[str]] = defaultdict(set)
    for function in functions:
        names[function.relative_module].add(function.name)
    statements: dict[ModuleName, tuple[TopStatement, ...] | None] = {}
    needed: dict[ModuleName, NeededCode] = {}
    waiting = list(names)
    while waiting:
        module = waiting.pop()
        if module not in statements:
            body = top_statements(folder / module.path, f"{display_path}/{module.path}", report)
            statements[module] = None if body is None else tuple(map(TopStatement.of, body))
        found = statements[module]
        if found is not None:
            needed[module] = NeededCode(found, _needed_names(found, names[module]))
            for helper, helper_names in needed[module].helpers(folder.name):
                if (folder / helper.path).is_file() and not names[helper].issuperset(helper_names):
                    names[helper].update(helper_names)
                    waiting.append(helper)
    return dict(sorted(needed.items()))


def top_statements(path: Path, display_path: str, report: Report) -> list[ast.stmt] | None:
    """The statements of a module; None, with AG0803 in the file that is `display_path`, if Python cannot read it."""
    try:
        return ast.parse(path.read_text(encoding="utf-8-sig")).body
    except SyntaxError as error:
        place = Place(display_path, error.lineno or 1, error.offset or 1)
        report.error("AG0803", place, f"this is no Python: {error.msg}")
    except (ValueError, OSError, RecursionError, MemoryError) as error:
        report.error("AG0803", Place(display_path), f"this is no Python: {error}")
    return None


def _needed_names(statements: Iterable[TopStatement], functions: Iterable[str]) -> frozenset[str]:
    """Return all names that functions, and statements without a name, lead to."""
    uses: dict[str, set[str]] = {}
    always: set[str] = set()
    for statement in statements:
        for name in statement.defined:
            uses.setdefault(name, set()).update(statement.used)
        if not statement.defined:
            always |= statement.used
    return reached((*functions, *always), lambda name: uses.get(name, ()))


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign():
            yield from (name for target in node.targets for each in ast.walk(target) for name in _names(each))
        case ast.AnnAssign():
            yield from (name for each in ast.walk(node.target) for name in _names(each))
        case ast.ImportFrom(module="__future__"):
            return
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name != "*")


def _names(node: ast.AST) -> Iterator[str]:
    for attribute in _IDENTIFIERS:
        name = getattr(node, attribute, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
