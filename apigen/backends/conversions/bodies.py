"""The body of a conversion function: values first, then what moves below other structs, then what follows."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apigen.dataclass import dataclass, field, replace
from apigen.hub.steps import Assign, Body, Items, Parent, Step, TypePlan
from apigen.ir.field_paths import FieldPath, json_names, optional_parents
from apigen.ir.types import StructType, underlying
from apigen.python.code import Code, text_literal
from apigen.python.field_paths import attribute, present
from apigen.python.making import blank, write_list
from apigen.python.walking import ItemVariables
from apigen.python.zero import zero

_LOOP = re.compile(r"\bfor (\w+) in ")
"""How the statements that follow name what they go over, which may be of another type."""


@dataclass(slots=True)
class _Group:
    """Assignments that share what they are read below and what they are written below."""

    guards: tuple[FieldPath, ...]
    parents: tuple[FieldPath, ...]
    members: list[Assign] = field(default_factory=list)


def write_body(plan: TypePlan, body: Body, result: str, api_version: str) -> None:
    """Write the statements that make `result`, a class whose objects say `api_version`, from the source."""
    assigned = [assign for step in plan.steps for assign in step.assignments(body)]
    plain = [a for a in assigned if len(a.target) == 1 and not a.guards]
    grouped = _groups(a for a in assigned if len(a.target) > 1 or a.guards)
    after = Code()
    later = replace(body, code=after)
    built = {a.target for a in plain}
    for group in grouped:
        _write_group(group, later, built)
    for step in _joined(plan.steps):
        step.statements(later)
    body.code.line(f"{body.target} = {body.runtime('new')}({result})")
    taken = ("new", "share", *_LOOP.findall(after.text()))
    _write_fields(body, plain, api_version, ItemVariables("copy", taken))
    body.code.extend(after)
    body.code.line(f"return {body.target}")


def _joined(steps: Iterable[Step]) -> list[Step]:
    """The steps; those that follow each other and can be one statement are one."""
    found: list[Step] = []
    for step in steps:
        both = found[-1].joined(step) if found else None
        found[-1:] = [*found[-1:], step] if both is None else [both]
    return found


def _write_fields(body: Body, assigned: Iterable[Assign], api_version: str, variables: ItemVariables) -> None:
    """Set every field of the target: it is made without running its defaults."""
    struct = body.hub if body.to_hub else body.version
    if struct.has_type_meta:
        body.code.line(f"{body.target}.api_version = {text_literal(api_version)}")
        body.code.line(f"{body.target}.kind = {text_literal(struct.id.name)}")
    assigns = {assign.target[0].json_name: assign for assign in assigned}
    for each in struct.fields:
        place, assign = f"{body.target}.{each.py_name}", assigns.get(each.json_name)
        if assign is None:
            body.code.line(f"{place} = {zero(each.type, each.can_be_none, body.runtime, body.type_name)}")
        elif assign.items is None:
            body.code.line(f"{place} = {assign.value}")
        else:
            _write_items(body.code, place, assign.items, variables)


def _write_items(code: Code, place: str, items: Items, variables: ItemVariables) -> None:
    """Set a list, `None` where that of the source is."""
    loop = Code()
    variable = variables.of(items.type)
    write_list(loop, items.source, variable, items.made(variable), place)
    code.line(f"{place} = None")
    with code.block(f"if {items.source} is not None:"):
        if not items.may_be_shared:
            code.extend(loop)
            return
        with code.block("if share:"):
            code.line(f"{place} = {items.source}")
        with code.block("else:"):
            code.extend(loop)


def written_places(plan: TypePlan, body: Body) -> tuple[tuple[str, ...], ...]:
    """The places in the target that values and statements write, by their JSON names."""
    changed = [place for step in plan.steps for place in step.changes(body.to_hub)]
    changed += [json_names(a.target) for step in plan.steps for a in step.assignments(body)]
    return tuple(changed)


def _groups(assigned: Iterable[Assign]) -> list[_Group]:
    groups: dict[tuple[tuple[FieldPath, ...], tuple[FieldPath, ...]], _Group] = {}
    for assign in assigned:
        parents = optional_parents(assign.target)
        groups.setdefault((assign.guards, parents), _Group(assign.guards, parents)).members.append(assign)
    return list(groups.values())


def _write_group(group: _Group, body: Body, built: set[FieldPath]) -> None:
    conditions = present(body.source, group.guards)
    always = any(a.parent is Parent.ALWAYS for a in group.members)
    only_constants = all(a.is_set == "False" for a in group.members)
    if group.parents and not always:
        if only_constants:
            conditions += present(body.target, group.parents)
        else:
            conditions.append(_any_set(group.members, bool(conditions)))
    if not conditions:
        _write_members(group, body, built, build=not only_constants or always)
        return
    with body.code.block(f"if {' and '.join(conditions)}:"):
        _write_members(group, body, set(built), build=not only_constants or always)
    built.update(group.parents)


def _any_set(members: list[Assign], joined: bool) -> str:
    parts = list(dict.fromkeys(a.is_set for a in members if a.is_set != "False"))
    text = " or ".join(parts)
    return f"({text})" if joined and len(parts) > 1 else text


def _write_members(group: _Group, body: Body, built: set[FieldPath], *, build: bool) -> None:
    for parent in group.parents if build else ():
        inner = underlying(parent[-1].type)
        assert isinstance(inner, StructType)
        place = attribute(body.target, parent)
        made = f"{place} = {blank(inner, body.type_name)}"
        if parent in built:
            with body.code.block(f"if {place} is None:"):
                body.code.line(made)
        else:
            body.code.line(made)
            built.add(parent)
    for assign in group.members:
        body.code.line(f"{attribute(body.target, assign.target)} = {assign.value}")
