"""The functions of a kind, such as `prepare_frobber_for_create`, and the strategies that use them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from apigen.codegen.python.blocks import Assigned, Block, Blocks, Called, Within, within
from apigen.codegen.python.conditions import condition_expression, if_unset
from apigen.codegen.python.source_text import all_of, header_without_parameters, literal
from apigen.codegen.python.walking import Level, attribute, guards, guards_of, item_key, levels_to, read_at
from apigen.codegen.strategies.operations import CREATE, UPDATE, Bump, DropStep, KindStrategy, Operation
from apigen.codegen.strategies.values import Writer, element_name, function_name, on_condition
from apigen.codegen.strategies.walks import Closed, Gates, Off, Removed, names_gate
from apigen.ir.model import Field, FieldPath, ListType, Release, TypeDef, TypeId, merge_of, struct_in, underlying
from apigen.ir.names import snake_case
from apigen.ir.places import BoundPath, EachStep, FieldStep, InlineStep, KeyStep, named_fields
from apigen.language.model import Items, LiteralNode
from apigen.runtime.errors import with_article

_LONGEST_CONDITION = 80
"""Maximum length of a condition that fits on a line of 88 characters, after four spaces and `if`, before a colon."""


def prepare_name(strategy: KindStrategy, operation: str) -> str:
    """E.g. `prepare_frobber_for_update` or `prepare_frobber_for_status_update`."""
    request = operation if operation in (CREATE, UPDATE) else f"{snake_case(operation)}_update"
    return f"prepare_{strategy.struct.snake_name}_for_{request}"


def strategy_name(strategy: KindStrategy, subresource: str) -> str:
    """E.g. `frobber_strategy` or `frobber_strategy_for_status`."""
    name = f"{strategy.struct.snake_name}_strategy"
    return f"{name}_for_{snake_case(subresource)}" if subresource else name


class OperationWriter:
    """The function of one operation of a kind."""

    def __init__(self, strategy: KindStrategy, operation: Operation, writer: Writer) -> None:
        self._strategy = strategy
        self._operation = operation
        self._writer = writer
        self._scope = writer.scope(strategy.struct, "features" if names_gate(operation.when) else None)

    def function(self) -> dict[str, object]:
        """Return the template's values for the function."""
        imports = self._writer.imports
        imports.uses("Dropped", "Features")
        return {
            "name": prepare_name(self._strategy, self._operation.name),
            "type": imports.type_name(self._strategy.struct.id),
            "has_old": self._operation.name != CREATE,
            "doc": self._summary(),
            "has_drops": bool(self._operation.drops),
            "steps": list(self._steps()),
        }

    def _summary(self) -> str:
        kind = self._strategy.kind.name
        match self._operation.name:
            case "create":
                action = f"Prepare a new {kind} for storage"
            case "update":
                action = f"Prepare a changed {kind} for storage"
            case "status":
                action = f"Prepare {with_article(kind)} with a changed status for storage"
            case subresource:
                action = f"Prepare {with_article(kind)} that was changed through {subresource} for storage"
        return f"{action}, in place. Returns the dropped fields."

    def _steps(self) -> Iterator[Block]:
        operation = self._operation
        if operation.settles:
            tests = [] if operation.when is None else [condition_expression(operation.when, self._scope)]
            yield from within(guards(tests), tuple(self._settle()))
        for start in operation.starts:
            counter = attribute("obj", start.counter.named)
            tests = [f"{counter} < {start.value}"] if start.at_least else []
            yield from within(guards(tests), (Assigned(counter, str(start.value)),))
        for bump in operation.bumps:
            if bump.rule.before_drop:
                yield from self._bump(bump)
        for off, steps in groupby(operation.drops, key=lambda step: step.walk.off):
            yield from self._drop(off, list(steps))
        for bump in operation.bumps:
            if not bump.rule.before_drop:
                yield from self._bump(bump)

    def _drop(self, off: Off, steps: list[DropStep]) -> Blocks:
        """Return the drops for the same gates: in one condition if it fits on a line, else in nested ones."""
        conditions = [self._unused(step) for step in steps]
        joined = all_of((off_condition(off), conditions[0]))
        if len(steps) == 1 and len(joined) <= _LONGEST_CONDITION:
            return within(guards([joined]), (self._call(steps[0]),))
        calls: list[Block] = []
        for step, condition in zip(steps, conditions, strict=True):
            calls += within(guards([condition]), (self._call(step),))
        return within(guards([off_condition(off)]), tuple(calls))

    def _unused(self, step: DropStep) -> str:
        """Return the expression that is true if the old object does not use the dropped fields; empty if that is
        irrelevant.
        """
        if step.use is None:
            return ""
        features = ", features" if self._writer.planner.queries_gates(step.use.walk) else ""
        return f"not {self._writer.call(step.use)}(old{features})"

    def _call(self, step: DropStep) -> Called:
        self._writer.imports.uses("ROOT")
        features = ", features" if self._writer.planner.queries_gates(step.walk) else ""
        old = ""
        if step.walk.by_place:
            old = ", None" if self._operation.name == CREATE else ", old"
        return Called(self._writer.call(step.drop), f"obj{old}, ROOT{features}, dropped")

    def _bump(self, bump: Bump) -> Blocks:
        changed = [
            self._writer.differs(
                read_at("obj", path.named, "None"), read_at("old", path.named, "None"), path.type, exact=bump.rule.exact
            )
            for path in bump.paths
        ]
        counter = bump.counter.named
        before = attribute("obj" if bump.rule.from_new else "old", counter)
        following = f"{self._writer.imports.runtime('next_generation')}({before})"
        return within(guards([" or ".join(changed)]), (Assigned(attribute("obj", counter), following),))

    # --- before dropping

    def _settle(self) -> Iterator[Block]:
        """Yield the steps that come before dropping, within the condition of the operation."""
        # the submitted values of exceptions, or the submitted lists that contain them
        plain = [each.path.named for each in self._operation.excepts if not is_in_items(each.path)]
        for path in (*plain, *(items for _, items, _ in self._excepts_in_items())):
            yield Assigned(_submitted(path), read_at("obj", path, self._writer.zero(path[-1])))
        for kept in self._operation.keeps:
            yield from self._assign(kept.named, self._copied("old", kept.named), other="old")
        if self._operation.name != CREATE:
            yield from self._put_back()
        for reset in self._operation.resets:
            yield from self._reset(reset)
        if self._operation.name == CREATE:  # if reset fields have exceptions
            yield from self._put_back()
        for filled in itertools.filterfalse(is_in_items, self._operation.fills):
            yield from self._fill("obj", "old", filled.named)
        for items, paths in item_parts(self._operation.fills).items():
            yield self._fill_items(items, paths)
        for bound, value in self._operation.sets:
            yield from self._set(bound, value)
        for bound, values in self._operation.adds:
            yield from self._add(bound, values)

    def _reset(self, path: BoundPath) -> Blocks:
        *above, last = path.steps
        levels, value = levels_to(above, "obj", self._scope)
        match last:
            case FieldStep(member):
                return within(levels, (Assigned(f"{value}.{member.py_name}", self._writer.zero(member)),))
            case KeyStep(key):
                removed = Called(f"{value}.pop", f"{literal(key)}, None")
                return within(levels, (removed,))
        raise ValueError(f"cannot reset {path.text}")

    def _put_back(self) -> Iterator[Block]:
        for each in self._operation.excepts:
            if not is_in_items(each.path):
                put_back = self._assign(each.path.named, _submitted(each.path.named))
                yield from within(_while(each.gates), put_back)
        for gates, items, paths in self._excepts_in_items():
            yield from within((*_while(gates), *guards(guards_of("obj", items))), self._put_back_items(items, paths))

    def _excepts_in_items(self) -> Iterator[tuple[Gates | None, FieldPath, list[FieldPath]]]:
        """Yield the lists whose items have exceptions, with the paths from an item to them."""
        for gates, excepts in groupby(self._operation.excepts, key=lambda each: each.gates):
            for items, paths in item_parts(each.path for each in excepts).items():
                yield gates, items, paths

    def _put_back_items(self, items: FieldPath, paths: list[FieldPath]) -> Blocks:
        """Return the steps that copy parts of the items from the submitted list, or all of the list if the items differ."""
        value, submitted = attribute("obj", items), _submitted(items)
        pairs = f"paired_{items[-1].py_name}"
        same = self._writer.imports.runtime("same_items")
        item = element_name(items[-1].py_name)
        other = f"submitted_{item}"
        copied: list[Block] = []
        for path in paths:
            tests = [*guards_of(item, path), *guards_of(other, path)]
            copied += within(guards(tests), (Assigned(attribute(item, path), attribute(other, path)),))
        return (
            Assigned(pairs, f"{same}({value}, {submitted}, {self._key(items[-1])})"),
            *within(guards([f"{pairs} is None"]), (Assigned(value, submitted),)),
            Within((Level(variable=f"{item}, {other}", items=f"{pairs} or ()"),), tuple(copied)),
        )

    def _fill_items(self, items: FieldPath, paths: list[FieldPath]) -> Block:
        """Return the step that copies parts from the old items that are omitted in the new ones of the same identity."""
        item = element_name(items[-1].py_name)
        lists = ", ".join(read_at(root, items, "None") for root in ("obj", "old"))
        pairs = f"{self._writer.imports.runtime('with_old_items')}({lists}, {self._key(items[-1])})"
        loop = Level(variable=f"{item}, old_{item}", items=pairs)
        return Within((loop,), tuple(step for path in paths for step in self._fill(item, f"old_{item}", path)))

    def _key(self, items: Field) -> str:
        struct = struct_in(items.type)
        assert struct is not None
        merge = merge_of(items.type, items.merge, self._writer.types)
        keys = self._writer.names.keys(self._writer.struct(struct), merge.list_map_keys)
        return f"lambda item: {item_key('item', keys)}"

    def _copied(self, root: str, path: FieldPath) -> str:
        return self._writer.copied(attribute(root, path), path[-1].type, path[-1].can_be_none)

    def _assign(self, path: FieldPath, value: str, other: str = "") -> Blocks:
        """Set the field at the end of a path, if its parents are there (or zero, where the other object lacks them)."""
        place = attribute("obj", path)
        others = guards_of(other, path) if other else []
        steps: Blocks = (Assigned(place, value),)
        if others:
            zero = Assigned(place, self._writer.zero(path[-1]))
            steps = (Within(guards(others), steps, (zero,)),)
        return within(guards(guards_of("obj", path)), steps)

    def _fill(self, root: str, before: str, path: FieldPath) -> Blocks:
        """Return a copy of a field from an old object or item if it is unset in the new one, and both have its parents."""
        value, last = attribute(root, path), path[-1]
        unset = if_unset(value, last.type, last.can_be_none, self._scope)
        tests = [*guards_of(root, path), *guards_of(before, path), unset]
        return within(guards(tests), (Assigned(value, self._copied(before, path)),))

    def _set(self, path: BoundPath, value: LiteralNode) -> Blocks:
        *above, last = path.steps
        assert isinstance(last, FieldStep)
        text = self._writer.literal(value, last.field.type)
        levels, parent = levels_to(above, "obj", self._scope)
        return within(levels, (Assigned(f"{parent}.{last.field.py_name}", text),))

    def _add(self, path: BoundPath, values: LiteralNode) -> Blocks:
        *above, last = path.steps
        behind = underlying(path.type)
        assert isinstance(last, FieldStep) and isinstance(behind, ListType) and isinstance(values, Items)
        levels, parent = levels_to(above, "obj", self._scope)
        items = f"{parent}.{last.field.py_name}"
        steps: list[Block] = []
        if last.field.can_be_none:
            steps += within(guards([f"{items} is None"]), (Assigned(items, "[]"),))
        for value in values.items:
            item = self._writer.literal(value, behind.item)
            steps += within(guards([f"{item} not in {items}"]), (Called(f"{items}.append", item),))
        return within(levels, tuple(steps))


def _while(gates: Gates | None) -> tuple[Level, ...]:
    return guards([on_condition(gates)]) if gates else ()


def _submitted(path: FieldPath) -> str:
    return f"submitted_{path[-1].py_name}"


def strategy_function(strategy: KindStrategy, subresource: str, writer: Writer) -> dict[str, object]:
    """Return the template's values for the function that creates a strategy; `subresource` may be empty."""
    struct, kind = strategy.struct, strategy.kind
    writer.imports.uses("Strategy")
    own = (subresource,) if subresource else (CREATE, UPDATE)
    name, result = strategy_name(strategy, subresource), f"Strategy[{writer.imports.type_name(struct.id)}]"
    return {
        "header": header_without_parameters(name, result),
        "subject": f"{kind.name}/{subresource}" if subresource else kind.name,
        "kind": literal(kind.name),
        "subresource": literal(subresource) if subresource else "",
        "for_create": "" if subresource else prepare_name(strategy, CREATE),
        "for_update": prepare_name(strategy, subresource or UPDATE),
        "check": function_name(writer.imports, struct.id, "validation", f"check_{struct.snake_name}"),
        "hooks": [literal(hook.value) for hook in kind.strategy.hooks if hook.value in own],
    }


def off_condition(off: Off) -> str:
    """Return the condition under which data is not accepted; empty if it always applies."""
    if isinstance(off, Closed):
        return ""
    if isinstance(off, Removed):
        return at_least(off.release, off.series)
    return f"not {on_condition(off)}"


def at_least(release: Release, series: str) -> str:
    """The expression that is true from a release of a series on."""
    arguments = [literal(str(release)), *([literal(series)] if series else [])]
    return f"features.at_least({', '.join(arguments)})"


def is_in_items(path: BoundPath) -> bool:
    """Return whether a path leads into each item of a list."""
    return any(isinstance(step, EachStep) for step in path.steps)


def item_parts(paths: Iterable[BoundPath]) -> dict[FieldPath, list[FieldPath]]:
    """Return the paths that lead into the items of lists: list -> paths from an item."""
    found: dict[FieldPath, list[FieldPath]] = {}
    for path in filter(is_in_items, paths):
        at = next(i for i, step in enumerate(path.steps) if isinstance(step, EachStep))
        found.setdefault(named_fields(path.steps[:at]), []).append(named_fields(path.steps[at + 1 :]))
    return found


def pairing_problem(path: BoundPath, types: Mapping[TypeId, TypeDef]) -> str:
    """Return why the items on a path cannot be paired with those of the old object; empty if they can."""
    at = next(i for i, step in enumerate(path.steps) if isinstance(step, EachStep))
    above, rest = path.steps[:at], path.steps[at + 1 :]
    names = (FieldStep, InlineStep)
    if not above or not all(isinstance(step, names) for step in (*above, *rest)):
        return "it leads into items of more than one list"
    if not rest:
        return "it names the items, and not what changes in them"
    member = above[-1]
    if not isinstance(member, FieldStep) or not isinstance(underlying(member.field.type), ListType):
        return "it leads into the values of a map"
    if not merge_of(member.field.type, member.field.merge, types).list_map_keys:
        return f"the items of `{member.field.json_name}` have no identity: it needs `listType: map` and `listMapKeys`"
    return ""
