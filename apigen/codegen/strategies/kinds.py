"""Write the functions of a kind, such as `prepare_frobber_for_create`, and the strategies that use them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from itertools import groupby

from apigen.codegen.python.conditions import condition_expression, if_unset
from apigen.codegen.python.field_paths import attribute, guards_of, read_at
from apigen.codegen.python.source_text import Code, call, header_without_parameters, literal
from apigen.codegen.python.walking import walk
from apigen.codegen.strategies.operations import (
    CREATE,
    UPDATE,
    Bump,
    DropStep,
    Excepted,
    KindStrategy,
    Operation,
)
from apigen.codegen.strategies.pairing import ItemParts, PairingWriter, is_in_items, item_parts
from apigen.codegen.strategies.rules import Closed, Gates, Off, Removed
from apigen.codegen.strategies.values import Writer, a, function_name, on_condition
from apigen.codegen.strategies.walks import names_gate
from apigen.ir.field_paths import FieldPath
from apigen.ir.model import Release
from apigen.ir.names import snake_case
from apigen.ir.places import BoundPath, FieldStep, KeyStep
from apigen.ir.types import ListType, underlying
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
        self._items = PairingWriter(writer, self._scope)

    def function(self) -> Code:
        imports = self._writer.imports
        name = prepare_name(self._strategy, self._operation.name)
        type_ = imports.type_name(self._strategy.struct.id)
        dropped = f"list[{imports.runtime('Dropped')}]"
        old = "" if self._operation.name == CREATE else f"old: {type_}, "
        features = imports.runtime("Features")
        code = Code()
        with code.block(f"def {name}(obj: {type_}, {old}features: {features}) -> {dropped}:"):
            code.docstring(self._summary())
            if self._operation.drops:
                code.line(f"dropped: {dropped} = []")
            self._steps(code)
            code.line("return dropped" if self._operation.drops else "return []")
        return code

    def _summary(self) -> str:
        kind = self._strategy.kind.name
        match self._operation.name:
            case "create":
                action = f"Make a new {kind} ready to be stored"
            case "update":
                action = f"Make a changed {kind} ready to be stored"
            case "status":
                action = f"Make {a(kind)} with a changed status ready to be stored"
            case subresource:
                action = f"Make {a(kind)} that was changed by way of {subresource} ready to be stored"
        return f"{action}, in place; returns what was dropped from it."

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
        self._set_aside(code)
        for path in self._operation.keeps:
            self._assign(code, path.named, self._copied_from_old(path.named), other="old")
        if self._operation.name == CREATE:  # if reset fields have exceptions
            self._resets(code)
            self._put_back(code)
        else:
            self._put_back(code)
            self._resets(code)
        for path in itertools.filterfalse(is_in_items, self._operation.fills):
            self._fill(code, path)
        for parts in item_parts(self._operation.fills):
            self._items.fill(code, parts)
        for path, value in self._operation.sets:
            self._set(code, path, value)
        for path, values in self._operation.adds:
            self._add(code, path, values)

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

    def _set_aside(self, code: Code) -> None:
        """Write assignments that save the submitted values of exceptions."""
        for each in self._plain_excepts():
            submitted = read_at("obj", each.path.named, self._writer.zero(each.path.named[-1]))
            code.line(f"{_submitted(each.path)} = {submitted}")
        for _, parts in self._excepts_in_items():
            self._items.set_aside(code, parts)

    def _put_back(self, code: Code) -> None:
        for each in self._plain_excepts():
            with code.when([on_condition(each.gates)] if each.gates else []):
                self._assign(code, each.path.named, _submitted(each.path))
        for gates, parts in self._excepts_in_items():
            with code.when([on_condition(gates)] if gates else []):
                self._items.put_back(code, parts)

    def _plain_excepts(self) -> list[Excepted]:
        return [each for each in self._operation.excepts if not is_in_items(each.path)]

    def _excepts_in_items(self) -> list[tuple[Gates | None, ItemParts]]:
        return [
            (gates, parts)
            for gates, excepts in itertools.groupby(self._operation.excepts, key=lambda each: each.gates)
            for parts in item_parts(each.path for each in excepts)
        ]

    def _resets(self, code: Code) -> None:
        for path in self._operation.resets:
            self._reset(code, path)

    def _copied_from_old(self, path: FieldPath) -> str:
        return self._writer.copied(attribute("old", path), path[-1].type, path[-1].can_be_none)

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

    def _fill(self, code: Code, path: BoundPath) -> None:
        """Write a copy of a field from the old object if it is unset in the new one, and both have its parents."""
        fields = path.named
        value = attribute("obj", fields)
        tests = [*guards_of("obj", fields), *guards_of("old", fields)]
        with code.when([*tests, if_unset(value, fields[-1].type, fields[-1].can_be_none, self._scope)]):
            code.line(f"{value} = {self._copied_from_old(fields)}")

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


def _submitted(path: BoundPath) -> str:
    return f"submitted_{path.named[-1].py_name}"


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
    code = Code()
    with code.block(header_without_parameters(strategy_name(strategy, subresource), f"{class_name}[{type_}]")):
        subject = f"{strategy.kind.name}/{subresource}" if subresource else strategy.kind.name
        code.docstring(f"A strategy for {subject}, with no hooks registered.")
        code.line(f"return {made}")
    return code


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
