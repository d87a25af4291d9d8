"""The functions of walks.

`frobber_uses_frobber2_d(obj)` returns whether an object uses the fields of a gate; `drop_frobber2_d_from_frobber(obj, path,
dropped)` takes gated data out of an object.
"""

from __future__ import annotations

from collections.abc import Iterator

from apigen.codegen.python.blocks import Assigned, Block, Blocks, Called, Cleared, within
from apigen.codegen.python.conditions import (
    Predicate,
    Scope,
    condition_expression,
    holds,
    if_set,
    if_unset,
    inline_members,
    is_set,
    selected,
)
from apigen.codegen.python.source_text import literal, numbered
from apigen.codegen.python.values import blank
from apigen.codegen.python.walking import Level, Spot, Walker, guards, values_of
from apigen.codegen.strategies.values import Writer, element_name
from apigen.codegen.strategies.walks import (
    Child,
    Closed,
    DropRule,
    DropWalk,
    FunctionKey,
    PlannedFunction,
    Removed,
    Use,
)
from apigen.dataclass import dataclass, replace
from apigen.ir.model import STRING, Field, StructType, Type, TypeId, is_bytes, underlying
from apigen.ir.places import (
    BoundPath,
    BoundStep,
    EachStep,
    FieldStep,
    IndexStep,
    InlineStep,
    KeyStep,
    PrefixStep,
    SelectStep,
)
from apigen.runtime.errors import with_article


def use_function(planned: PlannedFunction, writer: Writer) -> dict[str, object]:
    """Return the template's values for a function that returns whether a struct, or a nested one, uses the fields of a
    walk.
    """
    walk = planned.key.walk
    assert isinstance(walk, Use)
    struct = writer.struct(planned.key.struct)
    reads_gates = writer.planner.queries_gates(walk)
    scope = writer.scope(struct, "features" if reads_gates else None)
    parts = [part for rule in planned.rules for part in _rule_parts(rule, walk, scope, writer)]
    more = ", features" if reads_gates else ""
    parts += [any_child(child, writer.call(key), scope, more) for child, key in planned.calls]
    writer.imports.uses(*(["Features"] if reads_gates else []))
    return {
        "name": planned.name,
        "type": writer.imports.type_name(struct.id),
        "reads_gates": reads_gates,
        "doc": f"Whether {with_article(struct.id.name)} uses {_subject(walk)}.",
        "uses": " or ".join(_bracketed(part, len(parts)) for part in dict.fromkeys(parts)),
    }


def _subject(walk: Use) -> str:
    if isinstance(walk.off, Removed):
        return f"fields removed in release {walk.off.release}"
    if isinstance(walk.off, Closed):
        owner = walk.owner
        return f"values that the rule of {owner.name} rejects" if owner else "values that are no longer accepted"
    gates = walk.off.title
    return gates if walk.owner is None else f"{gates}, according to the rule of {walk.owner.name}"


def any_child(child: Child, called: str, scope: Scope, more: str = "") -> str:
    """Return the expression that calls a function for a struct in a field of `obj`, true for any of several; it does not
    get `None`. `more` are its other arguments.
    """
    last = child.steps[-1]
    can_be_none = child.field.can_be_none if isinstance(last, FieldStep) else last.can_be_none

    def guarded(value: str) -> str:
        call = f"{called}({value}{more})"
        return f"{value} is not None and {call}" if can_be_none else call

    return holds(child.steps, "obj", scope, guarded)


def _rule_parts(rule: DropRule, walk: Use, scope: Scope, writer: Writer) -> Iterator[str]:
    if walk.condition is not None:
        yield condition_expression(walk.condition, scope)
        return
    for path in rule.paths:  # for a path to each element, the list itself must be set
        steps = path.steps[:-1] if isinstance(path.steps[-1], EachStep) else path.steps
        yield holds(steps, "obj", scope, _used(path, rule, scope, writer))


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


@dataclass(frozen=True, slots=True)
class Place(Spot):
    """A place with the expression of its path and its type.

    `old` is the expression of the old object's value there, or of `None`; empty if it is not needed.
    """

    path: str = ""
    type: Type = STRING
    depth: int = 0
    name: str = "item"
    old: str = ""


def drop_function(planned: PlannedFunction, writer: Writer) -> dict[str, object]:
    """Return the template's values for a function that drops the fields of a walk from a struct and from nested ones."""
    return _DropWriter(planned, writer).function()


class _DropWriter(Walker[Place]):
    def __init__(self, planned: PlannedFunction, writer: Writer) -> None:
        walk = planned.key.walk
        assert isinstance(walk, DropWalk)
        self._planned = planned
        self._walk = walk
        self._writer = writer
        self._struct = writer.struct(planned.key.struct)
        self._asks = writer.planner.queries_gates(walk)
        super().__init__(writer.scope(self._struct, "features" if self._asks else None))

    def function(self) -> dict[str, object]:
        steps = [step for rule in self._planned.rules for step in self._rule(rule)]
        steps += [step for child, key in self._planned.calls for step in self._child(child, key)]
        self._writer.imports.uses("Dropped", "FieldPath", *(["Features"] if self._asks else []))
        return {
            "name": self._planned.name,
            "type": self._writer.imports.type_name(self._struct.id),
            "by_place": self._walk.by_place,
            "reads_gates": self._asks,
            "doc": f"Drop {self._subject()} from {with_article(self._struct.id.name)} and add them to `dropped`.",
            "uses": "",
            "steps": steps,
        }

    def _subject(self) -> str:
        match self._walk.off:
            case Removed(release):
                return f"fields removed in release {release}"
            case Closed():
                return "values that are no longer accepted"
            case gates:
                return f"fields behind {gates.title}"

    def _root(self) -> Place:
        old = "old" if self._walk.by_place else ""
        return Place("obj", path="path", type=StructType(self._struct.id), old=old)

    def _rule(self, rule: DropRule) -> Blocks:
        steps: list[Block] = []
        for path in rule.paths:
            *above, last = path.steps
            if isinstance(last, EachStep):  # all elements: the list itself
                *above, last = above
            levels, spot = self.levels(above, self._root())
            drops = [*self._drops(spot, last, rule)]
            holder = above[-1] if above and rule.prune else None
            if isinstance(holder, FieldStep) and holder.field.can_be_none:
                behind = underlying(spot.type)
                assert isinstance(behind, StructType)
                is_empty = f"{spot.value} == {blank(behind, self._writer.imports)}"
                drops += within(guards([is_empty]), (Assigned(spot.value, "None"),))
            steps += within(levels, tuple(drops))
        return within(() if rule.when is None else guards([condition_expression(rule.when, self._scope)]), tuple(steps))

    def member(self, spot: Place, field: Field) -> Place:
        owner = underlying(spot.type)
        assert isinstance(owner, StructType)
        name = self._writer.shown(owner.id, field)
        value = f"{spot.value}.{field.py_name}"
        path = f"{spot.path}.child({name})"
        old = f"{spot.old}.{field.py_name} if {spot.old} is not None else None" if spot.old else ""
        return Place(value, field.can_be_none, (), path, field.type, spot.depth, field.py_name, old)

    def element(self, spot: Place, step: IndexStep | KeyStep) -> Place:
        at = literal(step.index if isinstance(step, IndexStep) else step.key)
        path = f"{spot.path}.{'index' if isinstance(step, IndexStep) else 'key'}({at})"
        return Place(f"{spot.value}[{at}]", step.can_be_none, (), path, step.type, spot.depth)

    def loop(self, spot: Place, step: EachStep | SelectStep) -> tuple[Level, Place]:
        number = str(spot.depth + 1) if spot.depth else ""
        item = element_name(spot.name, spot.depth)
        if isinstance(step, EachStep) and step.in_map:
            values = f"({spot.value} or {{}})" if spot.can_be_none else spot.value
            level = Level(variable=f"key{number}, {item}", items=f"{values}.items()")
            path, old = f"{spot.path}.key(key{number})", self._old_element("same_key", spot, f"key{number}")
        else:
            values = values_of(spot.value, in_map=False, can_be_none=spot.can_be_none)
            level = Level(variable=f"index{number}, {item}", items=f"enumerate({values})")
            path, old = f"{spot.path}.index(index{number})", self._old_element("same_place", spot, f"index{number}")
        can_be_none = isinstance(step, EachStep) and step.can_be_none
        return level, Place(item, can_be_none, (), path, step.type, spot.depth + 1, spot.name, old)

    def _old_element(self, finder: str, spot: Place, at: str) -> str:
        """Return the expression of the old object's element at the same index or key."""
        return f"{self._writer.imports.runtime(finder)}({spot.old}, {at})" if spot.old else ""

    def _drops(self, spot: Place, last: BoundStep, rule: DropRule) -> Iterator[Block]:
        """Yield the drops in the struct, list or map that contains the dropped value."""
        match last:
            case FieldStep(member):
                yield from self._clear(self.member(spot, member), member, rule, spot.old)
            case InlineStep(inline):
                assert isinstance(spot.type, StructType)
                for member in inline_members(self._writer.struct(spot.type.id), inline):
                    yield from self._clear(self.member(spot, member), member, rule, spot.old)
            case SelectStep():
                yield from self._remove_elements(spot, last)
            case PrefixStep(prefix):  # the entries of a map whose keys have it
                key = numbered("key", spot.depth)
                loop = Level(variable=key, items=f"list({spot.value})")
                has_prefix = guards([f"{key}.startswith({literal(prefix)})"])
                yield from within(
                    (loop, *has_prefix), (self._cleared(f"{spot.path}.key({key})", f"{spot.value}[{key}]"),)
                )
            case KeyStep(key):
                name = literal(key)
                cleared = self._cleared(f"{spot.path}.key({name})", f"{spot.value}[{name}]")
                yield from within(guards([f"{name} in {spot.value}"]), (cleared,))
            case _:
                raise ValueError(f"cannot drop {last}")

    def _clear(self, spot: Place, member: Field, rule: DropRule, old: str) -> Blocks:
        """Return the drop of a field. `old` is the expression of the old object's struct, if it is needed."""
        test = f"{spot.value} is not None"
        if not spot.can_be_none:
            test = if_set(spot.value, member.type, False, self._scope)
        value = self._writer.zero(member)
        if rule.to is not None:
            value = self._writer.literal(rule.to, member.type)
            test = f"{test} and {spot.value} != {value}"
        if old:
            unused = if_unset(f"{old}.{member.py_name}", member.type, member.can_be_none, self._scope)
            if rule.to is not None:
                unused = f"{unused} or {old}.{member.py_name} == {value}"
            test = f"{test} and ({old} is None or {unused})"
        return within(guards([test]), (self._cleared(spot.path, spot.value, value),))

    def _remove_elements(self, spot: Place, step: SelectStep) -> Blocks:
        loop, item = self.loop(spot, step)
        condition = selected(step.comparisons, item.value, self._scope)
        kept = f"not ({condition})"
        if len(step.comparisons) == 1 and len(step.comparisons[0].steps) == 1:
            kept = selected(
                (replace(step.comparisons[0], equal=not step.comparisons[0].equal),), item.value, self._scope
            )
        noted = within((loop, *guards([condition])), (self._cleared(item.path),))
        return (*noted, Assigned(spot.value, f"[{item.value} for {item.value} in {spot.value} if {kept}]"))

    def _cleared(self, path: str, place: str = "", value: str = "") -> Cleared:
        self._writer.imports.uses("note")
        off = self._walk.off
        reason = f", {literal(off.reason)}" if off.reason else ""
        return Cleared(path, f"{literal(off.title)}{reason}", place, value)

    def _child(self, child: Child, key: FunctionKey) -> Blocks:
        levels, spot = self.levels(child.steps, self._root())
        old = f", {spot.old}" if spot.old else ""
        features = ", features" if self._asks else ""
        steps: Blocks = (Called(self._writer.call(key), f"{spot.value}{old}, {spot.path}{features}, dropped"),)
        if child.is_single and child.field.can_be_none and self._prunes(child.struct):
            is_empty = f"{spot.value} == {self._writer.imports.type_name(child.struct)}()"
            pruned = within(guards(["len(dropped) > before", is_empty]), (Assigned(spot.value, "None"),))
            steps = (Assigned("before", "len(dropped)"), *steps, *pruned)
        return within(levels, steps)

    def _prunes(self, struct: TypeId) -> bool:
        """Return whether a rule about a struct's own fields also removes the struct if it is empty afterwards."""
        rules = self._writer.planner.places.rules(struct)
        return any(
            rule.prune and any(len(path.steps) == 1 for path in rule.paths) and self._walk.takes(rule) for rule in rules
        )
