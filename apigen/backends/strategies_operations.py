"""What the strategy of a kind does in each operation: resets, keeps, drops, counts the generation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from apigen.backends.strategies_places import Places, Suppressed
from apigen.backends.strategies_rules import Tokens, bound_path, tokens
from apigen.backends.strategies_walks import NOTHING, DropWalk, FunctionKey, UseWalk, WalkPlanner
from apigen.ir.model import Kind, Struct
from apigen.ir.names import snake_case
from apigen.ir.places import BoundPath, bind_steps
from apigen.ir.types import StructType, TypeId, underlying
from apigen.spec.model import GenerationSpec, OperationSpec
from apigen.spec.paths import Name, Path

CREATE, UPDATE, STATUS, SCALE = "create", "update", "status", "scale"


@dataclass(frozen=True, slots=True)
class DropStep:
    """Data that is dropped by `drop` while its gate is off and `use` does not hold for the old object."""

    walk: DropWalk
    drop: FunctionKey
    use: FunctionKey | None


@dataclass(frozen=True, slots=True)
class Bump:
    """The generation moves when one of `paths` has changed."""

    generation: BoundPath
    paths: tuple[BoundPath, ...]
    before_drop: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class Operation:
    """The steps of one operation, in the order of the fields. `settled` are the places that were reset or kept."""

    name: str
    settled: Suppressed = NOTHING
    resets: tuple[BoundPath, ...] = ()
    keeps: tuple[BoundPath, ...] = ()
    excepts: tuple[BoundPath, ...] = ()
    start: tuple[BoundPath, int] | None = None
    drops: tuple[DropStep, ...] = ()
    bump: Bump | None = None


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
        generation = self._generation()
        start = None
        if generation is not None and generation.start is not None and (counter := self._counter()):
            start = (counter, generation.start)
        settled = frozenset(tokens(path) for path in resets)
        drops = self._drops(CREATE, settled, with_old=False)
        return Operation(CREATE, settled, resets=resets, start=start, drops=drops)

    def _update(self, name: str) -> Operation:
        written = self._written.get(name)
        keeps, excepts = self._kept(name, written)
        kept = self._kept_tokens(keeps, excepts)
        drops = self._drops(name, kept, with_old=True)
        return Operation(name, kept, keeps=keeps, excepts=excepts, drops=drops, bump=self._bump(name, kept))

    def _kept(self, name: str, written: OperationSpec | None) -> tuple[tuple[BoundPath, ...], tuple[BoundPath, ...]]:
        if written is not None and written.keep is not None:
            keeps = self._paths(written.keep)
        elif name == STATUS:
            keeps = self._spec()
        else:
            keeps = self._fields("status") if self._has_status else ()
        return keeps, self._paths(written.except_) if written is not None else ()

    def _drops(self, operation: str, settled: Suppressed, *, with_old: bool) -> tuple[DropStep, ...]:
        """The drops of an operation. What was reset or kept is left alone, unless a rule names the operation."""
        steps = []
        for walk in self._planner.walks(self._struct.id):
            if walk.during is not None and operation not in walk.during:
                continue
            suppressed = settled if walk.during is None else NOTHING
            drop = self._planner.request(
                walk, self._struct.id, suppressed, self._struct.id, _suffix(settled, operation)
            )
            if drop is None:
                continue
            use = None
            if with_old and walk.use is not None:
                use = self._planner.request(UseWalk(walk.use), self._struct.id, NOTHING, self._struct.id)
            steps.append(DropStep(walk, drop, use))
        return tuple(steps)

    def _bump(self, name: str, kept: Suppressed) -> Bump | None:
        generation, counter = self._generation(), self._counter()
        if generation is None or counter is None or name == STATUS:
            return None
        watched = self._spec() if generation.bump is None else self._paths(generation.bump)
        paths = tuple(path for path in watched if not _is_kept(tokens(path), kept))
        return Bump(counter, paths, generation.before_drop, generation.exact) if paths else None

    def _generation(self) -> GenerationSpec | None:
        """How the generation moves; left out: with the spec, for kinds with a status."""
        written = self._kind.strategy.generation
        if written is None:
            return GenerationSpec() if self._has_status else None
        return None if written.none else written

    def _counter(self) -> BoundPath | None:
        found = bind_steps((Name("metadata"), Name("generation")), self._struct, self._places.types, "generation")
        return found if isinstance(found, BoundPath) else None

    def _spec(self) -> tuple[BoundPath, ...]:
        """What is neither metadata nor status."""
        return self._fields(*(f.json_name for f in self._struct.fields if f.json_name not in ("metadata", "status")))

    def _fields(self, *names: str) -> tuple[BoundPath, ...]:
        return tuple(_bound((Name(name),), self._struct, self._places) for name in names)

    def _paths(self, paths: Iterable[Path]) -> tuple[BoundPath, ...]:
        """Bind paths of a `strategy:`; `spec` stands for all that counts as spec, `.` for the whole object."""
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
        """The places that are kept: of a part with an exception in it, all fields beside the exception."""
        left = [tokens(path) for path in excepts]
        return frozenset(place for path in keeps for place in self._beside(tokens(path), path, left))

    def _beside(self, place: Tokens, path: BoundPath, excepts: list[Tokens]) -> Iterator[Tokens]:
        within = [e for e in excepts if e[: len(place)] == place]
        if not within:
            yield place
            return
        behind = underlying(path.type)
        if place in within or not isinstance(behind, StructType):
            return
        yield from self._fields_beside(behind.id, place, within)

    def _fields_beside(self, id_: TypeId, place: Tokens, excepts: list[Tokens]) -> Iterator[Tokens]:
        for member in self._places.struct(id_).fields:
            bound = _bound((Name(member.json_name),), self._places.struct(id_), self._places)
            yield from self._beside((*place, member.json_name), bound, excepts)


def _suffix(settled: Suppressed, operation: str) -> str:
    """What tells a function apart that leaves out what an operation settles by itself."""
    names = sorted({snake_case(place[0]) for place in settled})
    if len(names) <= 2 and all(len(place) == 1 for place in settled):
        return f"_but_{'_and_'.join(names)}"
    return f"_on_{snake_case(operation)}"


def _is_kept(place: Tokens, kept: Suppressed) -> bool:
    return any(part == place[: len(part)] for part in kept)


def _bound(steps: tuple[Name, ...], struct: Struct, places: Places) -> BoundPath:
    found = bind_steps(steps, struct, places.types, ".".join(step.name for step in steps))
    assert isinstance(found, BoundPath)
    return found
