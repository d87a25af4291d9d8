"""The rules that drop fields behind a disabled gate: marks of fields and rules of hub types, in one form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.codegen.hub_names import ShownNames
from apigen.dataclass import dataclass, field, replace
from apigen.ir.model import Field, Release, Struct, TypeDef
from apigen.ir.names import snake_case
from apigen.ir.places import (
    BoundPath,
    BoundStep,
    FieldStep,
    InlineStep,
    KeyStep,
    PathProblem,
    PrefixStep,
    bind_dropped,
    bind_path,
    bind_steps,
)
from apigen.ir.types import TypeId
from apigen.language.model import GateJoin, GateSpec, LiteralNode
from apigen.language.paths import Condition, Name, Path

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

    @property
    def title(self) -> str:
        """The gates in messages: none."""
        return ""

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
