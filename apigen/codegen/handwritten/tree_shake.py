"""Selects the parts of a hand-written module that some of its functions need, so that copies have no unused code."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from apigen.ir.graphs import reached

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def shaken(module: cst.Module, keep: Collection[str]) -> cst.Module:
    """The module without the definitions and imports that the functions of `keep` do not lead to."""
    needed = needed_names(module.body, keep)
    return module.with_changes(body=[kept for each in module.body if (kept := _kept(each, needed)) is not None])


def needed_names(body: Sequence[Statement], keep: Collection[str]) -> frozenset[str]:
    """All names that the kept functions lead to."""
    uses: dict[str, set[str]] = {}
    always: set[str] = set()
    for statement in body:
        defined, used = _defined(statement), _used(statement)
        for name in defined:
            uses.setdefault(name, set()).update(used)
        if not defined:
            always |= used
    return reached((*keep, *always), lambda name: uses.get(name, ()))


def _kept(statement: Statement, needed: frozenset[str]) -> Statement | None:
    defined = _defined(statement)
    if not defined or "annotations" in defined:
        return statement
    if needed.isdisjoint(defined):
        return None
    if isinstance(statement, cst.SimpleStatementLine):
        return statement.with_changes(body=[_pruned(small, needed) for small in statement.body])
    return statement


def _pruned(statement: cst.BaseSmallStatement, needed: frozenset[str]) -> cst.BaseSmallStatement:
    """Return an import without unused names; other statements are unchanged."""
    if not isinstance(statement, cst.Import | cst.ImportFrom) or isinstance(statement.names, cst.ImportStar):
        return statement
    kept = [alias for alias in statement.names if _bound(alias) in needed]
    kept[-1:] = [alias.with_changes(comma=cst.MaybeSentinel.DEFAULT) for alias in kept[-1:]]
    return statement.with_changes(names=kept)


def _defined(statement: Statement) -> set[str]:
    """Return the names that a statement at the top of a module defines."""
    if isinstance(statement, cst.FunctionDef | cst.ClassDef):
        return {statement.name.value}
    names: set[str] = set()
    if isinstance(statement, cst.SimpleStatementLine):
        for small in statement.body:
            match small:
                case cst.Assign():
                    names |= {name for target in small.targets for name in _names(target.target)}
                case cst.AnnAssign():
                    names |= set(_names(small.target))
                case cst.Import() | cst.ImportFrom() if not isinstance(small.names, cst.ImportStar):
                    names |= {_bound(alias) for alias in small.names}
    return names


def _used(statement: Statement) -> set[str]:
    if isinstance(statement, cst.SimpleStatementLine) and any(
        isinstance(small, cst.Import | cst.ImportFrom) for small in statement.body
    ):
        return set()
    return set(_names(statement))


def _names(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    for child in node.children:
        yield from _names(child)


def _bound(alias: cst.ImportAlias) -> str:
    if alias.asname is not None and isinstance(alias.asname.name, cst.Name):
        return alias.asname.name.value
    return dotted(alias.name).partition(".")[0]


def dotted(node: cst.BaseExpression | None) -> str:
    """The name that dots join (`a.b.c`), empty for any other expression."""
    match node:
        case cst.Name():
            return node.value
        case cst.Attribute():
            return f"{dotted(node.value)}.{node.attr.value}"
    return ""


def imported(body: Sequence[Statement]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(module, names imported from it) of every `from … import …` at the top of a module."""
    for statement in body:
        if isinstance(statement, cst.SimpleStatementLine):
            for small in statement.body:
                if isinstance(small, cst.ImportFrom) and not isinstance(small.names, cst.ImportStar):
                    yield dotted(small.module), tuple(dotted(alias.name) for alias in small.names)
