"""The steps of a kind's strategy in each operation: reset, keep and drop fields, and count the generation."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import TypeVar

from apigen.codegen.strategies.walks import (
    NOTHING,
    DropWalk,
    FunctionKey,
    Gates,
    Places,
    Suppressed,
    Tokens,
    WalkPlanner,
    bound_path,
    covers,
    gates_of,
    tokens,
)
from apigen.dataclass import dataclass, replace
from apigen.ir.model import Kind, Struct, StructType, underlying
from apigen.ir.names import snake_case
from apigen.ir.places import BoundPath, FieldStep, InlineStep, bind_steps
from apigen.language.model import Condition, GenerationSpec, LiteralNode, Name, OperationSpec, Path

T = TypeVar("T")

CREATE, UPDATE, STATUS, SCALE = "create", "update", "status", "scale"


@dataclass(frozen=True, slots=True)
class DropStep:
    """Data that `drop` drops while its gate is disabled and `use` is false for the old object."""

    walk: DropWalk
    drop: FunctionKey
    use: FunctionKey | None


@dataclass(frozen=True, slots=True)
class Bump:
    """A number, as the generation is, moves on when one of `paths` has changed."""

    counter: BoundPath
    paths: tuple[BoundPath, ...]
    rule: GenerationSpec


@dataclass(frozen=True, slots=True)
class Excepted:
    """A field that may change below a kept one; with `gates`, only while they are enabled."""

    path: BoundPath
    gates: Gates | None


@dataclass(frozen=True, slots=True)
class Start:
    """A number that counts has this value in a new object, or `at_least` this."""

    counter: BoundPath
    value: int
    at_least: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """The steps of one operation, in the order of the fields. `settled` are the places that were reset or kept.

    Fields are kept, reset and filled, `sets` get a value, and the lists `adds` get values that they do not have, if `when`
    is true.
    """

    name: str
    settled: Suppressed = NOTHING
    when: Condition | None = None
    keeps: tuple[BoundPath, ...] = ()
    excepts: tuple[Excepted, ...] = ()
    resets: tuple[BoundPath, ...] = ()
    fills: tuple[BoundPath, ...] = ()
    sets: tuple[tuple[BoundPath, LiteralNode], ...] = ()
    adds: tuple[tuple[BoundPath, LiteralNode], ...] = ()
    starts: tuple[Start, ...] = ()
    drops: tuple[DropStep, ...] = ()
    bumps: tuple[Bump, ...] = ()

    @property
    def settles(self) -> bool:
        """Return whether anything is done before dropping."""
        return bool(self.keeps or self.resets or self.fills or self.sets or self.adds)


@dataclass(frozen=True, slots=True)
class KindStrategy:
    """The operations of a kind; `subresources` are those with a strategy of their own."""

    kind: Kind
    struct: Struct
    operations: tuple[Operation, ...]
    subresources: tuple[str, ...]


def strategy_of(kind: Kind, struct: Struct, planner: WalkPlanner) -> KindStrategy:
    """Plan the strategy of a kind from its `strategy:` and the defaults of the design."""
    return _StrategyPlanner(kind, struct, planner).plan()


class _StrategyPlanner:
    def __init__(self, kind: Kind, struct: Struct, planner: WalkPlanner) -> None:
        self._kind = kind
        self._struct = struct
        self._planner = planner
        self._places: Places = planner.places
        self._walks = list(planner.walks(struct.id))
        self._written = dict(kind.strategy.operations)
        self._has_status = STATUS in kind.subresources and struct.field("status") is not None

    def plan(self) -> KindStrategy:
        subresources = tuple(name for name in self._kind.subresources if name != SCALE)
        operations = (self._create(), *(self._update(name) for name in (UPDATE, *subresources)))
        return KindStrategy(self._kind, self._struct, operations, subresources)

    def _create(self) -> Operation:
        written = self._written.get(CREATE)
        status = self._fields("status") if self._has_status else ()
        resets = status if written is None or written.reset is None else self._paths(written.reset)
        starts = tuple(
            Start(path, rule.start, rule.at_least) for path, rule in self._counted() if rule.start is not None
        )
        excepts = tuple(self._exceptions(written)) if written is not None else ()
        cleared = self._kept_tokens(resets, tuple(each.path for each in excepts))
        settled = _unless_conditional(cleared, written)
        drops = self._drops(CREATE, settled, with_old=False)
        operation = Operation(CREATE, settled, excepts=excepts, resets=resets, starts=starts, drops=drops)
        return self._with_values(operation, written)

    def _update(self, name: str) -> Operation:
        written = self._written.get(name)
        keeps, excepts = self._kept(name, written)
        excluded = tuple(each.path for each in excepts)
        kept = _unless_conditional(self._kept_tokens(keeps, excluded), written)
        resets = self._paths(written.reset or ()) if written is not None else ()
        settled = kept | _unless_conditional(frozenset(tokens(path.steps) for path in resets), written)
        drops = self._drops(name, settled, with_old=True)
        bumps = tuple(self._bumps(name, kept, excluded))
        operation = Operation(name, settled, keeps=keeps, excepts=excepts, resets=resets, drops=drops, bumps=bumps)
        return self._with_values(operation, written)

    def _with_values(self, operation: Operation, written: OperationSpec | None) -> Operation:
        """Return the operation with the fields that it fills, sets and adds, and its condition."""
        if written is None:
            return operation
        return replace(
            operation,
            when=written.when,
            fills=self._paths(written.fill),
            sets=self._with_bound_paths(written.sets),
            adds=self._with_bound_paths(written.adds),
        )

    def _with_bound_paths(self, written: Iterable[tuple[Path, T]]) -> tuple[tuple[BoundPath, T], ...]:
        return tuple((bound_path(path, self._struct, self._places.types), value) for path, value in written)

    def _kept(self, name: str, written: OperationSpec | None) -> tuple[tuple[BoundPath, ...], tuple[Excepted, ...]]:
        if written is not None and written.keep is not None:
            keeps = self._paths(written.keep)
        elif name == STATUS:
            keeps = self._spec()
        else:
            keeps = self._fields("status") if self._has_status else ()
        if name == UPDATE:
            keeps += tuple(path for path, _ in self._with_bound_paths(self._kind.strategy.counters))
        return keeps, tuple(self._exceptions(written)) if written is not None else ()

    def _drops(self, operation: str, settled: Suppressed, *, with_old: bool) -> tuple[DropStep, ...]:
        """Return the drops of an operation. Fields that it resets or keeps are skipped, unless a rule names the
        operation.
        """
        steps = []
        for gated in self._walks:
            if gated.during is not None and operation not in gated.during:
                continue
            suppressed = settled if gated.during is None else NOTHING
            drop = self._planner.request(
                gated, self._struct.id, suppressed, self._struct.id, _suffix(settled, operation)
            )
            if drop is None:
                continue
            use = None
            if with_old and gated.use is not None:
                use = self._planner.request(gated.use, self._struct.id, NOTHING, self._struct.id)
            steps.append(DropStep(gated, drop, use))
        return tuple(steps)

    def _exceptions(self, written: OperationSpec) -> Iterator[Excepted]:
        for each in written.except_:
            gates = None if each.gate is None else gates_of(each.gate)
            yield from (Excepted(path, gates) for path in self._paths((each.path,)))

    def _bumps(self, name: str, kept: Suppressed, excepts: tuple[BoundPath, ...]) -> Iterator[Bump]:
        """Yield the counters that an operation increments: of a kept part, only the exceptions can have changed."""
        if name == STATUS:
            return
        for counter, rule in self._counted():
            watched = self._spec() if rule.bump is None else self._paths(rule.bump)
            paths = [part for path in watched for part in self._changeable(path, kept, excepts)]
            if paths:
                yield Bump(counter, tuple(dict.fromkeys(paths)), rule)

    def _changeable(self, path: BoundPath, kept: Suppressed, excepts: tuple[BoundPath, ...]) -> Iterator[BoundPath]:
        place = tokens(path.steps)
        within = [other for other in excepts if tokens(other.steps)[: len(place)] == place]
        if within:
            yield from map(self._up_to_list, within)
        elif not covers(kept, place):
            yield path

    def _up_to_list(self, path: BoundPath) -> BoundPath:
        """Return the path of the list whose items a path enters, or the path itself."""
        names = list(itertools.takewhile(lambda step: isinstance(step, FieldStep | InlineStep), path.steps))
        if len(names) == len(path.steps):
            return path
        steps = tuple(Name(step.field.json_name) for step in names if isinstance(step, FieldStep))
        return _bound(steps, self._struct, self._places)

    def _counted(self) -> Iterator[tuple[BoundPath, GenerationSpec]]:
        """All numbers that count changes, the generation last. By default that counts changes of the spec, for kinds with
        a status.
        """
        yield from self._with_bound_paths(self._kind.strategy.counters)
        generation = self._kind.strategy.generation or (GenerationSpec() if self._has_status else None)
        counter = bind_steps((Name("metadata"), Name("generation")), self._struct, self._places.types, "generation")
        if generation is not None and not generation.none and isinstance(counter, BoundPath):
            yield counter, generation

    def _spec(self) -> tuple[BoundPath, ...]:
        """Return all fields other than metadata and status."""
        return self._fields(*(f.json_name for f in self._struct.fields if f.json_name not in ("metadata", "status")))

    def _fields(self, *names: str) -> tuple[BoundPath, ...]:
        return tuple(_bound((Name(name),), self._struct, self._places) for name in names)

    def _paths(self, paths: Iterable[Path]) -> tuple[BoundPath, ...]:
        """Bind paths of a `strategy:`; `spec` means all fields that count as spec, `.` the whole object."""
        found: list[BoundPath] = []
        for path in paths:
            if not path.steps:
                found += self._fields(*(f.json_name for f in self._struct.fields))
            elif path.steps == (Name("spec"),) and self._struct.field("spec") is None:
                found += self._spec()
            else:
                found.append(bound_path(path, self._struct, self._places.types))
        return tuple(found)

    def _kept_tokens(self, keeps: Iterable[BoundPath], excepts: tuple[BoundPath, ...]) -> Suppressed:
        """The places that are kept: of a part with an exception in it, all fields next to the exception."""
        excluded = [tokens(path.steps) for path in excepts]
        return frozenset(place for path in keeps for place in self._kept_parts(tokens(path.steps), path, excluded))

    def _kept_parts(self, place: Tokens, path: BoundPath, excepts: list[Tokens]) -> Iterator[Tokens]:
        within = [e for e in excepts if e[: len(place)] == place]
        if not within:
            yield place
            return
        behind = underlying(path.type)
        if place in within or not isinstance(behind, StructType):
            return
        struct = self._places.struct(behind.id)
        for member in struct.fields:
            inner = _bound((Name(member.json_name),), struct, self._places)
            yield from self._kept_parts((*place, member.json_name), inner, within)


def _suffix(settled: Suppressed, operation: str) -> str:
    """Return the suffix of a function that omits the fields that an operation resets or keeps itself."""
    names = sorted({snake_case(place[0]) for place in settled})
    if len(names) <= 2 and all(len(place) == 1 for place in settled):
        return f"_but_{'_and_'.join(names)}"
    return f"_on_{snake_case(operation)}"


def _unless_conditional(settled: Suppressed, written: OperationSpec | None) -> Suppressed:
    """Return the paths that are reset or kept unconditionally: none if the operation has a condition."""
    return NOTHING if written is not None and written.when is not None else settled


def _bound(steps: tuple[Name, ...], struct: Struct, places: Places) -> BoundPath:
    found = bind_steps(steps, struct, places.types, ".".join(step.name for step in steps))
    assert isinstance(found, BoundPath)
    return found


def status_is_reset(kind: Kind, struct: Struct) -> bool:
    """Return whether the status of a new object is emptied before validation, so that validation does not apply to it."""
    if "status" not in kind.subresources or struct.field("status") is None:
        return False
    created = dict(kind.strategy.operations).get(CREATE)
    return created is None or created.reset is None or any(path.text == "status" for path in created.reset)
