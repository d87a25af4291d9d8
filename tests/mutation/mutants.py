"""The mutants of a module: each is one changed function, named by its code, so that an added line changes no name."""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from tests.mutation.operators import changed

MODULE = "<module>"
"""What the place of a change to a constant of the module is called."""

_LONGEST = 160


@dataclass(frozen=True, slots=True)
class Name:
    """What tells a mutant from the others, without line numbers."""

    function: str
    statement: str
    change: str

    def __str__(self) -> str:
        return f"{self.function}: {self.change}\n    in: {self.statement}"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A module with one change, not yet compiled."""

    module: str
    name: Name
    tree: ast.Module
    statement: ast.stmt

    def put_in_place(self, module: ModuleType) -> None:
        """Make the loaded module behave like this, also for modules that have imported from it.

        Functions are given another code object. They stay the same objects, so everybody who holds one gets the mutant.
        """
        file = str(module.__file__)
        if self.name.function == MODULE:
            exec(compile(ast.Module([self.statement], []), file, "exec"), vars(module))
            return
        function = live_function(module, self.name.function)
        function.__code__ = code_of(compile(self.tree, file, "exec"), self.name.function)


def mutants_of(module: ModuleType) -> list[Mutant]:
    """Every mutant of a module, in the order of its source."""
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    found = []
    seen: Counter[Name] = Counter()
    for function, statement, node in _places(tree):
        for other in changed(node):
            name = Name(function, _shortened(statement), _difference(_text(node), _text(other)))
            seen[name] += 1
            if seen[name] > 1:
                name = Name(function, name.statement, f"{name.change} (no. {seen[name]})")
            whole, own = _replaced(tree, node, other, statement)
            if _compiles(whole):
                found.append(Mutant(module.__name__, name, whole, own))
    return found


def live_function(module: ModuleType, path: str) -> FunctionType:
    """The function of a loaded module with a qualified name, without what decorators have put round it."""
    found: Any = module
    for part in path.split("."):
        found = vars(found)[part]
    if isinstance(found, property):
        found = found.fget
    if isinstance(found, staticmethod | classmethod):
        found = found.__func__
    found = inspect.unwrap(found)
    assert isinstance(found, FunctionType)
    return found


def code_of(code: CodeType, path: str) -> CodeType:
    """The code of a function with a qualified name, in that of its module."""
    for part in path.split("."):
        code = next(each for each in code.co_consts if isinstance(each, CodeType) and each.co_name == part)
    return code


def _places(tree: ast.Module) -> Iterator[tuple[str, ast.stmt, ast.AST]]:
    """Every node that runs when a function does, or that makes a constant: with its function and statement."""
    for statement in tree.body:
        match statement:
            case ast.FunctionDef() | ast.ClassDef():
                yield from _places_in(statement, "")
            case ast.Assign(value=ast.Call(func=ast.Name("TypeVar"))):
                pass
            case ast.Assign(targets=[ast.Name(name)]) if name.isupper():
                yield from ((MODULE, statement, node) for node in _expressions(statement.value))
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value) if name.isupper():
                yield from ((MODULE, statement, node) for node in _expressions(value))


def _places_in(owner: ast.FunctionDef | ast.ClassDef, outside: str) -> Iterator[tuple[str, ast.stmt, ast.AST]]:
    path = f"{outside}{owner.name}"
    if isinstance(owner, ast.FunctionDef):
        yield from ((path, statement, node) for each in owner.body for statement, node in _in_statement(each))
        return
    for each in owner.body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield from _places_in(each, f"{path}.")


def _in_statement(statement: ast.stmt) -> Iterator[tuple[ast.stmt, ast.AST]]:
    if _is_docstring(statement) or isinstance(statement, ast.Assert | ast.Pass | ast.Import | ast.ImportFrom):
        return
    yield statement, statement
    for field, value in ast.iter_fields(statement):
        if field in ("annotation", "returns", "decorator_list", "args", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.stmt):
                yield from _in_statement(child)
            elif isinstance(child, ast.match_case):
                yield from ((statement, node) for node in _expressions(child.guard) if child.guard is not None)
                for each in child.body:
                    yield from _in_statement(each)
            elif isinstance(child, ast.AST):
                yield from ((statement, node) for node in _expressions(child))


def _expressions(node: ast.AST | None) -> Iterator[ast.AST]:
    if node is None:
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _expressions(child)


def _replaced(tree: ast.Module, node: ast.AST, other: ast.AST, statement: ast.stmt) -> tuple[ast.Module, ast.stmt]:
    """A copy of a tree with another node in the place of one, and the statement in it that holds the place."""

    class Replacer(ast.NodeTransformer):
        own: ast.stmt = statement

        def visit(self, each: ast.AST) -> ast.AST:
            if each is node:
                found = ast.copy_location(copy.deepcopy(other), node)
            else:
                found = copy.copy(each)
                for field, value in ast.iter_fields(each):
                    setattr(found, field, self._of(value))
            if each is statement:
                assert isinstance(found, ast.stmt)
                self.own = found
            return found

        def _of(self, value: Any) -> Any:
            if isinstance(value, list):
                return [self._of(one) for one in value]
            return self.visit(value) if isinstance(value, ast.AST) else value

    replacer = Replacer()
    whole = ast.fix_missing_locations(replacer.visit(tree))
    assert isinstance(whole, ast.Module)
    return whole, replacer.own


def _compiles(tree: ast.Module) -> bool:
    try:
        compile(tree, MODULE, "exec")
    except (SyntaxError, TypeError, ValueError):
        return False
    return True


def _shortened(statement: ast.stmt) -> str:
    text = _text(statement)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _text(node: ast.AST) -> str:
    """A node as source, in one line; of a statement that holds others the first line."""
    if isinstance(node, ast.If | ast.While | ast.For | ast.With | ast.Match | ast.Try | ast.FunctionDef):
        first = ast.unparse(node).splitlines()[0]
        return first if not isinstance(node, ast.If) or node.orelse else f"{first} (without else)"
    return " ".join(line.strip() for line in ast.unparse(node).splitlines()).strip()


def _difference(before: str, after: str) -> str:
    """`before -> after`, without the words that begin and end both where it is long."""
    if max(len(before), len(after)) <= _LONGEST // 2:
        return f"{before} -> {after}"
    old, new = before.split(" "), after.split(" ")
    begun = _in_common(old, new)
    old, new = old[begun:], new[begun:]
    ended = _in_common(old[::-1], new[::-1])
    old, new = old[: len(old) - ended], new[: len(new) - ended]
    words = [" ".join(each) or "nothing" for each in (old, new)]
    return f"… {_cut(words[0])} … -> … {_cut(words[1])} …"


def _in_common(words: list[str], others: list[str]) -> int:
    """With how many same words two texts begin."""
    pairs = zip(words, others, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
