"""Errors in paths of `selectableFields:`, `strategy:` and `gates:` in hub types, found once the hubs are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from apigen.codegen.backend_input import Compilation
from apigen.codegen.strategies.backend import kinds_with_hub
from apigen.codegen.strategies.operations import CREATE
from apigen.codegen.strategies.pairing import is_in_items, pairing_problem
from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.conditions import parts
from apigen.ir.literal_reader import LiteralProblem, read_literal
from apigen.ir.model import Kind, Struct
from apigen.ir.places import (
    BoundPath,
    EachStep,
    FieldStep,
    IndexStep,
    InlineStep,
    KeyStep,
    PathProblem,
    bind_dropped,
    bind_path,
)
from apigen.ir.types import ListType, MapType, Scalar, ScalarType, StructType, TypeId, underlying
from apigen.language.model import GateRuleSpec, GateSpec, LiteralNode
from apigen.language.paths import Condition, GateEnabled, Name, Path


@dataclass(frozen=True, slots=True)
class StrategyProblem:
    """An error and its location. `candidates` are names to suggest for `word`."""

    place: Place
    message: str
    word: str = ""
    candidates: tuple[str, ...] = ()


def strategy_problems(compilation: Compilation) -> Iterator[StrategyProblem]:
    """Everything that keeps strategies from being generated."""
    checker = _Checker(compilation)
    for struct in compilation.types.values():
        if isinstance(struct, Struct):
            for rule in struct.gates:
                yield from checker.rule(rule, struct)
    for kind, struct in kinds_with_hub(compilation):
        yield from checker.kind(kind, struct)
    yield from _selectable_problems(compilation)


def _selectable_problems(compilation: Compilation) -> Iterator[StrategyProblem]:
    """Field selectors compare text: each leads to one value. A kind in another group's hub has its own list of them."""
    for group in compilation.api.groups:
        for kind in group.kinds:
            ids = (TypeId(group.folder, version.name, kind.name) for version in group.versions)
            hubs = {compilation.hub.hub_of.get(id_, id_) for id_ in ids if id_ in compilation.types}
            structs = [compilation.types[id_] for id_ in sorted(hubs)]
            for struct in (each for each in structs if isinstance(each, Struct)):
                for _, path in kind.selectable_fields:
                    bound = bind_path(path, struct, compilation.types)
                    if isinstance(bound, PathProblem):
                        yield _nowhere(path, bound)
                    elif isinstance(underlying(bound.type), ListType | MapType | StructType):
                        message = f"`{path}` is no single value, and a field selector compares one"
                        yield StrategyProblem(path.place, message)


class _Checker:
    def __init__(self, compilation: Compilation) -> None:
        self._types = compilation.types

    def rule(self, rule: GateRuleSpec, struct: Struct) -> Iterator[StrategyProblem]:
        """Check a rule of a hub type: its paths exist and can be dropped, and the paths of its conditions exist."""
        for path in rule.drop:
            bound = bind_dropped(path, struct, self._types)
            if isinstance(bound, PathProblem):
                yield _nowhere(path, bound)
            else:
                yield from self._droppable(path, bound, rule.gate)
                if rule.gate.in_use == "place" and not _is_own_field(bound):
                    message = f"`{path}` is not a field of `{struct.id.name}` itself, so it has no old field"
                    yield StrategyProblem(path.place, message)
        for condition in (rule.when, rule.gate.in_use):
            if condition is not None and not isinstance(condition, str):
                yield from self._condition(condition, struct)

    def kind(self, kind: Kind, struct: Struct) -> Iterator[StrategyProblem]:
        """Check the paths of a kind's `strategy:`; a path that is kept or reset consists of field names only."""
        generation = kind.strategy.generation
        yield from self._paths(generation.bump or () if generation else (), struct, "compared")
        for path, counter in kind.strategy.counters:
            yield from self._paths(counter.bump or (), struct, "compared")
            yield from self._number(path, struct)
        for name, operation in kind.strategy.operations:
            yield from self._paths(operation.reset or (), struct, "reset", anywhere=True)
            yield from self._paths(operation.keep or (), struct, "kept")
            excepted = (each.path for each in operation.except_)
            yield from self._paths(excepted, struct, "excepted", in_items=name != CREATE)
            yield from self._paths(operation.fill, struct, "filled", in_items=True)
            for path, value in operation.sets:
                yield from self._value(path, value, struct)
            for path, value in operation.adds:
                yield from self._value(path, value, struct, in_list=True)
            if operation.when is not None:
                yield from self._condition(operation.when, struct)

    def _paths(
        self, paths: Iterable[Path], struct: Struct, done: str, *, anywhere: bool = False, in_items: bool = False
    ) -> Iterator[StrategyProblem]:
        for path in paths:
            if not path.steps or (path.steps == (Name("spec"),) and struct.field("spec") is None):
                continue  # `.` is the whole object, `spec` what is neither metadata nor status
            bound = bind_path(path, struct, self._types)
            if isinstance(bound, PathProblem):
                yield _nowhere(path, bound)
            elif in_items and is_in_items(bound):
                if problem := pairing_problem(bound):
                    yield StrategyProblem(path.place, f"`{path}` cannot be {done}: {problem}")
            elif not anywhere and not all(isinstance(step, FieldStep | InlineStep) for step in bound.steps):
                yield StrategyProblem(path.place, f"`{path}` is not one field, and only a field can be {done}")
            elif not isinstance(bound.steps[-1], FieldStep | KeyStep):
                yield StrategyProblem(path.place, f"`{path}` does not end at a field, so it cannot be {done}")

    def _value(
        self, path: Path, value: LiteralNode, struct: Struct, *, in_list: bool = False
    ) -> Iterator[StrategyProblem]:
        """A value that a field gets, or values that a list gets."""
        bound = bind_path(path, struct, self._types)
        if isinstance(bound, PathProblem):
            yield _nowhere(path, bound)
        elif bound.field is None:
            yield StrategyProblem(path.place, f"`{path}` does not end at a field, so it cannot be set")
        elif in_list and not isinstance(underlying(bound.type), ListType):
            yield StrategyProblem(path.place, f"`{path}` is no list, so nothing can be added to it")
        else:
            yield from self._fitting(value, bound)

    def _number(self, path: Path, struct: Struct) -> Iterator[StrategyProblem]:
        """A number that counts: one field of a type of integers."""
        bound = bind_path(path, struct, self._types)
        if isinstance(bound, PathProblem):
            yield _nowhere(path, bound)
        elif not all(isinstance(step, FieldStep | InlineStep) for step in bound.steps) or bound.field is None:
            yield StrategyProblem(path.place, f"`{path}` is not one field, and only a field can count")
        elif bound.can_be_none or underlying(bound.type) != ScalarType(Scalar.INT64):
            yield StrategyProblem(path.place, f"`{path}` is no int64 that is always there, so it cannot count")

    def _condition(self, condition: Condition, struct: Struct) -> Iterator[StrategyProblem]:
        for part in parts(condition):
            if not isinstance(part, GateEnabled):
                bound = bind_path(part.path, struct, self._types)
                if isinstance(bound, PathProblem):
                    yield _nowhere(part.path, bound)

    def _droppable(self, path: Path, bound: BoundPath, gate: GateSpec) -> Iterator[StrategyProblem]:
        *above, last = bound.steps or (None,)
        if last is None:
            yield StrategyProblem(path.place, "the object itself cannot be dropped")
        elif isinstance(last, IndexStep):
            yield StrategyProblem(path.place, f"`{path}` is one element by its place, which cannot be dropped")
        elif isinstance(last, EachStep) and not (above and isinstance(above[-1], FieldStep)):
            yield StrategyProblem(path.place, f"`{path}` are elements of elements, which cannot be dropped")
        elif isinstance(last, InlineStep) and not isinstance(underlying(bound.type), StructType):
            yield StrategyProblem(path.place, f"`{path}` has no fields")
        if gate.to is not None:
            yield from self._target(path, bound, gate)

    def _target(self, path: Path, bound: BoundPath, gate: GateSpec) -> Iterator[StrategyProblem]:
        assert gate.to is not None
        if bound.field is None or isinstance(underlying(bound.type), ListType):
            yield StrategyProblem(path.place, f"`{path}` is dropped to a value, and only a field can be")
            return
        yield from self._fitting(gate.to, bound)

    def _fitting(self, value: LiteralNode, bound: BoundPath) -> Iterator[StrategyProblem]:
        """Yield the reasons why a value does not have the type of a place."""
        problems: list[LiteralProblem] = []
        read_literal(value, bound.type, self._types, problems)
        yield from (StrategyProblem(p.place, p.message, p.word, p.candidates) for p in problems)


def _is_own_field(bound: BoundPath) -> bool:
    *above, last = bound.steps or (None,)
    return isinstance(last, FieldStep) and all(isinstance(step, InlineStep) for step in above)


def _nowhere(path: Path, problem: PathProblem) -> StrategyProblem:
    after = f" after `{problem.reached}`" if problem.reached else ""
    message = f"`{path}` does not exist{after}: {problem.message}"
    return StrategyProblem(path.place, message, problem.name, problem.candidates)
