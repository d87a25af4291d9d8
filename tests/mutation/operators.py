"""The small changes: what of a piece of syntax a mutant has otherwise. Nothing here knows where the code is from."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_SYMMETRIC = ("semantic_equal", "max", "min")
"""Functions of which the arguments mean the same in any order: to swap them changes nothing."""

_OPPOSITES = {"any": "all", "all": "any", "min": "max", "max": "min"}


def changed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield replacements of a node, one small change each. The node itself is not changed."""
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BoolOp():
            yield from _joined(node)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
            yield ast.BinOp(left, _ARITHMETIC[type(op)](), right)
        case ast.Constant(value):
            yield from (ast.Constant(other) for other in _others(value))
        case ast.Name(name, ast.Load()) if name in _OPPOSITES:
            yield ast.Name(_OPPOSITES[name], ast.Load())
        case ast.Call():
            yield from _called(node)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(_negated(test), body, orelse)
        case ast.List(ctx=ast.Load()) | ast.Tuple(ctx=ast.Load()) | ast.Set():
            yield from _without_elements(node)
        case ast.comprehension():
            yield from _filtered(node)
        case ast.stmt():
            yield from _done_otherwise(node)


def _compared(node: ast.Compare) -> Iterator[ast.AST]:
    for index, op in enumerate(node.ops):
        for other in _COMPARISONS[type(op)]:
            yield ast.Compare(node.left, [*node.ops[:index], other(), *node.ops[index + 1 :]], node.comparators)


def _joined(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    for index in range(len(node.values)):
        rest = [*node.values[:index], *node.values[index + 1 :]]
        yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)


def _others(value: object) -> Iterator[bool | int | str]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case str():
            yield f"not {value}" if value else "something"


def _called(node: ast.Call) -> Iterator[ast.AST]:
    if isinstance(node.func, ast.Name) and node.func.id in _SYMMETRIC:
        return
    for index in range(len(node.args) - 1):
        first, second = node.args[index : index + 2]
        if not isinstance(first, ast.Starred) and not isinstance(second, ast.Starred):
            yield ast.Call(node.func, [*node.args[:index], second, first, *node.args[index + 2 :]], node.keywords)


def _without_elements(node: ast.List | ast.Tuple | ast.Set) -> Iterator[ast.AST]:
    for index in range(len(node.elts) if len(node.elts) > 1 or isinstance(node, ast.List) else 0):
        other = copy.copy(node)
        other.elts = [*node.elts[:index], *node.elts[index + 1 :]]
        yield other


def _filtered(node: ast.comprehension) -> Iterator[ast.AST]:
    for index, test in enumerate(node.ifs):
        before, after = node.ifs[:index], node.ifs[index + 1 :]
        yield ast.comprehension(node.target, node.iter, [*before, *after], node.is_async)
        yield ast.comprehension(node.target, node.iter, [*before, _negated(test), *after], node.is_async)


def _done_otherwise(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.If(test, body, orelse):
            yield ast.If(_negated(test), body, orelse)
            if orelse:
                yield ast.If(test, body, [])
        case ast.While(test, body, orelse):
            yield ast.While(_negated(test), body, orelse)
        case ast.Return(value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Return():
            yield ast.Pass()
        case ast.Continue():
            yield from (ast.Pass(), ast.Break())
        case ast.Break():
            yield from (ast.Pass(), ast.Continue())
        case ast.Expr(ast.Constant()):
            pass
        case ast.Expr() | ast.Raise() | ast.AugAssign() | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets) if not any(isinstance(target, ast.Name | ast.Tuple) for target in targets):
            yield ast.Pass()
    if isinstance(node, ast.AugAssign) and type(node.op) in _ARITHMETIC:
        yield ast.AugAssign(node.target, _ARITHMETIC[type(node.op)](), node.value)


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None
