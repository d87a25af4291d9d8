"""Write the functions that return whether an object uses the fields of a gate: `frobber_uses_frobber2_d(obj)`."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.python.conditions import Predicate, Scope, condition_expression, holds, inline_members, is_set
from apigen.codegen.python.source_text import Code
from apigen.codegen.strategies.places import Child
from apigen.codegen.strategies.rules import Closed, DropRule, Removed, Use
from apigen.codegen.strategies.values import Writer, a
from apigen.codegen.strategies.walks import PlannedFunction
from apigen.ir.places import (
    BoundPath,
    BoundStep,
    EachStep,
    FieldStep,
    InlineStep,
    KeyStep,
    PrefixStep,
    SelectStep,
)
from apigen.ir.types import StructType, is_bytes


def use_function(function: PlannedFunction, writer: Writer) -> Code:
    """Return a function that returns whether a struct, or a nested one, uses the fields of a walk."""
    walk = function.key.walk
    assert isinstance(walk, Use)
    struct = writer.struct(function.key.struct)
    reads_gates = writer.planner.queries_gates(walk)
    scope = writer.scope(struct, "features" if reads_gates else None)
    parts = [part for rule in function.rules for part in _rule_parts(rule, walk, scope, writer)]
    for child, key in function.calls:
        parts.append(any_child(child, _calling(writer.call(key), reads_gates), scope))
    arguments = f"obj: {writer.imports.type_name(struct.id)}"
    if reads_gates:
        arguments += f", features: {writer.imports.runtime('Features')}"
    code = Code()
    with code.block(f"def {function.name}({arguments}) -> bool:"):
        code.docstring(f"Whether {a(struct.id.name)} uses {_subject(walk)}.")
        code.line(f"return {' or '.join(_bracketed(part, len(parts)) for part in dict.fromkeys(parts))}")
    return code


def _subject(walk: Use) -> str:
    if isinstance(walk.off, Removed):
        return f"fields removed in release {walk.off.release}"
    if isinstance(walk.off, Closed):
        owner = walk.owner
        return f"values that the rule of {owner.name} rejects" if owner else "values that are no longer accepted"
    gates = walk.off.title
    return gates if walk.owner is None else f"{gates}, according to the rule of {walk.owner.name}"


def _calling(function: str, reads_gates: bool) -> Predicate:
    return lambda value: f"{function}({value}, features)" if reads_gates else f"{function}({value})"


def any_child(child: Child, predicate: Predicate, scope: Scope) -> str:
    """Return an expression whether a predicate is true for a struct in a field of `obj`, or for any of several; it does
    not get `None`.
    """
    last = child.steps[-1]
    can_be_none = child.field.can_be_none if isinstance(last, FieldStep) else last.can_be_none

    def guarded(value: str) -> str:
        return f"{value} is not None and {predicate(value)}" if can_be_none else predicate(value)

    return holds(child.steps, "obj", scope, guarded)


def _rule_parts(rule: DropRule, walk: Use, scope: Scope, writer: Writer) -> Iterator[str]:
    if walk.condition is not None:
        yield condition_expression(walk.condition, scope)
        return
    for path in rule.paths:
        yield holds(_place(path), "obj", scope, _used(path, rule, scope, writer))


def _place(path: BoundPath) -> tuple[BoundStep, ...]:
    """Return the steps of a path to the value that must be set; for a path to each element, those to the list."""
    return path.steps[:-1] if isinstance(path.steps[-1], EachStep) else path.steps


def _used(path: BoundPath, rule: DropRule, scope: Scope, writer: Writer) -> Predicate:
    """Return a test whether the value at the end of a path counts as used: set, and not the value that a drop leaves."""
    match path.steps[-1]:
        case EachStep():
            return lambda value: f"bool({value})"
        case KeyStep() | PrefixStep() | SelectStep():
            return lambda value: "True"
        case InlineStep(inline):
            assert isinstance(path.type, StructType)
            members = inline_members(writer.struct(path.type.id), inline)
            return lambda value: " or ".join(
                is_set(f.type, f.can_be_none, scope)(f"{value}.{f.py_name}") for f in members
            )
    is_set_test = is_set(path.type, path.can_be_none and not is_bytes(path.type), scope)
    if rule.to is None:
        return is_set_test
    default = writer.literal(rule.to, path.type)
    return lambda value: f"{is_set_test(value)} and {value} != {default}"


def _bracketed(part: str, count: int) -> str:
    return f"({part})" if count > 1 and (" and " in part or " or " in part) and not part.startswith("any(") else part
