"""Walks a path of the spec language along the types of the IR."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics.quoting import quote
from apigen.ir.model import (
    STRING,
    Field,
    FieldPath,
    Inline,
    ListType,
    MapType,
    Presence,
    Struct,
    StructType,
    Type,
    TypeDef,
    TypeId,
    element_type,
    is_nullable,
    is_text,
    struct_behind,
    underlying,
)
from apigen.ir.names import TYPE_META
from apigen.language.model import Comparison, Each, Index, Key, Name, Path, Prefix, Select, Step


@dataclass(frozen=True, slots=True)
class FieldStep:
    """Into a field of a struct."""

    field: Field


@dataclass(frozen=True, slots=True)
class InlineStep:
    """A step into an inline field: it has no attribute, because the parent has its fields."""

    inline: Inline


@dataclass(frozen=True, slots=True)
class EachStep:
    """To each element of a list (`in_map` false) or each value of a map; `can_be_none`: one of them may be `None`."""

    in_map: bool
    type: Type
    can_be_none: bool


@dataclass(frozen=True, slots=True)
class IndexStep:
    """To one element of a list, which may be `None` if `can_be_none`."""

    index: int
    type: Type
    can_be_none: bool


@dataclass(frozen=True, slots=True)
class KeyStep:
    """To the value of one key of a map, which may be `None` if `can_be_none`."""

    key: str
    type: Type
    can_be_none: bool


@dataclass(frozen=True, slots=True)
class BoundComparison:
    """A comparison of a selection; `steps` lead from the element to a value that is compared with `value`."""

    steps: tuple[BoundStep, ...]
    equal: bool
    value: str


@dataclass(frozen=True, slots=True)
class SelectStep:
    """A step to the elements of a list for which all comparisons are true."""

    comparisons: tuple[BoundComparison, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class PrefixStep:
    """A step to the entries of a map whose keys have a prefix. Only paths of dropped fields have it, as the last step."""

    prefix: str


BoundStep = FieldStep | InlineStep | EachStep | IndexStep | KeyStep | SelectStep | PrefixStep


@dataclass(frozen=True, slots=True)
class BoundPath:
    """An existing path from a value of `start`, by `steps`, to a value of `type`.

    `can_be_none`: the value at the end may be `None` even if all its parents are set.
    """

    start: TypeId
    steps: tuple[BoundStep, ...]
    type: Type
    can_be_none: bool
    text: str

    @property
    def field(self) -> Field | None:
        """The field at the end of the path; None if it ends at another place."""
        last = self.steps[-1] if self.steps else None
        return last.field if isinstance(last, FieldStep) else None

    @property
    def fields(self) -> FieldPath | None:
        """The fields on the path; None if it has other steps."""
        return fields_of(self.steps)

    @property
    def named(self) -> FieldPath:
        """The fields along a path that was checked to go through fields only. Raises ValueError if it does not."""
        return named_fields(self.steps)


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A path that does not exist: `reached` is the part that does; `candidates` are names that might be meant.

    For a missing field, `owner` is the struct that should have it and `name` the name of the field.
    """

    reached: str
    message: str
    candidates: tuple[str, ...] = ()
    owner: TypeId | None = None
    name: str = ""


def fields_of(steps: Iterable[BoundStep]) -> FieldPath | None:
    """Return the fields along steps; None without fields, or if steps lead into a list or map (inline steps have no
    attribute).
    """
    named = [step for step in steps if not isinstance(step, InlineStep)]
    fields = tuple(step.field for step in named if isinstance(step, FieldStep))
    return fields if fields and len(fields) == len(named) else None


def type_after(step: FieldStep | EachStep | IndexStep | KeyStep | SelectStep) -> Type:
    """The type of the value that a step leads to."""
    return step.field.type if isinstance(step, FieldStep) else step.type


def named_fields(steps: Iterable[BoundStep]) -> FieldPath:
    """The fields along steps that were checked to go through fields only. Raises ValueError if they do not."""
    fields = fields_of(steps)
    if fields is None:
        raise ValueError("only names of fields are allowed here")
    return fields


def steps_to_elements(type_: Type) -> Iterator[EachStep]:
    """The steps from a list or map to its elements, and on to theirs; no steps from other types."""
    behind = underlying(type_)
    while isinstance(behind, ListType | MapType):
        yield _each(behind)
        behind = underlying(element_type(behind))


def _each(type_: ListType | MapType) -> EachStep:
    element = element_type(type_)
    return EachStep(isinstance(type_, MapType), element, is_nullable(element))


_Taken = tuple[BoundStep, Type, bool]
"""A step, the type of the value after it, and whether that value may be `None`."""


def bind_path(path: Path, start: Struct, types: Mapping[TypeId, TypeDef]) -> BoundPath | PathProblem:
    """Bind a path from a value of `start`. Returns a PathProblem if it does not exist."""
    return bind_steps(path.steps, start, types, path.text)


def bind_dropped(path: Path, start: Struct, types: Mapping[TypeId, TypeDef]) -> BoundPath | PathProblem:
    """Bind a path of dropped values, like `bind_path`; it may also be the entries of a map whose keys have a prefix."""
    *above, last = path.steps or (None,)
    if not isinstance(last, Prefix):
        return bind_path(path, start, types)
    bound = bind_steps(tuple(filter(None, above)), start, types, path.text)
    if isinstance(bound, PathProblem):
        return bound
    prefix_step = _take_prefix(last.prefix, underlying(bound.type))
    if isinstance(prefix_step, PathProblem):
        return replace(prefix_step, reached=_path_text(bound.steps))
    return replace(bound, steps=(*bound.steps, prefix_step), can_be_none=False)


def bind_steps(
    steps: tuple[Step, ...], start: Struct, types: Mapping[TypeId, TypeDef], text: str
) -> BoundPath | PathProblem:
    """Bind the steps of a path, like `bind_path`."""
    current: Type = StructType(start.id)
    can_be_none = False
    bound: list[BoundStep] = []
    via: tuple[str, ...] = ()
    for step in steps:
        bound_result = (_type_meta(step, current, types) if bound else None) or _take(step, current, via, types)
        if isinstance(bound_result, PathProblem):
            return replace(bound_result, reached=_path_text(bound))
        bound_step, current, can_be_none = bound_result
        via = (*via, bound_step.inline.name) if isinstance(bound_step, InlineStep) else ()
        bound.append(bound_step)
    return BoundPath(start.id, tuple(bound), current, can_be_none, text)


def _type_meta(step: Step, current: Type, types: Mapping[TypeId, TypeDef]) -> _Taken | None:
    """Return the step to `apiVersion` or `kind` of a kind within another one: strings that specs do not declare as fields.

    Those of the object itself follow from its type, so paths to them do not exist.
    """
    struct = struct_behind(current, types)
    if not isinstance(step, Name) or step.name not in TYPE_META or struct is None:
        return None
    if not struct.has_type_meta:
        return None
    field = Field(step.name, TYPE_META[step.name], STRING, Presence.OMIT_EMPTY, struct.place)
    return FieldStep(field), STRING, False


def _take(step: Step, current: Type, via: tuple[str, ...], types: Mapping[TypeId, TypeDef]) -> _Taken | PathProblem:
    behind = underlying(current)
    match step:
        case Name(name):
            return _take_name(name, behind, via, types)
        case Each():
            if isinstance(behind, ListType | MapType):
                each = _each(behind)
                return each, each.type, False
            return PathProblem("", f"`[]` requires a list or a map, but this is {_article(behind)}")
        case Index(index):
            if isinstance(behind, ListType):
                return IndexStep(index, behind.item, is_nullable(behind.item)), behind.item, False
            return PathProblem("", f"`[{index}]` requires a list, but this is {_article(behind)}")
        case Key(key):
            if isinstance(behind, MapType):
                return KeyStep(key, behind.value, is_nullable(behind.value)), behind.value, False
            return PathProblem("", f"`[{key}]` requires a map, but this is {_article(behind)}")
        case Prefix(prefix):
            return PathProblem("", f"`[{prefix}*]` is only allowed at the end of a path that a rule of `gates` drops")
        case Select(comparisons):
            return _take_select(comparisons, behind, types)


def _take_prefix(prefix: str, behind: Type) -> PrefixStep | PathProblem:
    if isinstance(behind, MapType):
        return PrefixStep(prefix)
    return PathProblem("", f"`[{prefix}*]` requires a map, but this is {_article(behind)}")


def _take_name(name: str, behind: Type, via: tuple[str, ...], types: Mapping[TypeId, TypeDef]) -> _Taken | PathProblem:
    struct = struct_behind(behind, types)
    if struct is None:
        return PathProblem("", f"`{name}` requires a struct, but this is {_article(behind)}")
    field = struct.field(name)
    if field is not None and field.via[: len(via)] == via:
        return FieldStep(field), field.type, field.can_be_none
    inline = struct.inline(name)
    if inline is not None and inline.via == via:
        return InlineStep(inline), StructType(struct.id), False
    names = (*(f.json_name for f in struct.fields), *(i.name for i in struct.inlines))
    return PathProblem("", f"{struct.id.name} has no field {quote(name)}", names, struct.id, name)


def _take_select(
    comparisons: tuple[Comparison, ...], behind: Type, types: Mapping[TypeId, TypeDef]
) -> _Taken | PathProblem:
    item = underlying(behind.item) if isinstance(behind, ListType) else None
    struct = struct_behind(item, types)
    if not isinstance(behind, ListType) or struct is None:
        return PathProblem("", f"a selection requires a list of structs, but this is {_article(behind)}")
    bound = []
    for comparison in comparisons:
        bound_path = bind_steps(comparison.path, struct, types, "")
        if isinstance(bound_path, PathProblem):
            return bound_path
        if not is_text(bound_path.type):
            compared = ".".join(name.name for name in comparison.path)
            message = f"a selection compares strings, but {quote(compared)} is {_article(underlying(bound_path.type))}"
            return PathProblem("", message)
        bound.append(BoundComparison(bound_path.steps, comparison.equal, comparison.value))
    return SelectStep(tuple(bound), behind.item), behind.item, False


def _article(type_: Type) -> str:
    match type_:
        case ListType():
            return f"a list ({type_})"
        case MapType():
            return f"a map ({type_})"
    return f"a value of type {type_}"


def _path_text(steps: Iterable[BoundStep]) -> str:
    return "".join(map(_step_text, steps)).removeprefix(".")


def _step_text(step: BoundStep) -> str:
    match step:
        case FieldStep(field):
            return f".{field.json_name}"
        case InlineStep(inline):
            return f".{inline.name}"
        case IndexStep(index):
            return f"[{index}]"
        case KeyStep(key):
            return f"[{key}]"
        case PrefixStep(prefix):
            return f"[{prefix}*]"
        case EachStep():
            return "[]"
    return "[…]"
