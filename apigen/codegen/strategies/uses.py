"""Write the functions that return whether an object uses the fields of a gate: `frobber_uses_frobber2_d(obj)`."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.python.conditions import Predicate, Scope, condition_expression, holds, is_set
from apigen.codegen.python.source_text import Code
from apigen.codegen.strategies.places import Child
from apigen.codegen.strategies.rules import Closed, DropRule, Removed, Use
from apigen.codegen.strategies.values import Writer, a
from apigen.codegen.strategies.walks import PlannedFunction
from apigen.codegen.types.annotations import item_can_be_none
from apigen.ir.model import Field, Inline, Struct
from apigen.ir.places import (
    BoundPath,
    BoundStep,
    EachStep,
    InlineStep,
    KeyStep,
    PrefixStep,
    SelectStep,
)
from apigen.ir.types import ListType, MapType, StructType, Type, is_bytes, is_container, underlying


def use_function(function: PlannedFunction, writer: Writer) -> Code:
    """Return a function that returns whether a struct, or a nested one, uses the fields of a walk."""
    walk = function.key.walk
    assert isinstance(walk, Use)
    struct = writer.struct(function.key.struct)
    reads_gates = writer.planner.queries_gates(walk)
    scope = writer.scope(struct, "features" if reads_gates else None)
    parts = [part for rule in function.rules for part in _rule_parts(rule, walk, scope, writer)]
    for child, key in function.calls:
        parts.append(any_child(child, _calling(writer.call(key), reads_gates)))
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


def any_child(child: Child, predicate: Predicate) -> str:
    """Return an expression whether a predicate is true for a struct in a field of `obj`, or for any of several."""
    return any_of(child.field, predicate, guarded=True)


def any_of(member: Field, predicate: Predicate, *, guarded: bool) -> str:
    """Return a test whether a predicate is true for the value of a field of `obj`, for any of its elements, or for any
    of theirs.

    `guarded`: `None` is not handed to the predicate.
    """
    guards = guarded or is_container(member.type)
    return _any(f"obj.{member.py_name}", member.type, member.can_be_none and guards, predicate, 0)


def _any(value: str, type_: Type, can_be_none: bool, predicate: Predicate, depth: int) -> str:
    behind = underlying(type_)
    if isinstance(behind, ListType | MapType):
        inner = behind.value if isinstance(behind, MapType) else behind.item
        name = f"item{depth + 1}" if depth else "item"
        test = _any(name, inner, item_can_be_none(inner), predicate, depth + 1)
        found = f"any({test} for {name} in {value}{'.values()' if isinstance(behind, MapType) else ''})"
    else:
        found = predicate(value)
    return f"{value} is not None and {found}" if can_be_none else found


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


def inline_members(struct: Struct, inline: Inline) -> tuple[Field, ...]:
    """Return the fields of a struct that come from an inline field."""
    via = (*inline.via, inline.name)
    return tuple(f for f in struct.fields if f.via[: len(via)] == via)


def _bracketed(part: str, count: int) -> str:
    return f"({part})" if count > 1 and (" and " in part or " or " in part) and not part.startswith("any(") else part
