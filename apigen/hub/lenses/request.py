"""The input of a lens for a field of a version and a field of the hub."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import listing
from apigen.diagnostics.suggest import did_you_mean, nearest
from apigen.hub.steps import Parent, Side, Step
from apigen.ir.expressions import ValueConversion, hub_type, value_conversion
from apigen.ir.model import (
    Enum,
    EnumType,
    Field,
    FieldPath,
    Presence,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    spell,
    struct_in,
    underlying,
)
from apigen.ir.places import (
    BoundPath,
    EachStep,
    FieldStep,
    IndexStep,
    InlineStep,
    KeyStep,
    PathProblem,
    bind_path,
    bind_steps,
)
from apigen.language.model import Condition, Each, Equals, GateEnabled, Index, IsSet, Key, LensSpec, Name, Path
from apigen.language.model import Step as PathStep
from apigen.language.readers.values import LENS_KEYS
from apigen.language.walking import parts


@dataclass(frozen=True, slots=True)
class HubField:
    """A hub field that a lens needs: it is added with this type if no version defines it."""

    names: tuple[str, ...]
    type: Type
    presence: Presence
    origin: Field


class LensRejected(Exception):
    """A declaration has no steps; its errors are reported."""


@dataclass(frozen=True, slots=True)
class LensRequest:
    """A lens at a field of a version (`field`, its last part) and the struct of the hub that it maps into.

    `side` has the place that the lens is about; `at` is that place if it is not the one of the field.
    """

    spec: LensSpec
    path: FieldPath
    version: Struct
    hub: Struct
    types: Mapping[TypeId, TypeDef]
    hub_of: Mapping[TypeId, TypeId]
    report: Report
    side: Side = Side.VERSION
    at: BoundPath | None = None

    @property
    def field(self) -> Field:
        """The field that the lens is about."""
        return self.path[-1]

    @property
    def bound(self) -> BoundPath:
        """The place that the lens is about."""
        if self.at is not None:
            return self.at
        steps, text = tuple(FieldStep(each) for each in self.path), spell(self.path)
        return BoundPath(self.version.id, steps, self.field.type, self.field.can_be_none, text)

    @property
    def where(self) -> str:
        """The field with its version, for messages: v1beta1 `Widget.size`."""
        return f"{self.version.id.version} `{self.version.id.name}.{spell(self.path)}`"

    @property
    def parent(self) -> Parent:
        """The value of `parent:`."""
        word = self.spec.parent
        return Parent.WHEN_SET if word is None else Parent(word.value)

    def error(self, code: str, message: str, *, place: Place | None = None, hint: str | None = None) -> None:
        """Report an error of the lens, at its location or at `place`."""
        self.report.error(code, place or self.spec.place, message, hint=hint)

    def rejected(self, code: str, message: str, *, place: Place | None = None, hint: str | None = None) -> LensRejected:
        """Report an error, and return the exception to raise because the lens has no steps."""
        self.error(code, message, place=place, hint=hint)
        return LensRejected()

    def require_values(self, lens: str, *hub: FieldPath) -> None:
        """Reject the lens if its field, or one of these fields of the hub, can be `None`."""
        places = [(self.where, self.field), *((f"`{spell(path)}` of the hub", path[-1]) for path in hub)]
        for where, field in places:
            if field.can_be_none:
                message = f"{lens} requires fields that cannot be `None`, but {where} is `{field.presence.value}`"
                hint = f"write `omitEmpty: true` in place of `{field.presence.value}: true`"
                raise self.rejected("AG0602", message, hint=hint)

    def hub_bound(self, path: Path) -> BoundPath | None:
        """Bind a path in the hub; report an error with a suggestion if it does not exist."""
        found = bind_path(path, self.hub, self.types)
        if isinstance(found, PathProblem):
            report_missing(self.report, path, found, self.hub, self.types)
            return None
        return found

    def hub_path(self, path: Path | None) -> FieldPath:
        """Return the fields of a hub path; without a path, the field of the same name."""
        if path is None:
            found = bind_steps((Name(self.field.json_name),), self.hub, self.types, self.field.json_name)
            fields = None if isinstance(found, PathProblem) else found.fields
        else:
            bound = self.hub_bound(path)
            fields = None if bound is None else bound.fields
            if bound is not None and fields is None:
                self.error("AG0602", f"{path} does not name one field of the hub", place=path.place)
        if fields is None:
            raise LensRejected
        return fields

    def conversion(self, version: Type, hub: Type) -> ValueConversion | None:
        """Return the conversion of values of the two types in both directions; None if they do not convert."""
        return value_conversion(version, hub, self.hub_of)

    def hub_type(self, type_: Type) -> Type:
        """The hub's type for a version's type."""
        return hub_type(type_, self.hub_of)

    def check_condition(self, condition: Condition | None) -> bool:
        """Return whether the paths of a condition exist in the version's struct; report those that do not."""
        return condition is None or check_condition(condition, self.version, self.types, self.report)

    def same_place(self, *, moved: bool = False) -> BoundPath | None:
        """Return the place on the other side if its path is the same on both sides.

        `moved`: the fields of the version may have other names and paths in the hub (`hub: path`).
        """
        steps: list[PathStep] = []
        for step in self.bound.steps:
            match step:
                case FieldStep(field) if moved and field.hub is not None and field.hub.to is not None:
                    steps += field.hub.to.steps
                case FieldStep(field):
                    steps.append(Name(field.json_name))
                case EachStep():
                    steps.append(Each())
                case IndexStep(index):
                    steps.append(Index(index))
                case KeyStep(key):
                    steps.append(Key(key))
                case InlineStep():
                    pass
                case _:
                    return None
        across = self.hub if self.side is Side.VERSION else self.version
        found = bind_steps(tuple(steps), across, self.types, self.bound.text)
        return None if isinstance(found, PathProblem) else found

    def enum(self, type_: Type) -> Enum | None:
        """The enum behind a type, if it is one."""
        behind = underlying(type_)
        found = self.types.get(behind.id) if isinstance(behind, EnumType) else None
        return found if isinstance(found, Enum) else None


def names_of(bound: BoundPath) -> tuple[str, ...]:
    """Return the JSON names of the fields along a path, with `[]` for a step into a list or map."""
    steps = [step for step in bound.steps if not isinstance(step, InlineStep)]
    return tuple(step.field.json_name if isinstance(step, FieldStep) else "[]" for step in steps)


def suggestion(path: Path, problem: PathProblem) -> str | None:
    """Return a hint for the first unknown name of a path, if a similar name exists."""
    for step in path.steps:
        if isinstance(step, Name) and step.name not in problem.candidates:
            hint = did_you_mean(step.name, problem.candidates)
            if hint is not None:
                return hint
    return None


def report_missing(
    report: Report, path: Path, problem: PathProblem, root: Struct, types: Mapping[TypeId, TypeDef]
) -> None:
    """Report the error for a hub path that does not exist."""
    known = list(islice(_paths_of(root, types), _MOST_PATHS))
    hint = _nearby(str(path), known) or suggestion(path, problem) or _fields(path, problem)
    report.error("AG0601", path.place, f"the hub's {root.id.name} has no `{path}`: {problem.message}", hint=hint)


_MOST_PATHS, _MOST_NEARBY, _DEEPEST = 2_000, 5, 4


def _nearby(unknown: str, paths: list[str]) -> str | None:
    """A hint with the paths that are most like the one that does not exist, or end with the same name."""
    last = unknown.rpartition(".")[2]
    same = [path for path in paths if path.rpartition(".")[2] == last]
    closest = nearest(unknown, paths)
    near = ([closest] if closest else []) + [path for path in same if path != closest]
    return f"did you mean {listing(tuple(near[:_MOST_NEARBY]))}?" if near else None


def _fields(path: Path, problem: PathProblem) -> str:
    """Return a hint with the fields of the struct that lacks the next one of a path."""
    removed = f"if the field was removed, remove `{path}` here, too"
    if not problem.candidates:
        return removed
    more = ", …" if len(problem.candidates) > _MOST_NEARBY else ""
    return f"its fields are {listing(tuple(problem.candidates[:_MOST_NEARBY]), 'and')}{more}; {removed}"


def _paths_of(struct: Struct, types: Mapping[TypeId, TypeDef], depth: int = 0) -> Iterator[str]:
    """The paths of a struct, those of its own fields first."""
    for member in struct.fields:
        yield member.json_name
    for member in struct.fields if depth < _DEEPEST else ():
        inner = types.get(struct_in(member.type) or struct.id)
        if isinstance(inner, Struct) and inner is not struct:
            below = "" if isinstance(underlying(member.type), StructType) else "[]"
            yield from (f"{member.json_name}{below}.{path}" for path in _paths_of(inner, types, depth + 1))


def hub_only_fix(struct: Struct, entry: str) -> str:
    """Return the fix for a type of a version without an entry of `hubOnly:`, such as `count: {drop: REASON}`."""
    on = f"{struct.id.version} `{struct.id.name}`"
    return f"add `{entry}` to `hubOnly:` of {on}" if struct.hub_only else f"add `hubOnly: {{{entry}}}` to {on}"


def check_condition(condition: Condition, struct: Struct, types: Mapping[TypeId, TypeDef], report: Report) -> bool:
    """Return whether every path of a condition exists in `struct`."""
    known = report.error_count
    for part in parts(condition, Equals, IsSet, GateEnabled):
        match part:
            case Equals(path) | IsSet(path):
                bound = bind_path(path, struct, types)
                if isinstance(bound, PathProblem):
                    message = f"the condition uses `{path}`: {bound.message}"
                    report.error("AG0611", path.place, message, hint=suggestion(path, bound))
            case GateEnabled(gate, place):
                message = f"a conversion cannot depend on the gate {gate}: it would not be reversible"
                report.error("AG0611", place, message)
    return report.error_count == known


@dataclass(frozen=True, slots=True)
class Lens:
    """A kind of lens, a row of the tables in `registry`.

    A declaration is one of this lens if it has the first of the `options`, and `restriction` is true for it. It may have
    the other options, by their attributes in LensSpec, and no others; `subject` names the lens in that error. `steps` gets
    the value of the first option; it returns the steps or raises LensRejected. `hub_fields` returns the hub fields that the
    lens maps to, which are added if no version defines them.
    """

    subject: str
    options: tuple[str, ...]
    steps: Callable[[LensRequest, Any], Iterable[Step]]
    hub_fields: Callable[[LensRequest], Iterable[HubField]] = lambda _: ()
    restriction: Callable[[LensSpec], bool] = lambda _: True

    def matches(self, spec: LensSpec) -> bool:
        """Return whether a declaration is one of this lens."""
        return getattr(spec, self.options[0]) is not None and self.restriction(spec)

    def bind(self, request: LensRequest) -> Iterable[Step]:
        """Return the steps of the lens. Raises LensRejected if errors were added to the request's report."""
        allow_words(request, self.subject, *self.options)
        return self.steps(request, getattr(request.spec, self.options[0]))


def allow_words(request: LensRequest, lens: str, *allowed: str) -> None:
    """Reject a declaration that has other options than those of the lens."""
    extra = sorted(request.spec.words() - set(allowed))
    if extra:
        word = LENS_KEYS[extra[0]]
        raise request.rejected(
            "AG0603", f"`{word}` does not apply to {lens}", hint=f"remove `{word}`, or use another lens"
        )
