"""One default: reach the place, see that it is not set, and take the first case that holds."""

from __future__ import annotations

from collections.abc import Callable

from apigen.codegen.literals import literal_expression
from apigen.codegen.python.code import Code, literal
from apigen.codegen.python.conditions import Scope, condition_expression, holds, is_set
from apigen.codegen.python.field_paths import value_at
from apigen.codegen.python.making import copied_list, copied_map
from apigen.codegen.python.walking import walk
from apigen.codegen.python.zero import zero
from apigen.dataclass import dataclass, replace
from apigen.ir.literals import literal_value
from apigen.ir.model import Struct
from apigen.ir.places import BoundPath, BoundStep, FieldStep, InlineStep, KeyStep, PrefixStep, type_after
from apigen.ir.types import (
    ListType,
    MapType,
    Scalar,
    ScalarType,
    StructType,
    Type,
    TypeId,
    WellKnown,
    WellKnownType,
    is_text,
    underlying,
)
from apigen.language.model import DefaultCase, Located, PathDefault

Copier = Callable[[TypeId, str], str]


@dataclass(frozen=True, slots=True)
class _Target:
    """The place of a default: an attribute or the entry of a map, with the struct that conditions start from."""

    place: str
    type: Type
    can_be_none: bool
    map: str | None = None


def write_default(code: Code, entry: PathDefault, block: Struct, scope: Scope, copier: Copier) -> None:
    """Write the code of one default. `scope` is that of the block; conditions start at the holder of the place."""
    bound = scope.bind(entry.path)[1]
    above, last = _holder_steps(bound.steps)
    holder = _struct_at(bound, len(above), block, scope)

    def fill(inner: Code, root: str) -> None:
        here = replace(scope, holder=root, holder_struct=holder)
        _fill(inner, entry.cases, _target(bound, last, root), here, copier)

    walk(code, above, "obj", scope, fill)


def _holder_steps(steps: tuple[BoundStep, ...]) -> tuple[tuple[BoundStep, ...], tuple[BoundStep, ...]]:
    """The steps to the struct that holds the place, and those from there: a field, perhaps a key of its map."""
    at = max(i for i, step in enumerate(steps) if isinstance(step, FieldStep))
    while at > 0 and isinstance(steps[at - 1], InlineStep):
        at -= 1
    return steps[:at], steps[at:]


def _struct_at(bound: BoundPath, count: int, block: Struct, scope: Scope) -> Struct:
    steps = [step for step in bound.steps[:count] if not isinstance(step, InlineStep | PrefixStep)]
    behind = underlying(type_after(steps[-1])) if steps else StructType(block.id)
    assert isinstance(behind, StructType)
    struct = scope.types[behind.id]
    assert isinstance(struct, Struct)
    return struct


def _target(bound: BoundPath, last: tuple[BoundStep, ...], root: str) -> _Target:
    field = next(step.field for step in last if isinstance(step, FieldStep))
    place = f"{root}.{field.py_name}"
    end = last[-1]
    if isinstance(end, KeyStep):
        return _Target(f"{place}[{literal(end.key)}]", bound.type, False, place)
    return _Target(place, field.type, field.can_be_none)


def _fill(code: Code, cases: tuple[DefaultCase, ...], target: _Target, scope: Scope, copier: Copier) -> None:
    groups: list[tuple[str, list[DefaultCase]]] = []
    for case in cases:
        unset = "" if case.overwrite or case.by_key else _unset(target, case, scope)
        if groups and groups[-1][0] == unset:
            groups[-1][1].append(case)
        else:
            groups.append((unset, [case]))
    if len(groups) == 1:
        unset, members = groups[0]
        _write_cases(code, unset, members, target, scope, copier)
        return
    word = "if"
    for case in cases:
        unset = "" if case.overwrite or case.by_key else _unset(target, case, scope)
        conditions = [c for c in (_when(case, scope), unset, _from_is_set(case, scope)) if c]
        with code.block(f"{word} {_joined(conditions)}:" if conditions else "else:"):
            _assign(code, case, target, scope, copier)
        word = "elif"


def _write_cases(
    code: Code, unset: str, cases: list[DefaultCase], target: _Target, scope: Scope, copier: Copier
) -> None:
    if len(cases) == 1:
        conditions = [c for c in (unset, _when(cases[0], scope), _from_is_set(cases[0], scope)) if c]
        if not conditions:
            _assign(code, cases[0], target, scope, copier)
            return
        with code.block(f"if {_joined(conditions)}:"):
            _assign(code, cases[0], target, scope, copier)
        return
    if unset:
        with code.block(f"if {unset}:"):
            _write_chain(code, cases, target, scope, copier)
    else:
        _write_chain(code, cases, target, scope, copier)


def _write_chain(code: Code, cases: list[DefaultCase], target: _Target, scope: Scope, copier: Copier) -> None:
    word = "if"
    for case in cases:
        conditions = [c for c in (_when(case, scope), _from_is_set(case, scope)) if c]
        with code.block(f"{word} {_joined(conditions)}:" if conditions else "else:"):
            _assign(code, case, target, scope, copier)
        if not conditions:
            return
        word = "elif"


def _joined(conditions: list[str]) -> str:
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({c})" if " or " in c or " if " in c else c for c in conditions)


def _when(case: DefaultCase, scope: Scope) -> str:
    return condition_expression(case.when, scope) if case.when is not None else ""


def _unset(target: _Target, case: DefaultCase, scope: Scope) -> str:
    behind = underlying(target.type)
    if target.map is not None:
        key = target.place.removeprefix(target.map)[1:-1]
        return f"{key} not in ({target.map} or {{}})"
    if isinstance(behind, ListType | MapType):
        empty_counts = case.empty_is_set and target.can_be_none
        return f"{target.place} is None" if empty_counts else f"not {target.place}"
    if target.can_be_none:
        return f"{target.place} is None"
    if behind == ScalarType(Scalar.BOOL) or behind == WellKnownType(WellKnown.INT_OR_STRING):
        return f"not {target.place}"
    return is_set(target.type, False, scope)(target.place).replace(" != ", " == ")


def _from_is_set(case: DefaultCase, scope: Scope) -> str:
    if case.from_path is None:
        return ""
    root, bound = scope.bind(case.from_path)
    if isinstance(underlying(bound.type), ListType | MapType):
        if case.empty_is_set and bound.can_be_none:
            return holds(bound.steps, root, scope, lambda value: f"{value} is not None")
        return holds(bound.steps, root, scope, lambda value: value)
    return holds(bound.steps, root, scope, is_set(bound.type, bound.can_be_none, scope))


def _assign(code: Code, case: DefaultCase, target: _Target, scope: Scope, copier: Copier) -> None:
    if target.map is not None:
        key = target.place.removeprefix(target.map)[1:-1]
        code.line(f"{target.map} = {{**({target.map} or {{}}), {key}: {_value(case, target, scope, copier)}}}")
    elif case.by_key:
        code.line(f"{target.place} = {{**{_value(case, target, scope, copier)}, **({target.place} or {{}})}}")
    else:
        code.line(f"{target.place} = {_value(case, target, scope, copier)}")


def _value(case: DefaultCase, target: _Target, scope: Scope, copier: Copier) -> str:
    if case.from_path is None:
        assert case.value is not None
        if isinstance(case.value, Located) and case.value.value is None:  # clears, whatever the type
            return zero(target.type, target.can_be_none, scope.runtime, scope.type_name)
        value = literal_value(case.value, target.type, scope.types)
        return literal_expression(value, scope.type_name, scope.runtime)
    root, bound = scope.bind(case.from_path)
    expression = value_at(root, bound.steps)
    copied = _copy(bound.type, expression, copier)
    if case.into is not None:
        return _built(case.into.value, copied, bound.type, target.type, scope)
    return f"str({copied})" if is_text(target.type) and not is_text(bound.type) else copied


def _built(member: str, value: str, source: Type, type_: Type, scope: Scope) -> str:
    """A new struct with this value in one member."""
    behind = underlying(type_)
    assert isinstance(behind, StructType)
    struct = scope.types[behind.id]
    assert isinstance(struct, Struct)
    field = struct.field(member)
    assert field is not None
    text = f"str({value})" if is_text(field.type) and not is_text(source) else value
    return f"{scope.type_name(behind.id)}({field.py_name}={text})"


def _copy(type_: Type, expression: str, copier: Copier, depth: int = 0) -> str:
    behind = underlying(type_)
    item = "value" if depth == 0 else f"value{depth + 1}"
    match behind:
        case StructType(id_):
            return copier(id_, expression)
        case ListType(inner):
            copied = _copy(inner, item, copier, depth + 1)
            return copied_list(expression) if copied == item else f"[{copied} for {item} in {expression}]"
        case MapType(_, inner):
            copied = _copy(inner, item, copier, depth + 1)
            return (
                copied_map(expression)
                if copied == item
                else f"{{key: {copied} for key, {item} in {expression}.items()}}"
            )
    return expression
