"""The rules that drop fields behind a disabled gate, and the functions that they need.

Marks of fields and rules of hub types have one form. The functions that find and drop gated data are planned: one per gate
and struct, shared by all kinds that contain it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from apigen.codegen.backend_input import BackendInput
from apigen.codegen.containment import holders_of
from apigen.codegen.hub_names import ShownNames
from apigen.codegen.python.source_text import free_names
from apigen.dataclass import dataclass, field, replace
from apigen.ir.graphs import breadth_first, reached
from apigen.ir.model import Field, Release, Struct, TypeDef, TypeId, struct_in, struct_of
from apigen.ir.names import Module, snake_case
from apigen.ir.places import (
    BoundPath,
    BoundStep,
    EachStep,
    FieldStep,
    InlineStep,
    KeyStep,
    PathProblem,
    PrefixStep,
    bind_dropped,
    bind_path,
    bind_steps,
    steps_to_elements,
)
from apigen.language.model import Condition, GateEnabled, GateJoin, GateSpec, LiteralNode, Name, Path
from apigen.language.walking import parts

Tokens = tuple[str, ...]
"""The steps of a path as a rule further out names them: JSON names, `[]` for elements and values, `[key]` for a key."""


@dataclass(frozen=True, slots=True, order=True)
class Gates:
    """The gates of a mark. Data needs all of them (`join` is ALL) or any of them."""

    names: tuple[str, ...]
    join: GateJoin

    @property
    def label(self) -> str:
        """The part of a function's name for the gates."""
        return ("_or_" if self.join is GateJoin.ANY else "_and_").join(snake_case(name) for name in self.names)

    @property
    def title(self) -> str:
        """The gates in messages."""
        return (" or " if self.join is GateJoin.ANY else " and ").join(self.names)

    @property
    def reason(self) -> str:
        """The reason of a drop in warnings; empty for a single gate, whose name is used."""
        if len(self.names) == 1:
            return ""
        if self.join is GateJoin.ANY:
            return f"none of the features {', '.join(self.names)} is enabled"
        return f"the features {', '.join(self.names)} are not all enabled"


@dataclass(frozen=True, slots=True, order=True)
class Removed:
    """A field whose `removed:` release is reached: from this release of a series it is dropped like one behind a
    disabled gate.
    """

    release: Release
    series: str = ""

    @property
    def label(self) -> str:
        """The part of a function's name for the release."""
        return f"removed_in_{self.release.major}_{self.release.minor}"

    title = ""
    """The gates in messages: none."""

    @property
    def reason(self) -> str:
        """The reason of a drop in warnings."""
        return f"it is removed since release {self.release}"


@dataclass(frozen=True, slots=True, order=True)
class Closed:
    """Values that are no longer accepted: they are kept only in objects that already have them."""

    label = "closed"
    """The part of a function's name."""

    title = ""
    """The gates in messages: none."""

    reason = "the value is no longer accepted"
    """The reason of a drop in warnings."""


Off = Gates | Removed | Closed


@dataclass(frozen=True, slots=True)
class Use:
    """The condition under which the old object uses data: `owner` is None if any field of the gate counts.

    `label` names it in functions; `condition` is evaluated for each `owner` in the old object, else the field or the
    paths of the rule must be set. It is also the walk that determines whether an object meets the condition.
    """

    off: Off
    label: str
    owner: TypeId | None = None
    condition: Condition | None = field(default=None, compare=False)

    times = ""
    """Uses are looked for in the same way in all operations."""

    def function_name(self, struct: str) -> str:
        """E.g. `frobber_uses_frobber2_d`."""
        return f"{struct}_uses_{self.label}"

    @property
    def looked_at(self) -> Off | Use:
        """The common property of the rules whose paths the walk looks at."""
        return self.off if self.owner is None else self

    def takes(self, rule: DropRule) -> bool:
        """Return whether the paths of a rule are looked at."""
        return rule.is_live and self.looked_at in (rule.walk.off, rule.walk.use)


@dataclass(frozen=True, slots=True)
class DropWalk:
    """The walk that drops fields behind the same gates, whose use depends on the same data, in the same operations.

    Fields are dropped under the condition `off`, unless the old object meets `use` (None: always). With `by_place` this
    is decided for each place: a value that the old object has at the same place is kept.
    """

    off: Off
    use: Use | None
    during: tuple[str, ...] | None = None
    by_place: bool = False

    @property
    def label(self) -> str:
        """The part of a function's name for the dropped data."""
        if self.by_place:
            return f"{self.off.label}_by_place"
        return self.use.label if self.use else f"{self.off.label}_in_any_case"

    def function_name(self, struct: str) -> str:
        """E.g. `drop_frobber2_d_from_frobber`."""
        return f"drop_{self.label}_from_{struct}"

    @property
    def times(self) -> str:
        """The suffix that distinguishes the function's name from that for other operations."""
        return f"_on_{'_and_'.join(map(snake_case, self.during))}" if self.during is not None else ""

    @property
    def looked_at(self) -> DropWalk:
        """The common property of the rules: they belong to this walk."""
        return self

    def takes(self, rule: DropRule) -> bool:
        """Return whether a rule is carried out."""
        return rule.is_live and rule.walk == self


@dataclass(frozen=True, slots=True)
class DropRule:
    """Paths of `owner` that a walk drops."""

    owner: TypeId
    walk: DropWalk
    paths: tuple[BoundPath, ...]
    is_mark: bool
    when: Condition | None = None
    to: LiteralNode | None = None
    prune: bool = False

    @property
    def is_live(self) -> bool:
        """Return whether it can drop anything; `during: []` on a field disables dropping."""
        return self.walk.during != ()


def rules_of(
    struct: Struct, types: Mapping[TypeId, TypeDef], names: ShownNames, series: str = ""
) -> Iterator[DropRule]:
    """The rules of a struct's own block, as written, then the marks of its fields (in the names of their version).

    `series` is the release series of the struct's group.
    """
    for index, rule in enumerate(struct.gates):
        paths = tuple(_found(path, bind_dropped(path, struct, types)) for path in rule.drop)
        ident = f"of_{struct.snake_name}"
        if not _is_only_one(rule.gate, struct):
            ident += f"_{index + 1}"
        yield _rule(struct, rule.gate, paths, ident, is_mark=False, when=rule.when)
    for marked in struct.fields:
        yield from _marks(struct, marked, types, names, series)


def _marks(
    struct: Struct, marked: Field, types: Mapping[TypeId, TypeDef], names: ShownNames, series: str
) -> Iterator[DropRule]:
    if marked.gate is None and marked.lifecycle.removed is None:
        return
    bound = bind_steps((Name(marked.json_name),), struct, types, marked.json_name)
    assert isinstance(bound, BoundPath)
    if marked.gate is not None:
        gate = marked.gate
        if not isinstance(gate.in_use, str):
            gate = replace(gate, in_use=names.in_hub(gate.in_use, struct))
        ident = f"of_{struct.snake_name}"
        if not _is_only_one(gate, struct):
            ident += f"_{marked.py_name}"
        yield _rule(struct, gate, (bound,), ident, is_mark=True)
    if marked.lifecycle.removed is not None:
        removal = Removed(marked.lifecycle.removed, series)
        use = Use(removal, f"{struct.snake_name}_{marked.py_name}", struct.id)
        yield DropRule(struct.id, DropWalk(removal, use), (bound,), is_mark=True)


def _is_only_one(gate: GateSpec, struct: Struct) -> bool:
    """Return whether a struct has no other rule or mark of the same gates, so that their names tell it apart."""
    marks = [f.gate for f in struct.fields if f.gate is not None]
    return [_names(each) for each in (*(rule.gate for rule in struct.gates), *marks)].count(_names(gate)) == 1


def _names(gate: GateSpec) -> tuple[str, ...]:
    return tuple(name.value for name in gate.gates)


def _rule(
    struct: Struct,
    gate: GateSpec,
    paths: tuple[BoundPath, ...],
    ident: str,
    *,
    is_mark: bool,
    when: Condition | None = None,
) -> DropRule:
    off = gates_of(gate) if gate.gates else Closed()
    match gate.in_use:
        case "never" | "place":
            use = None
        case "gate" if isinstance(off, Gates):
            use = Use(off, off.label)
        case "gate" | "field":
            use = Use(off, f"{off.label}_{ident}", struct.id)
        case str() as other:
            raise ValueError(f"inUse: {other}")
        case condition:
            use = Use(off, f"{off.label}_{ident}", struct.id, condition)
    walk = DropWalk(off, use, gate.during, gate.in_use == "place")
    return DropRule(struct.id, walk, paths, is_mark, when, gate.to, gate.prune)


def gates_of(gate: GateSpec) -> Gates:
    """The gates of a mark."""
    names = tuple(dict.fromkeys(g.value for g in gate.gates))
    return Gates(names, gate.join if len(names) > 1 else GateJoin.ALL)


def tokens(steps: Iterable[BoundStep]) -> Tokens:
    """The steps of a path as rules name them, selections and indices as `[]`: a rule for some elements replaces the marks of all."""
    texts: list[str] = []
    for step in steps:
        match step:
            case FieldStep(field):
                texts.append(field.json_name)
            case InlineStep():
                pass
            case KeyStep(key):
                texts.append(f"[{key}]")
            case PrefixStep(prefix):
                texts.append(f"[{prefix}*]")
            case _:
                texts.append("[]")
    return tuple(texts)


def bound_path(path: Path, struct: Struct, types: Mapping[TypeId, TypeDef]) -> BoundPath:
    """A path that was checked before. ValueError if it leads nowhere."""
    return _found(path, bind_path(path, struct, types))


def _found(path: Path, bound: BoundPath | PathProblem) -> BoundPath:
    if isinstance(bound, PathProblem):
        raise ValueError(f"{path}: {bound.message}")
    return bound


Suppressed = frozenset[Tokens]
"""Paths below a struct, at and below which a rule further out has taken over."""


@dataclass(frozen=True, slots=True)
class Child:
    """A struct in a field: its value, its elements or values, or those of its elements."""

    field: Field
    steps: tuple[FieldStep | EachStep, ...]
    struct: TypeId

    @property
    def tokens(self) -> Tokens:
        """The steps from the parent as a rule names them."""
        return tokens(self.steps)

    @property
    def is_single(self) -> bool:
        """Return whether there is at most one of it."""
        return len(self.steps) == 1


@dataclass(slots=True)
class Places:
    """The structs of all types with their children and rules, computed when first needed.

    With `series`, the release series of groups by folder, the structs of another series than their holder's are omitted:
    strategies do not look into values.
    """

    types: Mapping[TypeId, TypeDef]
    names: ShownNames
    series: Mapping[str, str] = field(default_factory=dict)
    _children: dict[TypeId, tuple[Child, ...]] = field(default_factory=dict)
    _rules: dict[TypeId, tuple[DropRule, ...]] = field(default_factory=dict)
    _parents: Mapping[TypeId, Iterable[TypeId]] = field(default_factory=dict)

    def struct(self, id_: TypeId) -> Struct:
        """The struct of that identity."""
        return struct_of(id_, self.types)

    def children(self, id_: TypeId) -> tuple[Child, ...]:
        """The structs in a struct."""
        found = self._children.get(id_)
        if found is None:
            found = tuple(
                Child(member, (FieldStep(member), *steps_to_elements(member.type)), struct)
                for member in self.struct(id_).fields
                if (struct := struct_in(member.type)) is not None
                and self.series.get(struct.group) == self.series.get(id_.group)
            )
            self._children[id_] = found
        return found

    def rules(self, id_: TypeId) -> tuple[DropRule, ...]:
        """The rules and marks of a struct itself."""
        found = self._rules.get(id_)
        if found is None:
            found = self._rules[id_] = tuple(
                rules_of(self.struct(id_), self.types, self.names, self.series.get(id_.group, ""))
            )
        return found

    def below(self, root: TypeId) -> tuple[TypeId, ...]:
        """Return a struct and all structs that it can contain, each once, from the outside in."""
        return breadth_first(root, lambda id_: (child.struct for child in self.children(id_)))

    def above(self, ids: Iterable[TypeId]) -> frozenset[TypeId]:
        """Return the structs that are, or can contain, one of `ids`."""
        if not self._parents:
            structs = [id_ for id_, type_ in self.types.items() if isinstance(type_, Struct)]
            self._parents = holders_of({id_: [child.struct for child in self.children(id_)] for id_ in structs})
        return reached(ids, lambda id_: self._parents.get(id_, ()))


def all_places(backend_input: BackendInput) -> Places:
    """Return the structs of all types with all their children; for `BackendInput.once`."""
    return Places(backend_input.types, ShownNames.of(backend_input))


def inside(suppressed: Iterable[Tokens], steps: Tokens) -> Suppressed | None:
    """Return the suppressed paths below a place; None if the place itself is suppressed."""
    remaining = set()
    for path in suppressed:
        if path == steps[: len(path)]:
            return None
        if path[: len(steps)] == steps:
            remaining.add(path[len(steps) :])
    return frozenset(remaining)


def covers(suppressed: Iterable[Tokens], path: Tokens) -> bool:
    """Return whether a path is at or below a suppressed one."""
    return any(suppressed_path == path[: len(suppressed_path)] for suppressed_path in suppressed)


def replaced_by(rules: Iterable[DropRule], gates: Gates) -> Suppressed:
    """The paths that the rules of a block, but not the marks of fields, take over from marks and rules of `gates`."""
    return frozenset(
        tokens(path.steps)
        for rule in rules
        if not rule.is_mark and isinstance(off := rule.walk.off, Gates) and not set(gates.names).isdisjoint(off.names)
        for path in rule.paths
    )


NOTHING: Suppressed = frozenset()


def names_gate(condition: Condition | None) -> bool:
    """Return whether a condition depends on a gate."""
    return any(True for _ in parts(condition, GateEnabled))


Walk = Use | DropWalk


@dataclass(frozen=True, slots=True)
class FunctionKey:
    """A function of `module`: a walk through a struct, except for suppressed paths."""

    walk: Walk
    struct: TypeId
    suppressed: Suppressed
    module: Module


@dataclass(frozen=True, slots=True)
class PlannedFunction:
    """A function: the rules of the struct itself, with those of their paths that no rule further out took over, and the
    functions that it calls for structs in it.
    """

    key: FunctionKey
    name: str
    rules: tuple[DropRule, ...]
    calls: tuple[tuple[Child, FunctionKey], ...]


@dataclass(slots=True)
class WalkPlanner:
    """Collects the requested functions and all functions that they call, each once, and names them."""

    places: Places
    scope: Iterable[TypeId]
    """Return the structs that kinds can contain."""
    planned: dict[FunctionKey, PlannedFunction] = field(default_factory=dict)
    _names: dict[tuple[Module, str], FunctionKey] = field(default_factory=dict)
    _reach: dict[Walk, frozenset[TypeId]] = field(default_factory=dict)
    _rules_by_walk: dict[DropWalk | Off | Use, list[DropRule]] | None = None
    """The rules by the properties that walks distinguish; they are computed once, because there are as many walks as
    gates.
    """
    _of_module: dict[Module, list[FunctionKey]] = field(default_factory=dict)

    def walks(self, root: TypeId) -> Iterator[DropWalk]:
        """Return the walks that may drop fields of an object of a kind, in the order of its rules from the outside in."""
        found = dict.fromkeys(
            rule.walk for id_ in self.places.below(root) for rule in self.places.rules(id_) if rule.is_live
        )
        return (walk for walk in found if self._is_live(walk, root, NOTHING))

    def request(
        self, walk: Walk, struct: TypeId, suppressed: Suppressed, asking: TypeId, suffix: str = ""
    ) -> FunctionKey | None:
        """Return the function for a walk through a struct; None if no rule applies.

        A function without suppressed paths is put into the struct's module, others into that of `asking`, the type
        with the rule that suppresses them; `suffix` makes its name unique.
        """
        suppressed = frozenset(path for path in suppressed if self._matters(walk, struct, path))
        if not self._is_live(walk, struct, suppressed):
            return None
        module_of = asking if suppressed else struct
        key = FunctionKey(walk, struct, suppressed, Module.of(module_of.group, module_of.version, "strategies"))
        if key not in self.planned:
            self._plan(key, asking, suffix)
        return key

    def queries_gates(self, walk: Walk) -> bool:
        """Return whether conditions of the walk's rules name gates, so that its functions need the features."""
        if isinstance(walk, Use):
            return names_gate(walk.condition)
        return any(names_gate(rule.when) for rule in self._rules(walk))

    def functions(self, module: Module) -> tuple[PlannedFunction, ...]:
        """The functions of a module, in the order of their first request."""
        return tuple(self.planned[key] for key in self._of_module.get(module, ()))

    def _plan(self, key: FunctionKey, asking: TypeId, suffix: str) -> None:
        name = self._name(key, suffix)
        self._of_module.setdefault(key.module, []).append(key)
        self.planned[key] = PlannedFunction(key, name, (), ())  # reserves the name: structs may contain themselves
        calls = []
        for child, suppressed in self._descents(key.walk, key.struct, key.suppressed):
            near = asking if key.suppressed else key.struct
            called = self.request(
                key.walk, child.struct, suppressed, near, f"_in_{self.places.struct(near).snake_name}"
            )
            if called is not None:
                calls.append((child, called))
        rules = tuple(self._remaining(key.walk, key.struct, key.suppressed))
        self.planned[key] = PlannedFunction(key, name, rules, tuple(calls))

    def _name(self, key: FunctionKey, suffix: str) -> str:
        struct = self.places.struct(key.struct).snake_name
        base = key.walk.function_name(struct)
        base += suffix if key.suppressed else ""
        longer = f"{base}{key.walk.times}"
        for name in chain((base,), free_names(longer, "_")):
            if self._names.setdefault((key.module, name), key) == key:
                return name
        raise AssertionError("there are more names than functions")

    def _remaining(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> Iterator[DropRule]:
        """Yield the rules of a walk for a struct itself, without the suppressed paths."""
        for rule in self.places.rules(struct):
            if walk.takes(rule):
                hidden = suppressed | self._replaced(walk, struct) if rule.is_mark else suppressed
                paths = tuple(path for path in rule.paths if not covers(hidden, tokens(path.steps)))
                if paths:
                    yield replace(rule, paths=paths)

    def _descents(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> Iterator[tuple[Child, Suppressed]]:
        """Yield the structs in a struct that the walk enters and that are not suppressed, each with the suppressed paths
        in it.
        """
        children = self._children(walk, struct)
        hidden = suppressed | self._replaced(walk, struct) if children else NOTHING
        cleared = tuple(self._cleared(walk, struct, suppressed) if children else ())
        for child in children:
            remaining = inside(hidden, child.tokens)
            if remaining is not None and child.steps[:1] not in cleared:
                yield child, remaining

    def _cleared(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> Iterator[tuple[BoundStep, ...]]:
        """Yield the fields of a struct that a walk always clears, and therefore does not enter."""
        if isinstance(walk, DropWalk) and not walk.by_place:
            for rule in self._remaining(walk, struct, suppressed):
                if rule.when is None and rule.to is None:
                    yield from (path.steps for path in rule.paths)

    def _children(self, walk: Walk, struct: TypeId) -> list[Child]:
        """Return the structs in a struct that have, or contain a struct with, a rule of a walk."""
        reaching = self._reaching(walk)
        return [child for child in self.places.children(struct) if child.struct in reaching]

    def _replaced(self, walk: Walk, struct: TypeId) -> Suppressed:
        return replaced_by(self.places.rules(struct), walk.off) if isinstance(walk.off, Gates) else NOTHING

    def _rules(self, walk: Walk) -> list[DropRule]:
        """Yield the rules of a walk for the structs that kinds can contain."""
        if self._rules_by_walk is None:
            self._rules_by_walk = {}
            for rule in (rule for id_ in self.scope for rule in self.places.rules(id_) if rule.is_live):
                for shared in (rule.walk, rule.walk.off, *([] if rule.walk.use is None else [rule.walk.use])):
                    self._rules_by_walk.setdefault(shared, []).append(rule)
        return self._rules_by_walk.get(walk.looked_at, [])

    def _reaching(self, walk: Walk) -> frozenset[TypeId]:
        """Return the structs that have, or contain directly or indirectly a struct with, a rule of the walk."""
        if walk not in self._reach:
            self._reach[walk] = self.places.above({rule.owner for rule in self._rules(walk)})
        return self._reach[walk]

    def _is_live(self, walk: Walk, struct: TypeId, suppressed: Suppressed) -> bool:
        """Return whether a rule of the walk applies to a struct or below it, after the suppressed ones are removed."""
        if struct not in self._reaching(walk):
            return False
        queue = [(struct, suppressed)]
        seen = set(queue)
        while queue:
            place = queue.pop()
            if any(True for _ in self._remaining(walk, *place)):
                return True
            for child, remaining in self._descents(walk, *place):
                if (child.struct, remaining) not in seen:
                    seen.add((child.struct, remaining))
                    queue.append((child.struct, remaining))
        return False

    def _matters(self, walk: Walk, struct: TypeId, path: Tokens) -> bool:
        """Return whether suppressing a path makes a difference."""
        if any(covers((path,), tokens(p.steps)) for r in self.places.rules(struct) if walk.takes(r) for p in r.paths):
            return True
        for child in self._children(walk, struct):
            remaining = inside((path,), child.tokens)
            if remaining is None or any(self._matters(walk, child.struct, rest) for rest in remaining):
                return True
        return False
