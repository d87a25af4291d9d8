"""What is wrong with paths of `selectableFields:`, `strategy:` and `gates:` in hub types, found once the hubs are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apigen.backends.strategies import kinds_with_hub
from apigen.compilation import Compilation
from apigen.diagnostics import Place
from apigen.ir.conditions import parts
from apigen.ir.literal_reader import LiteralProblem, read_literal
from apigen.ir.model import Kind, Struct
from apigen.ir.places import BoundPath, EachStep, FieldStep, IndexStep, InlineStep, KeyStep, PathProblem, bind_path
from apigen.ir.types import ListType, MapType, StructType, TypeId, underlying
from apigen.spec.model import GateRuleSpec, GateSpec
from apigen.spec.paths import Condition, GateOn, Name, Path


@dataclass(frozen=True, slots=True)
class StrategyProblem:
    """One thing that is wrong: where, what, and names that may be meant instead."""

    place: Place
    message: str
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
        """A rule of a hub type: paths that exist and can be dropped, conditions whose paths exist."""
        for path in rule.drop:
            bound = bind_path(path, struct, self._types)
            if isinstance(bound, PathProblem):
                yield _nowhere(path, bound)
            else:
                yield from self._droppable(path, bound, rule.gate)
        for condition in (rule.when, rule.gate.in_use):
            if condition is not None and not isinstance(condition, str):
                yield from self._condition(condition, struct)

    def kind(self, kind: Kind, struct: Struct) -> Iterator[StrategyProblem]:
        """The paths of a kind's `strategy:`; what is kept or reset is a field, told by names alone."""
        generation = kind.strategy.generation
        yield from self._paths(generation.bump or () if generation else (), struct, "compared")
        for _, operation in kind.strategy.operations:
            yield from self._paths(operation.reset or (), struct, "reset", anywhere=True)
            yield from self._paths(operation.keep or (), struct, "kept")
            yield from self._paths(operation.except_, struct, "excepted")

    def _paths(
        self, paths: Iterable[Path], struct: Struct, done: str, *, anywhere: bool = False
    ) -> Iterator[StrategyProblem]:
        for path in paths:
            if not path.steps or (path.steps == (Name("spec"),) and struct.field("spec") is None):
                continue  # `.` is the whole object, `spec` what is neither metadata nor status
            bound = bind_path(path, struct, self._types)
            if isinstance(bound, PathProblem):
                yield _nowhere(path, bound)
            elif not anywhere and not all(isinstance(step, FieldStep | InlineStep) for step in bound.steps):
                yield StrategyProblem(path.place, f"`{path}` is not one field, and only a field can be {done}")
            elif not isinstance(bound.steps[-1], FieldStep | KeyStep):
                yield StrategyProblem(path.place, f"`{path}` does not end at a field, so it cannot be {done}")

    def _condition(self, condition: Condition, struct: Struct) -> Iterator[StrategyProblem]:
        for part in parts(condition):
            if not isinstance(part, GateOn):
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
        problems: list[LiteralProblem] = []
        read_literal(gate.to, bound.type, self._types, problems)
        yield from (StrategyProblem(p.place, p.message, p.candidates) for p in problems)


def _nowhere(path: Path, problem: PathProblem) -> StrategyProblem:
    after = f" after `{problem.reached}`" if problem.reached else ""
    return StrategyProblem(path.place, f"`{path}` leads nowhere{after}: {problem.message}", problem.candidates)
