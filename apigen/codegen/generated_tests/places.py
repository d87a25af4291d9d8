"""The places of gated data in objects of a kind, in the order in which generated tests visit them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from apigen.codegen.backend_input import Compilation
from apigen.codegen.features import emulated_releases
from apigen.codegen.generated_tests.modules import Row
from apigen.codegen.generated_tests.samples import KEY, NoSample, Samples, avoided
from apigen.codegen.generated_tests.settings import GateFinder
from apigen.codegen.python.source_text import literal
from apigen.codegen.strategies.backend import plan_strategies
from apigen.codegen.strategies.operations import KindStrategy, Operation
from apigen.codegen.strategies.walks import (
    DropRule,
    DropWalk,
    FunctionKey,
    Gates,
    PlannedFunction,
    Tokens,
    WalkPlanner,
    covers,
    tokens,
)
from apigen.codegen.validation.enums import Holders
from apigen.codegen.validation.plan import enum_in
from apigen.dataclass import dataclass, field
from apigen.ir.model import Api, Release, Struct
from apigen.ir.places import (
    BoundStep,
    EachStep,
    FieldStep,
    IndexStep,
    InlineStep,
    KeyStep,
    PrefixStep,
    SelectStep,
    steps_to_elements,
)
from apigen.ir.types import ListType, MapType, StructType, Type, TypeId, underlying


@dataclass(frozen=True, slots=True)
class Plans:
    """The state that the tests of all kinds share."""

    strategies: Sequence[KindStrategy]
    planner: WalkPlanner
    dropped: DroppedPlaces
    holders: Holders
    finder: GateFinder
    api: Api

    @classmethod
    def of(cls, compilation: Compilation) -> Plans:
        """Plan the tests; for `compilation.once`."""
        strategies, planner = compilation.once(plan_strategies)
        holders = Holders(planner.places, tuple(planner.scope))
        finder = GateFinder(compilation.api, emulated_releases(compilation))
        return cls(strategies, planner, DroppedPlaces(planner.planned), holders, finder, compilation.api)

    def settings(
        self, kind: Struct, on: Iterable[str], off: Iterable[str], releases: Iterable[Release] = ()
    ) -> str | None:
        """The expression of settings with gates enabled and disabled, at releases of the kind's own series; None without any."""
        return self.finder.settings(on, off, releases, self.api.series_of_groups.get(kind.id.group, ""))

    def row(
        self,
        kind: Struct,
        steps: tuple[BoundStep, ...],
        make: Callable[[], str],
        index: Callable[[Type], int] = lambda _: 0,
    ) -> Row | None:
        """Return the row of a table for a place in objects of a kind; None if `make`, which returns the expression of such
        an object, raises NoSample.

        `index` returns for the type of a list's elements the index to print for a step to any element.
        """
        try:
            return literal(self._shown(kind, steps, index)), f"lambda: {make()}"
        except NoSample:
            return None

    def _shown(self, kind: Struct, steps: tuple[BoundStep, ...], index: Callable[[Type], int]) -> str:
        """Return the path of a value in such an object as in messages: `parts[0].width`."""
        places = self.planner.places
        text = ""
        type_: Type = StructType(kind.id)
        for step in steps:
            behind = underlying(type_)
            match step, behind:
                case FieldStep(member), StructType(id_):
                    text += f".{places.names.shown(places.struct(id_), member)}"
                    type_ = member.type
                case PrefixStep(prefix), MapType():
                    text += f"[{prefix}{KEY}]"
                case KeyStep(key), MapType(_, item):
                    text += f"[{key}]"
                    type_ = item
                case EachStep(), MapType(_, item):
                    text += f"[{KEY}]"
                    type_ = item
                case EachStep(), ListType(item):
                    text += f"[{index(item)}]"
                    type_ = item
                case ((IndexStep() | SelectStep()), ListType(item)):
                    text += "[0]"
                    type_ = item
                case InlineStep(), _:
                    pass
        return text.removeprefix(".")


MOST_PLACES = 200
"""Maximum number of places of one gate in one kind that are tested; recursive structs have an infinite number."""


@dataclass(frozen=True, slots=True)
class Place:
    """Steps from the root of a kind to gated data, and the rule that gates it there."""

    steps: tuple[BoundStep, ...]
    rule: DropRule | None = None

    @property
    def tokens(self) -> Tokens:
        """The steps as rules name them."""
        return tokens(self.steps)


@dataclass(frozen=True, slots=True)
class DroppedPlaces:
    """The places that planned functions drop from, computed when first needed."""

    planned: Mapping[FunctionKey, PlannedFunction]
    _places: dict[FunctionKey, tuple[Place, ...]] = field(default_factory=dict, init=False, repr=False)
    _tokens: dict[FunctionKey, frozenset[Tokens]] = field(default_factory=dict, init=False, repr=False)

    def of(self, key: FunctionKey) -> tuple[Place, ...]:
        """The places of a function, those of structs in structs once."""
        if key not in self._places:
            found = zip(_places(key, self.planned, ()), range(MOST_PLACES), strict=False)
            self._places[key] = tuple(place for place, _ in found)
        return self._places[key]

    def has_above(self, key: FunctionKey, place: Tokens) -> bool:
        """Return whether one of a function's places is above another one."""
        tokens_of = self._tokens_of(key)
        return any(place[:length] in tokens_of for length in range(len(place)))

    def has_at_or_above(self, key: FunctionKey, place: Tokens) -> bool:
        """Return whether one of a function's places is another one, or above it."""
        return place in self._tokens_of(key) or self.has_above(key, place)

    def _tokens_of(self, key: FunctionKey) -> frozenset[Tokens]:
        if key not in self._tokens:
            self._tokens[key] = frozenset(place.tokens for place in self.of(key))
        return self._tokens[key]


def _places(
    key: FunctionKey, planned: Mapping[FunctionKey, PlannedFunction], above: tuple[FunctionKey, ...]
) -> Iterator[Place]:
    function = planned[key]
    for rule in function.rules:
        for path in rule.paths:  # dropping each element drops the list
            yield Place(path.steps[:-1] if isinstance(path.steps[-1], EachStep) else path.steps, rule)
    for child, called in function.calls:
        if called not in (*above, key):
            for place in _places(called, planned, (*above, key)):
                yield Place((*child.steps, *place.steps), place.rule)


def other_gates(place: Place, walk: DropWalk, operation: Operation, dropped: DroppedPlaces) -> frozenset[str] | None:
    """The gates that must be on for the walk alone to decide about a place; None where another rule always decides."""
    steps = place.tokens
    if covers(operation.settled, steps):  # kept and reset fields are not dropped
        return None
    behind_gates = {tokens(each.path.steps) for each in operation.excepts if each.gates is not None}
    if covers(behind_gates, steps):  # whether it is let through to be dropped is a matter of those gates, too
        return None
    own = set(walk.off.names) if isinstance(walk.off, Gates) else set()
    needed: set[str] = set()
    for step in operation.drops:
        if step.walk == walk:
            if dropped.has_above(step.drop, steps):
                return None
            continue
        if dropped.has_at_or_above(step.drop, steps):
            if not isinstance(step.walk.off, Gates) or own & set(step.walk.off.names):
                return None
            needed |= set(step.walk.off.names)
    return frozenset(needed)


def sample(place: Place, root: TypeId, samples: Samples) -> str:
    """Return an object of a kind with a value at a place. Raises NoSample if none can be generated."""
    steps = place.steps
    match steps[-1]:
        case FieldStep(member):
            avoid = avoided(steps)
            if place.rule is not None and place.rule.to is not None:
                avoid |= {str(getattr(place.rule.to, "value", ""))}
            value = samples.field_value(member, avoiding=avoid)
        case SelectStep():
            value = ""
        case KeyStep() | PrefixStep():
            value = '"x"'
        case _:
            raise NoSample
    return samples.holding(StructType(root), steps, value)


def enum_places(root: TypeId, enum: TypeId, holders: Holders) -> list[tuple[BoundStep, ...]]:
    """Yield the places in objects of a kind with an enum; recursive structs once."""
    found = zip(_enum_places(root, enum, holders, ()), range(MOST_PLACES), strict=False)
    return [steps for steps, _ in found]


def _enum_places(
    id_: TypeId, enum: TypeId, holders: Holders, above: tuple[TypeId, ...]
) -> Iterator[tuple[BoundStep, ...]]:
    places = holders.places
    for member in places.struct(id_).fields:
        if enum_in(member.type) == enum:
            yield (FieldStep(member), *steps_to_elements(member.type))
    for child in places.children(id_):
        if child.struct not in (*above, id_) and holders.holds(child.struct, enum):
            for steps in _enum_places(child.struct, enum, holders, (*above, id_)):
                yield (*child.steps, *steps)
