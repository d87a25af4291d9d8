"""Write the functions of a kind, such as `prepare_frobber_for_create`, and the strategies that use them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from apigen.codegen.python.conditions import condition_expression, if_unset
from apigen.codegen.python.source_text import Code, call, function, header_without_parameters, literal
from apigen.codegen.python.walking import attribute, guards_of, item_key, read_at, walk
from apigen.codegen.strategies.operations import CREATE, UPDATE, Bump, DropStep, KindStrategy, Operation
from apigen.codegen.strategies.values import Writer, a, element_name, function_name, on_condition
from apigen.codegen.strategies.walks import Closed, Gates, Off, Removed, names_gate
from apigen.ir.model import Field, FieldPath, ListType, Release, TypeDef, TypeId, merge_of, struct_in, underlying
from apigen.ir.names import snake_case
from apigen.ir.places import BoundPath, EachStep, FieldStep, InlineStep, KeyStep, named_fields
from apigen.language.model import Items, LiteralNode

_LONGEST_CONDITION = 80
"""Maximum length of a condition that fits on a line of 88 characters, after four spaces and `if`, before a colon."""


def kind_functions(strategy: KindStrategy, writer: Writer) -> Iterator[Code]:
    """The functions of each operation, then those that make the strategy objects."""
    for operation in strategy.operations:
        yield _OperationWriter(strategy, operation, writer).function()
    for subresource in ("", *strategy.subresources):
        yield _strategy_function(strategy, subresource, writer)


def prepare_name(strategy: KindStrategy, operation: str) -> str:
    """E.g. `prepare_frobber_for_update` or `prepare_frobber_for_status_update`."""
    request = operation if operation in (CREATE, UPDATE) else f"{snake_case(operation)}_update"
    return f"prepare_{strategy.struct.snake_name}_for_{request}"


def strategy_name(strategy: KindStrategy, subresource: str) -> str:
    """E.g. `frobber_strategy` or `frobber_strategy_for_status`."""
    name = f"{strategy.struct.snake_name}_strategy"
    return f"{name}_for_{snake_case(subresource)}" if subresource else name


class _OperationWriter:
    def __init__(self, strategy: KindStrategy, operation: Operation, writer: Writer) -> None:
        self._strategy = strategy
        self._operation = operation
        self._writer = writer
        self._scope = writer.scope(strategy.struct, "features" if names_gate(operation.when) else None)

    def function(self) -> Code:
        imports = self._writer.imports
        name = prepare_name(self._strategy, self._operation.name)
        type_ = imports.type_name(self._strategy.struct.id)
        dropped = f"list[{imports.runtime('Dropped')}]"
        old = "" if self._operation.name == CREATE else f"old: {type_}, "
        features = imports.runtime("Features")
        code = Code()
        if self._operation.drops:
            code.line(f"dropped: {dropped} = []")
        self._steps(code)
        code.line("return dropped" if self._operation.drops else "return []")
        header = f"def {name}(obj: {type_}, {old}features: {features}) -> {dropped}:"
        return function(header, self._summary(), code)

    def _summary(self) -> str:
        kind = self._strategy.kind.name
        match self._operation.name:
            case "create":
                action = f"Prepare a new {kind} for storage"
            case "update":
                action = f"Prepare a changed {kind} for storage"
            case "status":
                action = f"Prepare {a(kind)} with a changed status for storage"
            case subresource:
                action = f"Prepare {a(kind)} that was changed through {subresource} for storage"
        return f"{action}, in place. Returns the dropped fields."

    def _steps(self, code: Code) -> None:
        if self._operation.settles:
            when = self._operation.when
            with code.when([] if when is None else [condition_expression(when, self._scope)]):
                self._settle(code)
        for start in self._operation.starts:
            counter = attribute("obj", start.counter.named)
            with code.when([f"{counter} < {start.value}"] if start.at_least else []):
                code.line(f"{counter} = {start.value}")
        for bump in self._operation.bumps:
            if bump.rule.before_drop:
                self._bump(code, bump)
        for off, steps in groupby(self._operation.drops, key=lambda step: step.walk.off):
            self._drop(code, off, list(steps))
        for bump in self._operation.bumps:
            if not bump.rule.before_drop:
                self._bump(code, bump)

    def _drop(self, code: Code, off: Off, steps: list[DropStep]) -> None:
        """Write the drops for the same gates: in one condition if it fits on a line, else in nested ones."""
        conditions = [self._unused(step) for step in steps]
        joined = " and ".join(filter(None, (off_condition(off), conditions[0])))
        if len(steps) == 1 and len(joined) <= _LONGEST_CONDITION:
            with code.when([joined]):
                self._call(code, steps[0])
            return
        with code.when([off_condition(off)]):
            for step, condition in zip(steps, conditions, strict=True):
                with code.when([condition]):
                    self._call(code, step)

    def _unused(self, step: DropStep) -> str:
        """Return the expression that is true if the old object does not use the dropped fields; empty if that is
        irrelevant.
        """
        if step.use is None:
            return ""
        features = ", features" if self._writer.planner.queries_gates(step.use.walk) else ""
        return f"not {self._writer.call(step.use)}(old{features})"

    def _call(self, code: Code, step: DropStep) -> None:
        root = self._writer.imports.runtime("ROOT")
        features = ", features" if self._writer.planner.queries_gates(step.walk) else ""
        old = ""
        if step.walk.by_place:
            old = ", None" if self._operation.name == CREATE else ", old"
        code.line(f"{self._writer.call(step.drop)}(obj{old}, {root}{features}, dropped)")

    def _bump(self, code: Code, bump: Bump) -> None:
        changed = [
            self._writer.differs(
                read_at("obj", path.named, "None"), read_at("old", path.named, "None"), path.type, exact=bump.rule.exact
            )
            for path in bump.paths
        ]
        counter = bump.counter.named
        following = self._writer.imports.runtime("next_generation")
        with code.block(f"if {' or '.join(changed)}:"):
            before = attribute("obj" if bump.rule.from_new else "old", counter)
            code.line(f"{attribute('obj', counter)} = {following}({before})")

    # --- before dropping

    def _settle(self, code: Code) -> None:
        """Write the steps that come before dropping, within the condition of the operation."""
        # the submitted values of exceptions, or the submitted lists that contain them
        plain = [each.path.named for each in self._operation.excepts if not is_in_items(each.path)]
        for path in (*plain, *(items for _, items, _ in self._excepts_in_items())):
            code.line(f"{_submitted(path)} = {read_at('obj', path, self._writer.zero(path[-1]))}")
        for kept in self._operation.keeps:
            self._assign(code, kept.named, self._copied("old", kept.named), other="old")
        if self._operation.name != CREATE:
            self._put_back(code)
        for reset in self._operation.resets:
            self._reset(code, reset)
        if self._operation.name == CREATE:  # if reset fields have exceptions
            self._put_back(code)
        for filled in itertools.filterfalse(is_in_items, self._operation.fills):
            self._fill(code, "obj", "old", filled.named)
        for items, paths in item_parts(self._operation.fills).items():
            self._fill_items(code, items, paths)
        for bound, value in self._operation.sets:
            self._set(code, bound, value)
        for bound, values in self._operation.adds:
            self._add(code, bound, values)

    def _reset(self, code: Code, path: BoundPath) -> None:
        *above, last = path.steps

        def leaf(code: Code, value: str) -> None:
            match last:
                case FieldStep(member):
                    code.line(f"{value}.{member.py_name} = {self._writer.zero(member)}")
                case KeyStep(key):
                    with code.block(f"if {value} is not None:"):
                        code.line(f"{value}.pop({literal(key)}, None)")
                case _:
                    raise ValueError(f"cannot reset {path.text}")

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _put_back(self, code: Code) -> None:
        for each in self._operation.excepts:
            if not is_in_items(each.path):
                with code.when([on_condition(each.gates)] if each.gates else []):
                    self._assign(code, each.path.named, _submitted(each.path.named))
        for gates, items, paths in self._excepts_in_items():
            with code.when([on_condition(gates)] if gates else []), code.when(guards_of("obj", items)):
                self._put_back_items(code, items, paths)

    def _excepts_in_items(self) -> Iterator[tuple[Gates | None, FieldPath, list[FieldPath]]]:
        """Yield the lists whose items have exceptions, with the paths from an item to them."""
        for gates, excepts in groupby(self._operation.excepts, key=lambda each: each.gates):
            for items, paths in item_parts(each.path for each in excepts).items():
                yield gates, items, paths

    def _put_back_items(self, code: Code, items: FieldPath, paths: list[FieldPath]) -> None:
        """Write the code that copies parts of the items from the submitted list, or all of the list if the items
        differ.
        """
        value, submitted = attribute("obj", items), _submitted(items)
        pairs = f"paired_{items[-1].py_name}"
        same = self._writer.imports.runtime("same_items")
        code.line(f"{pairs} = {same}({value}, {submitted}, {self._key(items[-1])})")
        with code.block(f"if {pairs} is None:"):
            code.line(f"{value} = {submitted}")
        item = element_name(items[-1].py_name)
        other = f"submitted_{item}"
        with code.block(f"for {item}, {other} in {pairs} or ():"):
            for path in paths:
                with code.when([*guards_of(item, path), *guards_of(other, path)]):
                    code.line(f"{attribute(item, path)} = {attribute(other, path)}")

    def _fill_items(self, code: Code, items: FieldPath, paths: list[FieldPath]) -> None:
        """Write the code that copies parts from the old items that are omitted in the new ones of the same identity."""
        item = element_name(items[-1].py_name)
        lists = ", ".join(read_at(root, items, "None") for root in ("obj", "old"))
        paired = self._writer.imports.runtime("with_old_items")
        with code.block(f"for {item}, old_{item} in {paired}({lists}, {self._key(items[-1])}):"):
            for path in paths:
                self._fill(code, item, f"old_{item}", path)

    def _key(self, items: Field) -> str:
        struct = struct_in(items.type)
        assert struct is not None
        merge = merge_of(items.type, items.merge, self._writer.types)
        keys = self._writer.names.keys(self._writer.struct(struct), merge.list_map_keys)
        return f"lambda item: {item_key('item', keys)}"

    def _copied(self, root: str, path: FieldPath) -> str:
        return self._writer.copied(attribute(root, path), path[-1].type, path[-1].can_be_none)

    def _assign(self, code: Code, path: FieldPath, value: str, other: str = "") -> None:
        """Set the field at the end of a path, if its parents are there (or zero, where the other object lacks them)."""
        line = f"{attribute('obj', path)} = "
        others = guards_of(other, path) if other else []
        with code.when(guards_of("obj", path)):
            with code.when(others):
                code.line(line + value)
            if others:
                with code.block("else:"):
                    code.line(line + self._writer.zero(path[-1]))

    def _fill(self, code: Code, root: str, before: str, path: FieldPath) -> None:
        """Write a copy of a field from an old object or item if it is unset in the new one, and both have its parents."""
        value, last = attribute(root, path), path[-1]
        tests = [*guards_of(root, path), *guards_of(before, path)]
        with code.when([*tests, if_unset(value, last.type, last.can_be_none, self._scope)]):
            code.line(f"{value} = {self._copied(before, path)}")

    def _set(self, code: Code, path: BoundPath, value: LiteralNode) -> None:
        *above, last = path.steps
        assert isinstance(last, FieldStep)
        text = self._writer.literal(value, last.field.type)

        def leaf(code: Code, parent: str) -> None:
            code.line(f"{parent}.{last.field.py_name} = {text}")

        walk(code, tuple(above), "obj", self._scope, leaf)

    def _add(self, code: Code, path: BoundPath, values: LiteralNode) -> None:
        *above, last = path.steps
        behind = underlying(path.type)
        assert isinstance(last, FieldStep) and isinstance(behind, ListType) and isinstance(values, Items)

        def leaf(code: Code, parent: str) -> None:
            items = f"{parent}.{last.field.py_name}"
            if last.field.can_be_none:
                with code.block(f"if {items} is None:"):
                    code.line(f"{items} = []")
            for value in values.items:
                item = self._writer.literal(value, behind.item)
                with code.block(f"if {item} not in {items}:"):
                    code.line(f"{items}.append({item})")

        walk(code, tuple(above), "obj", self._scope, leaf)


def _submitted(path: FieldPath) -> str:
    return f"submitted_{path[-1].py_name}"


def _strategy_function(strategy: KindStrategy, subresource: str, writer: Writer) -> Code:
    imports, struct = writer.imports, strategy.struct
    class_name = imports.runtime("Strategy")
    type_ = imports.type_name(struct.id)
    own = (subresource,) if subresource else (CREATE, UPDATE)
    hooks = [literal(hook.value) for hook in strategy.kind.strategy.hooks if hook.value in own]
    made = call(
        class_name,
        literal(strategy.kind.name),
        subresource=literal(subresource) if subresource else "",
        create="" if subresource else prepare_name(strategy, CREATE),
        update=prepare_name(strategy, subresource or UPDATE),
        check=function_name(imports, struct.id, "validation", f"check_{struct.snake_name}"),
        hooks=f"[{', '.join(hooks)}]" if hooks else "",
    )
    header = header_without_parameters(strategy_name(strategy, subresource), f"{class_name}[{type_}]")
    subject = f"{strategy.kind.name}/{subresource}" if subresource else strategy.kind.name
    return function(header, f"A strategy for {subject}, with no hooks registered.", f"return {made}")


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
