"""Writes the functions of a kind: `prepare_frobber_for_create` and its like, and what bundles them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import groupby

from apigen.codegen.python.field_paths import attribute, read_at
from apigen.codegen.python.source_text import Code, header_without_parameters, literal
from apigen.codegen.strategies.operations import (
    CREATE,
    UPDATE,
    Bump,
    DropStep,
    KindStrategy,
    Operation,
)
from apigen.codegen.strategies.reset_and_keep import settle
from apigen.codegen.strategies.rules import Closed, Off, Removed
from apigen.codegen.strategies.values import Writer, a, function_name, on_condition
from apigen.ir.model import Release
from apigen.ir.names import snake_case

_LONGEST_CONDITION = 80
"""Maximum length of a condition that fits on a line of 88 characters, after four spaces and `if`, before a colon."""


def kind_functions(strategy: KindStrategy, writer: Writer) -> Iterator[Code]:
    """The functions of each operation, then those that make the strategy objects."""
    for operation in strategy.operations:
        yield _OperationWriter(strategy, operation, writer).function()
    yield _strategy_function(strategy, "", writer)
    for subresource in strategy.subresources:
        yield _strategy_function(strategy, subresource, writer)


def prepare_name(strategy: KindStrategy, operation: str) -> str:
    """E.g. `prepare_frobber_for_update` or `prepare_frobber_for_status_update`."""
    what = operation if operation in (CREATE, UPDATE) else f"{_identifier(operation)}_update"
    return f"prepare_{strategy.struct.snake_name}_for_{what}"


def strategy_name(strategy: KindStrategy, subresource: str) -> str:
    """E.g. `frobber_strategy` or `frobber_strategy_for_status`."""
    name = f"{strategy.struct.snake_name}_strategy"
    return f"{name}_for_{_identifier(subresource)}" if subresource else name


class _OperationWriter:
    def __init__(self, strategy: KindStrategy, operation: Operation, writer: Writer) -> None:
        self._strategy = strategy
        self._operation = operation
        self._writer = writer

    def function(self) -> Code:
        imports = self._writer.imports
        name = prepare_name(self._strategy, self._operation.name)
        type_ = imports.type_name(self._strategy.struct.id)
        dropped = f"{imports.builtin('list')}[{imports.runtime('Dropped', 'strategy')}]"
        old = "" if self._operation.name == CREATE else f"old: {type_}, "
        features = imports.runtime("Features", "features")
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
                what = f"Make a new {kind} ready to be stored"
            case "update":
                what = f"Make a changed {kind} ready to be stored"
            case "status":
                what = f"Make {a(kind)} with a changed status ready to be stored"
            case subresource:
                what = f"Make {a(kind)} that was changed by way of {subresource} ready to be stored"
        return f"{what}, in place; returns what was dropped from it."

    def _steps(self, code: Code) -> None:
        settle(code, self._operation, self._strategy.struct, self._writer)
        for start in self._operation.starts:
            counter = attribute("obj", start.counter.named)
            with code.block(f"if {counter} < {start.value}:") if start.at_least else nullcontext():
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
            with code.block(f"if {joined}:") if joined else nullcontext():
                self._call(code, steps[0])
            return
        is_disabled = off_condition(off)
        with code.block(f"if {is_disabled}:") if is_disabled else nullcontext():
            for step, condition in zip(steps, conditions, strict=True):
                with code.block(f"if {condition}:") if condition else nullcontext():
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
        root = self._writer.imports.runtime("ROOT", "field_paths")
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
        following = self._writer.imports.runtime("next_generation", "strategy")
        with code.block(f"if {' or '.join(changed)}:"):
            before = attribute("obj" if bump.rule.from_new else "old", counter)
            code.line(f"{attribute('obj', counter)} = {following}({before})")


def _strategy_function(strategy: KindStrategy, subresource: str, writer: Writer) -> Code:
    imports, struct = writer.imports, strategy.struct
    class_name = imports.runtime("Strategy", "strategy")
    type_ = imports.type_name(struct.id)
    arguments = [literal(strategy.kind.name)]
    if subresource:
        arguments.append(f"subresource={literal(subresource)}")
    else:
        arguments.append(f"create={prepare_name(strategy, CREATE)}")
    arguments.append(f"update={prepare_name(strategy, subresource or UPDATE)}")
    arguments.append(f"check={function_name(imports, struct.id, 'validation', f'check_{struct.snake_name}')}")
    own = (subresource,) if subresource else (CREATE, UPDATE)
    hooks = [hook.value for hook in strategy.kind.strategy.hooks if hook.value in own]
    if hooks:
        arguments.append(f"hooks=[{', '.join(literal(hook) for hook in hooks)}]")
    code = Code()
    with code.block(header_without_parameters(strategy_name(strategy, subresource), f"{class_name}[{type_}]")):
        what = f"{strategy.kind.name}/{subresource}" if subresource else strategy.kind.name
        code.docstring(f"A strategy for {what}, with no hooks registered.")
        code.line(f"return {class_name}({', '.join(arguments)})")
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


def _identifier(subresource: str) -> str:
    return snake_case(subresource)
