"""Errors in paths of `selectableFields:`, `strategy:` and `gates:` in hub types, found once the hubs are known."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.strategies.backend import kinds_with_hub
from apigen.codegen.strategies.kinds import is_in_items, pairing_problem
from apigen.codegen.strategies.operations import CREATE
from apigen.diagnostics import Place, Report
from apigen.diagnostics.suggest import did_you_mean
from apigen.ir.literals import LiteralProblem, read_literal
from apigen.ir.model import Kind, ListType, MapType, Scalar, ScalarType, Struct, StructType, TypeDef, TypeId, underlying
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
from apigen.language.model import Condition, Equals, GateRuleSpec, GateSpec, IsSet, LiteralNode, Name, Path
from apigen.language.walking import parts


def check_strategies(backend_input: BackendInput, report: Report) -> None:
    """Report everything that keeps strategies from being generated (AG0616)."""
    checker = _Checker(backend_input.types, report)
    for struct in backend_input.types.values():
        if isinstance(struct, Struct):
            for rule in struct.gates:
                checker.rule(rule, struct)
    for kind, struct in kinds_with_hub(backend_input):
        checker.kind(kind, struct)
    for kind, struct in _selected_kinds(backend_input):
        checker.selectable(kind, struct)


def _selected_kinds(backend_input: BackendInput) -> Iterator[tuple[Kind, Struct]]:
    """Each kind with its hub types: a kind in another group's hub has its own list of selectable fields."""
    for group in backend_input.api.groups:
        for kind in group.kinds:
            ids = (TypeId(group.folder, version.name, kind.name) for version in group.versions)
            hubs = {backend_input.hub.hub_of.get(id_, id_) for id_ in ids if id_ in backend_input.types}
            structs = (backend_input.types[id_] for id_ in sorted(hubs))
            yield from ((kind, struct) for struct in structs if isinstance(struct, Struct))


class _Checker:
    """Checks the paths of rules and kinds."""

    def __init__(self, types: Mapping[TypeId, TypeDef], report: Report) -> None:
        self._types = types
        self._report = report

    def rule(self, rule: GateRuleSpec, struct: Struct) -> None:
        """Check a rule of a hub type: its paths exist and can be dropped, and the paths of its conditions exist."""
        for path in rule.drop:
            bound = self._existing(path, bind_dropped(path, struct, self._types))
            if bound is not None:
                self._droppable(path, bound, rule.gate)
                *above, last = bound.steps or (None,)
                is_own_field = isinstance(last, FieldStep) and all(isinstance(step, InlineStep) for step in above)
                if rule.gate.in_use == "place" and not is_own_field:
                    self._reject(path, f"is not a field of `{struct.id.name}` itself, so it has no old field")
        for condition in (rule.when, rule.gate.in_use):
            if condition is not None and not isinstance(condition, str):
                self._condition(condition, struct)

    def kind(self, kind: Kind, struct: Struct) -> None:
        """Check the paths of a kind's `strategy:`; a path that is kept or reset consists of field names only."""
        generation = kind.strategy.generation
        self._paths(generation.bump or () if generation else (), struct, "compared")
        for path, counter in kind.strategy.counters:
            self._paths(counter.bump or (), struct, "compared")
            self._number(path, struct)
        for name, operation in kind.strategy.operations:
            self._paths(operation.reset or (), struct, "reset", anywhere=True)
            self._paths(operation.keep or (), struct, "kept")
            excepted = (each.path for each in operation.except_)
            self._paths(excepted, struct, "excepted", in_items=name != CREATE)
            self._paths(operation.fill, struct, "filled", in_items=True)
            for path, value in operation.sets:
                self._value(path, value, struct)
            for path, value in operation.adds:
                self._value(path, value, struct, in_list=True)
            if operation.when is not None:
                self._condition(operation.when, struct)

    def selectable(self, kind: Kind, struct: Struct) -> None:
        """Check the selectable fields of a kind: field selectors compare text, so each leads to one value."""
        for _, path in kind.selectable_fields:
            bound = self._bound(path, struct)
            if bound is not None and isinstance(underlying(bound.type), ListType | MapType | StructType):
                self._reject(path, "is no single value, and a field selector compares one")

    def _reject(self, path: Path, problem: str) -> None:
        self._error(path.place, f"`{path}` {problem}")

    def _error(self, place: Place, message: str, word: str = "", candidates: Iterable[str] = ()) -> None:
        """Report an error. `candidates` are names to suggest for `word`."""
        self._report.error("AG0616", place, message, hint=did_you_mean(word, candidates) if word else None)

    def _bound(self, path: Path, struct: Struct) -> BoundPath | None:
        return self._existing(path, bind_path(path, struct, self._types))

    def _existing(self, path: Path, bound: BoundPath | PathProblem) -> BoundPath | None:
        """Return a bound path; None, with a problem, if the path does not exist."""
        if isinstance(bound, BoundPath):
            return bound
        after = f" after `{bound.reached}`" if bound.reached else ""
        self._error(path.place, f"`{path}` does not exist{after}: {bound.message}", bound.name, bound.candidates)
        return None

    def _paths(
        self, paths: Iterable[Path], struct: Struct, done: str, *, anywhere: bool = False, in_items: bool = False
    ) -> None:
        for path in paths:
            if not path.steps or (path.steps == (Name("spec"),) and struct.field("spec") is None):
                continue  # `.` is the whole object, `spec` what is neither metadata nor status
            bound = self._bound(path, struct)
            if bound is None:
                continue
            if in_items and is_in_items(bound):
                if problem := pairing_problem(bound, self._types):
                    self._reject(path, f"cannot be {done}: {problem}")
            elif not anywhere and not all(isinstance(step, FieldStep | InlineStep) for step in bound.steps):
                self._reject(path, f"is not one field, and only a field can be {done}")
            elif not isinstance(bound.steps[-1], FieldStep | KeyStep):
                self._reject(path, f"does not end at a field, so it cannot be {done}")

    def _value(self, path: Path, value: LiteralNode, struct: Struct, *, in_list: bool = False) -> None:
        """Check a value that a field gets, or values that a list gets."""
        bound = self._bound(path, struct)
        if bound is None:
            return
        if bound.field is None:
            self._reject(path, "does not end at a field, so it cannot be set")
        elif in_list and not isinstance(underlying(bound.type), ListType):
            self._reject(path, "is no list, so nothing can be added to it")
        else:
            self._fitting(value, bound)

    def _number(self, path: Path, struct: Struct) -> None:
        """Check a number that counts: one field of a type of integers."""
        bound = self._bound(path, struct)
        if bound is None:
            return
        if not all(isinstance(step, FieldStep | InlineStep) for step in bound.steps) or bound.field is None:
            self._reject(path, "is not one field, and only a field can count")
        elif bound.can_be_none or underlying(bound.type) != ScalarType(Scalar.INT64):
            self._reject(path, "is no int64 that is always there, so it cannot count")

    def _condition(self, condition: Condition, struct: Struct) -> None:
        for part in parts(condition, Equals, IsSet):
            self._bound(part.path, struct)

    def _droppable(self, path: Path, bound: BoundPath, gate: GateSpec) -> None:
        *above, last = bound.steps or (None,)
        if last is None:
            self._error(path.place, "the object itself cannot be dropped")
        elif isinstance(last, IndexStep):
            self._reject(path, "is one element by its place, which cannot be dropped")
        elif isinstance(last, EachStep) and not (above and isinstance(above[-1], FieldStep)):
            self._reject(path, "are elements of elements, which cannot be dropped")
        elif isinstance(last, InlineStep) and not isinstance(underlying(bound.type), StructType):
            self._reject(path, "has no fields")
        if gate.to is None:
            return
        if bound.field is None or isinstance(underlying(bound.type), ListType):
            self._reject(path, "is dropped to a value, and only a field can be")
        else:
            self._fitting(gate.to, bound)

    def _fitting(self, value: LiteralNode, bound: BoundPath) -> None:
        """Check that a value has the type of a place."""
        problems: list[LiteralProblem] = []
        read_literal(value, bound.type, self._types, problems)
        for problem in problems:
            self._error(problem.place, problem.message, problem.word, problem.candidates)
