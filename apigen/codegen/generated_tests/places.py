"""Places, objects and settings of gates for generated tests of strategies.

The places of gated data in objects of a kind are in the order in which tests visit them. Objects have a value at one place
only: `Frobber(parts=[Part(width=1)])`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.features import emulated_releases, runtime_gate
from apigen.codegen.output import OutputFile, text_file
from apigen.codegen.python.source_text import Imports, call, literal
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
from apigen.codegen.validation.backend import Holders
from apigen.codegen.validation.plan import enum_in
from apigen.dataclass import dataclass, field
from apigen.ir.model import (
    Api,
    EnumType,
    Field,
    ListType,
    MapType,
    Release,
    Scalar,
    ScalarType,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    WellKnown,
    WellKnownType,
    enum_of,
    struct_of,
    underlying,
)
from apigen.ir.names import HUB_VERSION, Module, package_name
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
from apigen.ir.series import Releases
from apigen.runtime.features import FeatureError, Features

KEY = "x"
"""The key of every map."""

_SCALARS = {
    Scalar.STRING: '"x"',
    Scalar.BOOL: "True",
    Scalar.BYTES: 'b"x"',
    Scalar.FLOAT32: "1.5",
    Scalar.FLOAT64: "1.5",
}
_TIME = '.parse("2006-01-02T15:04:05Z")'
_WELL_KNOWN = {
    WellKnown.TIME: _TIME,
    WellKnown.MICRO_TIME: _TIME.replace("05Z", "05.000000Z"),
    WellKnown.DURATION: '.parse("1s")',
    WellKnown.QUANTITY: '("1")',
    WellKnown.RAW_EXTENSION: '(b"{}")',
    WellKnown.FIELDS_V1: '(b"{}")',
}


class NoSample(Exception):
    """No object with a value at this place can be generated."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Generates values, spelled for one module."""

    imports: Imports
    types: Mapping[TypeId, TypeDef]
    near: TypeId
    """A type of the version whose classes are imported by name."""
    among_others: bool = False
    """Whether a list gets an empty element before that with the value, where its elements are structs."""

    def type_name(self, id_: TypeId) -> str:
        """Return how the module spells a class."""
        if (id_.group, id_.version) == (self.near.group, self.near.version):
            return self.imports.name(Module.of(id_.group, id_.version, "types"), id_.name)
        return self.imports.type_name(id_)

    def holding(self, type_: Type, steps: tuple[BoundStep, ...], value: str) -> str:
        """A value of a type that has `value` at the end of `steps`. NoSample where a selection is beyond us."""
        if not steps:
            return value
        behind = underlying(type_)
        step, rest = steps[0], steps[1:]
        match step, behind:
            case FieldStep(member), StructType(id_):
                return self._struct(id_, {member.py_name: self.holding(member.type, rest, value)})
            case InlineStep(), StructType():
                return self.holding(behind, rest, value)
            case EachStep(), ListType(item):
                item_value = self.holding(item, rest, value)
                return f"[{self.value(item)}, {item_value}]" if self.index(item) else f"[{item_value}]"
            case (EachStep() | PrefixStep() | KeyStep()), MapType(_, item):
                return f"{{{literal(_key(step))}: {self.holding(item, rest, value)}}}"
            case IndexStep(0), ListType(item):
                return f"[{self.holding(item, rest, value)}]"
            case SelectStep(), ListType(item):
                return f"[{self._selected(step, item, rest, value)}]"
        raise NoSample

    def index(self, item: Type) -> int:
        """Return the index of the element with the value in its list."""
        return 1 if self.among_others and isinstance(underlying(item), StructType) else 0

    def value(self, type_: Type, *, avoiding: frozenset[str] = frozenset()) -> str:
        """A value that is not zero; of an enum, one without a gate or removal that is not in `avoiding`."""
        behind = underlying(type_)
        match behind:
            case ScalarType(scalar):
                return _SCALARS.get(scalar, "2" if "1" in avoiding else "1")
            case WellKnownType(WellKnown.INT_OR_STRING):
                return "1"
            case WellKnownType(known):
                return f"{self.imports.runtime(known.value)}{_WELL_KNOWN[known]}"
            case EnumType(id_):
                return literal(self._enum_value(id_, avoiding))
            case ListType(item):
                return f"[{self.value(item)}]"
            case MapType(_, item):
                return f"{{{literal(KEY)}: {self.value(item)}}}"
            case StructType(id_):
                return self._struct(id_, {})
        raise NoSample

    def field_value(self, member: Field, *, avoiding: frozenset[str] = frozenset()) -> str:
        """A value of a field that counts as set."""
        behind = underlying(member.type)
        if isinstance(behind, StructType) and not member.can_be_none:
            return self._struct_with_something(behind.id)
        return self.value(member.type, avoiding=avoiding)

    def _struct_with_something(self, id_: TypeId) -> str:
        """A struct that is not zero: with its first plain field set that no strategy drops."""
        struct = struct_of(id_, self.types)
        for member in struct.fields:
            is_kept = member.gate is None and member.lifecycle.removed is None
            if is_kept and not isinstance(underlying(member.type), StructType):
                return self._struct(id_, {member.py_name: self.value(member.type)})
        raise NoSample

    def _struct(self, id_: TypeId, values: Mapping[str, str]) -> str:
        arguments = ", ".join(f"{name}={value}" for name, value in values.items())
        return f"{self.type_name(id_)}({arguments})"

    def _enum_value(self, id_: TypeId, avoiding: frozenset[str]) -> str:
        for known in enum_of(id_, self.types).values:
            is_accepted = known.gate is None and known.lifecycle.removed is None
            if is_accepted and known.value and known.value not in avoiding:
                return known.value
        return KEY

    def _selected(self, step: SelectStep, item: Type, rest: tuple[BoundStep, ...], value: str) -> str:
        """Return an element that a selection selects, with the rest of the path."""
        behind = underlying(item)
        values: dict[str, str] = {}
        for comparison in step.comparisons:
            if comparison.equal:
                match comparison.steps:
                    case (FieldStep(member),):
                        values[member.py_name] = literal(comparison.value)
                    case _:
                        raise NoSample
        match rest, behind:
            case (), StructType(id_):
                return self._struct(id_, values)
            case (FieldStep(member), *below), StructType(id_) if member.py_name not in values:
                values[member.py_name] = self.holding(member.type, tuple(below), value)
                return self._struct(id_, values)
        raise NoSample


def _key(step: EachStep | KeyStep | PrefixStep) -> str:
    """Return the key of the entry of a map to which a step leads."""
    return step.key if isinstance(step, KeyStep) else f"{step.prefix if isinstance(step, PrefixStep) else ''}{KEY}"


def avoided(steps: tuple[BoundStep, ...]) -> frozenset[str]:
    """Return the values that a selection on the path excludes for the field at its end."""
    last = steps[-1] if steps else None
    found = set()
    for step in steps:
        if isinstance(step, SelectStep) and isinstance(last, FieldStep):
            found |= {c.value for c in step.comparisons if not c.equal and c.steps == (last,)}
    return frozenset(found)


class GateFinder:
    """Knows all gates of an API, and tries them out as the generated package would."""

    def __init__(self, api: Api, releases: Releases) -> None:
        named = {"", *(feature.series for feature in api.features)}
        self._defaults = {name: str(release) for name, release in sorted(releases.items()) if name in named}
        self._gates = tuple(runtime_gate(feature) for feature in api.features)
        self._dependents = tuple(gate for gate in self._gates if gate.depends_on)
        self._features: dict[tuple[str, str], Features] = {}
        self._found: dict[tuple[frozenset[str], frozenset[str], tuple[Release, ...], str], str | None] = {}
        begun = {(feature.series, stage.release) for feature in api.features for stage in feature.stages}
        self._releases = {
            series: sorted({own, *(each for name, each in begun if name == series)}, reverse=True)
            for series, own in releases.items()
        }

    def settings(
        self, on: Iterable[str], off: Iterable[str], releases: Iterable[Release] = (), series: str = ""
    ) -> str | None:
        """Return the expression of gates, of the table `GATES`, at the newest release of a series at which some of its
        gates can be enabled and others disabled.

        Other series have their default releases. None if there is no such release.
        """
        wanted = frozenset(on), frozenset(off), tuple(releases), series
        if wanted not in self._found:  # kinds share most of their gates: an eighth of the settings are distinct
            self._found[wanted] = self._search(*wanted)
        return self._found[wanted]

    def _search(
        self, on: frozenset[str], off: frozenset[str], releases: tuple[Release, ...], series: str
    ) -> str | None:
        required = {**dict.fromkeys(sorted(on), True), **dict.fromkeys(sorted(off), False)}
        if on & off:
            return None
        for release in releases or self._releases.get(series, ()):
            values = self._complete(series, str(release), required)
            if values is not None:
                return _expression({**self._defaults, series: str(release)}, values)
        return None

    def _complete(self, series: str, release: str, required: dict[str, bool]) -> dict[str, bool] | None:
        """Return `required` with the settings that it requires: dependencies of enabled gates, dependents of disabled
        ones.
        """
        values = dict(required)
        features = self._at(series, release)
        changed = True
        while changed:
            changed = False
            for gate in self._dependents:
                now = values.get(gate.name, features.enabled(gate.name))
                for other in gate.depends_on if now else ():
                    if values.get(other, features.enabled(other)):
                        continue
                    name, value = (other, True) if values.get(gate.name) else (gate.name, False)
                    if values.setdefault(name, value) != value:
                        return None
                    changed = True
        try:
            copy(features).set_map(values)
        except FeatureError:
            return None
        return values

    def _at(self, series: str, release: str) -> Features:
        """Return the gates of a release of a series without settings."""
        key = series, release
        if key not in self._features:
            releases = {**self._defaults, series: release}
            self._features[key] = Features(self._gates, releases[""], series=releases)
        return self._features[key]


def _expression(releases: Mapping[str, str], values: Mapping[str, bool]) -> str:
    """Return the expression of gates with some set, at a release of each series (the project's has the empty name)."""
    set_gates = ",".join(f"{name}={str(value).lower()}" for name, value in values.items())
    others = {name: release for name, release in releases.items() if name}
    arguments = [literal(releases[""]), *([literal(set_gates)] if set_gates else [])]
    return call("Features", "GATES", *arguments, series=literal(others) if others else "")


Row = tuple[str, str]
"""The literal of a path, and an expression that makes an object with something there."""

Rows = tuple[Row, ...]


Tables = dict[Rows, tuple[str, str]]
"""The constant and the description of each table of objects that have something gated, and where."""


def constant_of(tables: Tables, rows: Rows, doc: str, names: Iterable[str]) -> str:
    """Return the constant with these rows, which is added to the tables unless they have it, with the first free name."""
    if rows not in tables:
        used_names = {name for name, _ in tables.values()}
        tables[rows] = next(name for name in names if name not in used_names), doc
    return tables[rows][0]


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
    def of(cls, backend_input: BackendInput) -> Plans:
        """Plan the tests; for `BackendInput.once`."""
        strategies, planner = backend_input.once(plan_strategies)
        holders = Holders(planner.places, tuple(planner.scope))
        finder = GateFinder(backend_input.api, emulated_releases(backend_input))
        return cls(strategies, planner, DroppedPlaces(planner.planned), holders, finder, backend_input.api)

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
                case (EachStep() | PrefixStep() | KeyStep()), MapType(_, item):
                    text += f"[{_key(step)}]"
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


class KindTests(ABC):
    """The tests of one kind. `_tables` are objects that have something, by where they have it."""

    def __init__(self, strategy: KindStrategy, plans: Plans, imports: Imports) -> None:
        self._strategy = strategy
        self._plans = plans
        self._imports = imports
        self._root = strategy.struct
        self._samples = Samples(imports, plans.planner.places.types, self._root.id)
        self._tables: Tables = {}

    @abstractmethod
    def text(self) -> str:
        """Return the module; empty without tests."""

    def _rows_type(self) -> str:
        """Return the type of a table; its names, the class of the kind and those of gates are imported."""
        self._imports.name(Module(("features",)), "GATES")
        self._imports.runtime("Features")
        factory_type, made = "", self._samples.type_name(self._root.id)
        if self._tables:
            self._imports.standard("typing", "Final")
            factory_type = f"{self._imports.standard('collections.abc', 'Callable')}[[], {made}]"
        return f"tuple[tuple[str, {factory_type}], ...]"


def modules_of_kinds(backend_input: BackendInput, subject: str, tests: type[KindTests]) -> Iterator[OutputFile]:
    """Yield `tests/test_<group>_<kind>_<subject>.py` for each kind with tests, with the version if it has no hub."""
    plans = backend_input.once(Plans.of)
    for strategy in plans.strategies:
        id_, name = strategy.struct.id, strategy.struct.snake_name
        version = "" if id_.version == HUB_VERSION else f"_{id_.version}"
        module = Module(("tests", f"test_{package_name(id_.group)}{version}_{name}_{subject}"))
        text = tests(strategy, plans, Imports(module)).text()
        if text:
            yield text_file(module.path, text)
