"""The body of a conversion function: values first, then what moves below other structs, then what follows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.backends.conversions.statements import write_statements
from apigen.backends.conversions.trees import Conversions
from apigen.backends.conversions.values import Loop, ValueConverter
from apigen.dataclass import dataclass, field, replace
from apigen.hub.steps import SOURCE, TARGET, Assign, Parent, Step, TypePlan
from apigen.ir.expressions import Choice, Convert, IsNone, Literal
from apigen.ir.field_paths import FieldPath, optional_parents
from apigen.ir.model import Field, Struct
from apigen.ir.types import StructType, underlying
from apigen.ir.value_conversions import Sharing
from apigen.python.code import Code, text_literal
from apigen.python.conditions import Scope
from apigen.python.expressions import PythonExpressions
from apigen.python.field_paths import attribute, present
from apigen.python.making import blank, write_list
from apigen.python.walking import ItemVariables
from apigen.python.zero import zero

_LOOP = re.compile(r"\bfor (\w+) in ")
"""How the statements that follow name what they go over, which may be of another type."""


@dataclass(frozen=True, slots=True)
class Body:
    """One direction of a conversion function that makes a `target`.

    Later statements change something below the fields `owned` of the target: no more than what a struct made here says
    itself, but for those that are `deep`, where it is further down.
    """

    to_hub: bool
    target: Struct
    scope: Scope
    converter: ValueConverter
    owned: frozenset[str]
    deep: frozenset[str]

    def expressions(self, target: FieldPath = ()) -> PythonExpressions:
        """What writes expressions; with `target`, for the value of that place."""
        converter = replace(self.converter, allowed=self._sharing(target[0])) if target else self.converter
        return PythonExpressions(self.scope, Conversions(converter))

    def loop(self, assign: Assign) -> tuple[str, Loop] | None:
        """The list, which may be `None` on both sides, that a loop converts; None for other values."""
        match assign.value:
            case Choice(IsNone(value), Literal(None), Convert(same, conversion, _, None)) if same == value:
                loop = replace(self.converter, allowed=self._sharing(assign.target[0])).loop(conversion)
                return None if loop is None else (self.expressions().text(value), loop)
        return None

    def _sharing(self, field: Field) -> Sharing:
        """What a field of the target may have of the source, where the caller allows it."""
        if field.json_name in self.deep:
            return Sharing.NOTHING
        return Sharing.BELOW if field.json_name in self.owned else Sharing.ALL


@dataclass(slots=True)
class _Group:
    """Assignments that share what they are read below and what they are written below."""

    guards: tuple[FieldPath, ...]
    parents: tuple[FieldPath, ...]
    members: list[Assign] = field(default_factory=list)


def write_body(code: Code, plan: TypePlan, body: Body, result: str, api_version: str) -> None:
    """Write the statements that make `result`, a class whose objects say `api_version`, from the source."""
    assigned = [assign for step in plan.steps for assign in step.assignments(body.to_hub)]
    plain = [a for a in assigned if len(a.target) == 1 and not a.guards]
    for assign in plain:
        body.expressions().text(assign.is_set or Literal(False))  # not written, but modules import what it names
    after = Code()
    built = {a.target for a in plain}
    for group in _groups(a for a in assigned if len(a.target) > 1 or a.guards):
        _write_group(after, group, body, built)
    for step in _joined(plan.steps):
        write_statements(after, step.statements(body.to_hub), body.expressions())
    code.line(f"{TARGET} = {body.scope.runtime('new')}({result})")
    taken = ("new", "share", *_LOOP.findall(after.text()))
    _write_fields(code, body, plain, api_version, ItemVariables("copy", taken))
    code.extend(after)
    code.line(f"return {TARGET}")


def _joined(steps: Iterable[Step]) -> list[Step]:
    """The steps; those that follow each other and can be one statement are one."""
    found: list[Step] = []
    for step in steps:
        both = found[-1].joined(step) if found else None
        found[-1:] = [*found[-1:], step] if both is None else [both]
    return found


def _write_fields(
    code: Code, body: Body, assigned: Iterable[Assign], api_version: str, variables: ItemVariables
) -> None:
    """Set every field of the target: it is made without running its defaults."""
    struct, scope = body.target, body.scope
    if struct.has_type_meta:
        code.line(f"{TARGET}.api_version = {text_literal(api_version)}")
        code.line(f"{TARGET}.kind = {text_literal(struct.id.name)}")
    assigns = {assign.target[0].json_name: assign for assign in assigned}
    for each in struct.fields:
        place, assign = f"{TARGET}.{each.py_name}", assigns.get(each.json_name)
        loop = body.loop(assign) if assign is not None else None
        if assign is None:
            code.line(f"{place} = {zero(each.type, each.can_be_none, scope.runtime, scope.type_name)}")
        elif loop is None:
            code.line(f"{place} = {body.expressions(assign.target).text(assign.value)}")
        else:
            _write_loop(code, place, *loop, variables)


def _write_loop(code: Code, place: str, source: str, items: Loop, variables: ItemVariables) -> None:
    """Set a list, `None` where that of the source is."""
    loop = Code()
    variable = variables.of(items.type)
    write_list(loop, source, variable, items.made(variable), place)
    code.line(f"{place} = None")
    with code.block(f"if {source} is not None:"):
        if not items.may_be_shared:
            code.extend(loop)
            return
        with code.block("if share:"):
            code.line(f"{place} = {source}")
        with code.block("else:"):
            code.extend(loop)


def _groups(assigned: Iterable[Assign]) -> list[_Group]:
    groups: dict[tuple[tuple[FieldPath, ...], tuple[FieldPath, ...]], _Group] = {}
    for assign in assigned:
        parents = optional_parents(assign.target)
        groups.setdefault((assign.guards, parents), _Group(assign.guards, parents)).members.append(assign)
    return list(groups.values())


def _write_group(code: Code, group: _Group, body: Body, built: set[FieldPath]) -> None:
    conditions = present(SOURCE, group.guards)
    always = any(a.parent is Parent.ALWAYS for a in group.members)
    tests = [a.is_set for a in group.members if a.is_set is not None]
    if group.parents and not always:
        if tests:
            texts = list(dict.fromkeys(body.expressions().text(test) for test in tests))
            any_set = " or ".join(texts)
            conditions.append(f"({any_set})" if conditions and len(texts) > 1 else any_set)
        else:
            conditions += present(TARGET, group.parents)
    with code.when(conditions):
        _write_members(code, group, body, set(built) if conditions else built, build=bool(tests) or always)
    built.update(group.parents if conditions else ())


def _write_members(code: Code, group: _Group, body: Body, built: set[FieldPath], *, build: bool) -> None:
    for parent in group.parents if build else ():
        inner = underlying(parent[-1].type)
        assert isinstance(inner, StructType)
        place = attribute(TARGET, parent)
        with code.when([f"{place} is None"] if parent in built else []):
            code.line(f"{place} = {blank(inner, body.scope.type_name)}")
        built.add(parent)
    for assign in group.members:
        code.line(f"{attribute(TARGET, assign.target)} = {body.expressions(assign.target).text(assign.value)}")
