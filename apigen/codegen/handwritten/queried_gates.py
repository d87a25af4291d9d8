"""Finds the gates that hand-written functions use, without the slower parser for copies."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.ir.graphs import reached
from apigen.ir.hand_written import HandWrittenFunction, ModuleName

_IDENTIFIERS = ("id", "attr", "arg", "name", "asname", "rest")
"""The attributes of nodes that hold one name."""


def queried_gates(
    functions: Iterable[HandWrittenFunction], folder: Path, known: Container[str]
) -> frozenset[str] | None:
    """Return the `known` gates that are named in strings of the functions, or of code that they use.

    None if a module is not valid Python: the caller that copies modules reports the errors.
    """
    wanted: dict[ModuleName, set[str]] = defaultdict(set)
    for function in functions:
        wanted[function.home].add(function.name)
    modules: dict[ModuleName, tuple[_Statement, ...]] = {}
    waiting, texts = list(wanted), set[str]()
    while waiting:
        name = waiting.pop()
        try:
            module = modules[name] = modules.get(name) or _statements(folder / name.path)
        except (SyntaxError, ValueError, OSError, RecursionError, MemoryError):
            return None
        needed = _needed_names(module, wanted[name])
        for statement in module:
            if statement.defined and needed.isdisjoint(statement.defined):
                continue
            texts |= statement.texts
            for other, names in statement.imported(folder.name, needed):
                if (folder / other.path).is_file() and not wanted[other].issuperset(names):
                    wanted[other].update(names)
                    waiting.append(other)
    return frozenset(text for text in texts if text in known)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A statement at the top of a module: the names that it gives a meaning to, those that it uses, and text in it."""

    node: ast.stmt
    defined: frozenset[str]
    used: frozenset[str]
    texts: frozenset[str]

    def imported(self, package: str, needed: Container[str]) -> Iterator[tuple[ModuleName, tuple[str, ...]]]:
        """Yield the needed names that it imports from other hand-written modules, by module."""
        if isinstance(self.node, ast.ImportFrom) and self.node.module is not None and not self.node.level:
            match self.node.module.split("."):
                case [first, group, version, helper] if first == package:
                    aliases = (each for each in self.node.names if (each.asname or each.name) in needed)
                    names = tuple(alias.name for alias in aliases)
                    yield ModuleName(group, version, helper), names


def _statements(path: Path) -> tuple[_Statement, ...]:
    return tuple(_statement(node) for node in ast.parse(path.read_text(encoding="utf-8")).body)


def _statement(node: ast.stmt) -> _Statement:
    below = list(ast.walk(node))
    texts = frozenset(each.value for each in below if isinstance(each, ast.Constant) and isinstance(each.value, str))
    is_import = isinstance(node, ast.Import | ast.ImportFrom)
    used = frozenset() if is_import else frozenset(name for each in below for name in _names(each))
    return _Statement(node, frozenset(_defined(node)), used, texts)


def _needed_names(module: tuple[_Statement, ...], keep: Iterable[str]) -> frozenset[str]:
    """All names that functions lead to."""
    uses: dict[str, set[str]] = {}
    always: set[str] = set()
    for statement in module:
        for name in statement.defined:
            uses.setdefault(name, set()).update(statement.used)
        if not statement.defined:
            always |= statement.used
    return reached((*keep, *always), lambda name: uses.get(name, ()))


def _defined(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign():
            yield from (name for target in node.targets for each in ast.walk(target) for name in _names(each))
        case ast.AnnAssign():
            yield from (name for each in ast.walk(node.target) for name in _names(each))
        case ast.Import() | ast.ImportFrom():
            yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names if alias.name != "*")


def _names(node: ast.AST) -> Iterator[str]:
    for attribute in _IDENTIFIERS:
        name = getattr(node, attribute, None)
        if isinstance(name, str):
            yield name
    if isinstance(node, ast.Global | ast.Nonlocal):
        yield from node.names
