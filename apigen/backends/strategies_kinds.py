"""Writes the functions of a kind: `prepare_frobber_for_create` and its like, and what bundles them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from itertools import groupby

from apigen.backends.strategies_operations import CREATE, UPDATE, Bump, DropStep, KindStrategy, Operation
from apigen.backends.strategies_rules import Gates, Off
from apigen.backends.strategies_values import Writer, a, function_name
from apigen.ir.model import Field
from apigen.ir.names import snake_case
from apigen.ir.places import BoundPath, BoundStep, FieldStep, InlineStep, KeyStep
from apigen.python.code import Code, literal
from apigen.python.walking import walk
from apigen.spec.model import GateJoin

_LONGEST_CONDITION = 80
"""What fits a line of 88, as Black writes them, after four spaces and `if`, before a colon."""


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
            case subresource:
                what = f"Make {a(kind)} with a changed {subresource} ready to be stored"
        return f"{what}, in place; returns what was dropped from it."

    def _steps(self, code: Code) -> None:
        for path in self._operation.resets:
            self._reset(code, path)
        self._keep(code)
        if self._operation.start is not None:
            counter, start = self._operation.start
            code.line(f"{_chain('obj', counter.steps)} = {start}")
        bump = self._operation.bump
        if bump is not None and bump.before_drop:
            self._bump(code, bump)
        for off, steps in groupby(self._operation.drops, key=lambda step: step.walk.off):
            self._drop(code, off, list(steps))
        if bump is not None and not bump.before_drop:
            self._bump(code, bump)

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

        walk(code, tuple(above), "obj", self._writer.scope(self._strategy.struct), leaf)

    def _keep(self, code: Code) -> None:
        """Copy what is kept from the old object; what is excepted is put aside before and back after."""
        aside = {path: f"submitted_{_field(path).py_name}" for path in self._operation.excepts}
        for path, name in aside.items():
            code.line(f"{name} = {_read('obj', path, self._writer.zero(_field(path)))}")
        for path in self._operation.keeps:
            member = _field(path)
            copied = self._writer.copied(_chain("old", path.steps), member.type, member.can_be_none)
            self._assign(code, path, copied, other="old")
        for path, name in aside.items():
            self._assign(code, path, name)

    def _assign(self, code: Code, path: BoundPath, value: str, other: str = "") -> None:
        """Set the field at the end of a path, if its parents are there (or zero, where the other object lacks them)."""
        line = f"{_chain('obj', path.steps)} = "
        parents = _optional_parents(path)
        if not parents:
            code.line(line + value)
            return
        with code.block(f"if {_there('obj', parents)}:"):
            if not other:
                code.line(line + value)
                return
            with code.block(f"if {_there(other, parents)}:"):
                code.line(line + value)
            with code.block("else:"):
                code.line(line + self._writer.zero(_field(path)))

    def _drop(self, code: Code, off: Off, steps: list[DropStep]) -> None:
        """Drop what needs the same gates: in one condition where that fits a line, else one within the other."""
        conditions = [self._unused(step) for step in steps]
        joined = " and ".join(filter(None, (off_condition(off), conditions[0])))
        if len(steps) == 1 and len(joined) <= _LONGEST_CONDITION:
            with code.block(f"if {joined}:"):
                self._call(code, steps[0])
            return
        with code.block(f"if {off_condition(off)}:"):
            for step, condition in zip(steps, conditions, strict=True):
                with code.block(f"if {condition}:") if condition else nullcontext():
                    self._call(code, step)

    def _unused(self, step: DropStep) -> str:
        """The expression that holds while the old object does not use what is dropped; empty if that is not asked."""
        if step.use is None:
            return ""
        features = ", features" if self._writer.planner.asks_gates(step.use.walk) else ""
        return f"not {self._writer.call(step.use)}(old{features})"

    def _call(self, code: Code, step: DropStep) -> None:
        root = self._writer.imports.runtime("ROOT", "field_paths")
        features = ", features" if self._writer.planner.asks_gates(step.walk) else ""
        code.line(f"{self._writer.call(step.drop)}(obj, {root}{features}, dropped)")

    def _bump(self, code: Code, bump: Bump) -> None:
        changed = [
            self._writer.differs(_read("obj", path, "None"), _read("old", path, "None"), path.type, exact=bump.exact)
            for path in bump.paths
        ]
        counter = bump.generation.steps
        following = self._writer.imports.runtime("next_generation", "strategy")
        with code.block(f"if {' or '.join(changed)}:"):
            code.line(f"{_chain('obj', counter)} = {following}({_chain('old', counter)})")


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
    with code.block(f"def {strategy_name(strategy, subresource)}() -> {class_name}[{type_}]:"):
        what = f"{strategy.kind.name}/{subresource}" if subresource else strategy.kind.name
        code.docstring(f"A strategy for {what}, with no hooks registered.")
        code.line(f"return {class_name}({', '.join(arguments)})")
    return code


def off_condition(off: Off) -> str:
    """The expression that holds while data is not to be let in."""
    if not isinstance(off, Gates):
        return f"features.at_least({literal(str(off.release))})"
    tests = [f"features.enabled({literal(name)})" for name in off.names]
    if len(tests) == 1:
        return f"not {tests[0]}"
    return f"not ({(' or ' if off.join is GateJoin.ANY else ' and ').join(tests)})"


def _identifier(subresource: str) -> str:
    return snake_case(subresource)


def _field(path: BoundPath) -> Field:
    if path.field is None:
        raise ValueError(f"{path.text} does not end at a field")
    return path.field


def _chain(root: str, steps: tuple[BoundStep, ...]) -> str:
    """The attribute that a path of plain names leads to."""
    names = []
    for step in steps:
        match step:
            case FieldStep(member):
                names.append(member.py_name)
            case InlineStep():
                pass
            case _:
                raise ValueError("only names of fields can stand here")
    return ".".join((root, *names))


def _optional_parents(path: BoundPath) -> list[tuple[BoundStep, ...]]:
    """The parts of a path that may be absent and are not its end."""
    found = []
    for length, step in enumerate(path.steps[:-1], start=1):
        if isinstance(step, FieldStep) and step.field.can_be_none:
            found.append(path.steps[:length])
    return found


def _there(root: str, parents: list[tuple[BoundStep, ...]]) -> str:
    return " and ".join(f"{_chain(root, steps)} is not None" for steps in parents)


def _read(root: str, path: BoundPath, otherwise: str) -> str:
    """The value at the end of a path, or `otherwise` where a parent is absent."""
    value = _chain(root, path.steps)
    parents = _optional_parents(path)
    return f"({value} if {_there(root, parents)} else {otherwise})" if parents else value
