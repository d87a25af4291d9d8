"""Compiles specs as they are written: with their lenses, computed defaults and strategies, which a surface has in words only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from enum import IntEnum
from functools import cache
from itertools import chain, combinations, islice
from pathlib import Path

from apigen.codegen.backend_input import Compilation
from apigen.codegen.pipeline import compile_unruled, generate
from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place, Report, Severity
from apigen.ir.model import Presence
from apigen.language.load import load_api
from apigen.language.model import ApiSpec, GroupSpec
from apigen.language.selection import Choice
from apigen.review.counterexamples.lowering import Names, NotLoweredError, write_group
from apigen.review.counterexamples.routes import ITEM, KEY, VALUE, Route, Routes
from apigen.review.counterexamples.running import api_version
from apigen.review.effects.enum_json import in_json
from apigen.review.prover.samples import samples
from apigen.review.prover.schemas.schema import Document, Schema
from apigen.review.surface import (
    Constraint,
    Constraints,
    Element,
    ElementKind,
    Enum,
    EnumValue,
    Field,
    Group,
    Keyword,
    Kind,
    KindVersion,
    ListOf,
    MapOf,
    Named,
    Scalar,
    Scalars,
    Slot,
    Struct,
    Surface,
    TypeName,
    Union,
    Version,
    field_of,
    unfolded,
)
from apigen.review.verdict.example import ABSENT, JsonValue, Missing


class AsWritten:
    """The specs of one side, read when they are asked for, and once; `read` gives None for an input of another form."""

    def __init__(self, read: Callable[[], ApiSpec | None] = lambda: None) -> None:
        self._specs = cache(read)
        self._refused: dict[str, str] = {}

    def compiled(self, group: str, kinds: Iterable[str], otherwise: str) -> Compilation:
        """Some kinds of a group, which goes by its name on the wire. Raises NotLoweredError where that cannot be.

        It says `otherwise`, where there are no such specs, or what is wrong with them: they are compiled without the functions
        that somebody wrote by hand, as a review runs no code that comes with a change.
        """
        specs = self._specs()
        written = None if specs is None else next((each for each in specs.groups if each.group == group), None)
        there = frozenset() if written is None else _there(written, set(kinds))
        if specs is None or not there:
            raise NotLoweredError(otherwise)
        if group in self._refused:
            raise NotLoweredError(self._refused[group])
        report = Report()
        compilation = compile_unruled(specs, report, Choice(frozenset(), there))
        if compilation is None:
            self._refused[group] = (
                f"specs are compiled without hand-written functions here, which fails: {first_error(report)}"
            )
            raise NotLoweredError(self._refused[group])
        return compilation


def first_error(report: Report) -> str:
    """What is wrong, in a line."""
    errors = (each.message for each in report.diagnostics if each.severity is Severity.ERROR)
    return next(errors, "nobody knows why")


def _there(group: GroupSpec, kinds: set[str]) -> frozenset[tuple[str, str]]:
    """Those of the kinds that a group has: folder and name."""
    return frozenset((group.folder, kind.name) for kind in group.kinds if kind.name in kinds)


BACKENDS = ("json", "protobuf", "defaults", "conversions", "strategies", "validation", "copying")
"""What a trial runs."""


@dataclass(frozen=True, slots=True)
class GroupSide:
    """One side of a trial: what the review knows of a group, and the specs that it comes from, if it does.

    `is_alone`: its only version is tried for itself, whatever its conversions are.
    """

    surface: Surface
    group: Group
    written: AsWritten
    is_alone: bool = False


def build(side: GroupSide, kinds: Iterable[str], versions: Iterable[str], folder: Path, name: str) -> None:
    """Write the package `name` below a folder. Raises NotLoweredError, with the reason, where that is not possible.

    It is made of the surface, be it of specs or not; where that does not say enough, of the specs as they are written.
    """
    try:
        _build(side, set(kinds), versions, folder, name)
    except RecursionError:
        raise NotLoweredError("its types are nested too deeply to be compiled") from None


def _build(side: GroupSide, kinds: set[str], versions: Iterable[str], folder: Path, name: str) -> None:
    try:
        compilation = _lowered(side, kinds, versions, folder / f"{name}_specs")
    except NotLoweredError as error:
        compilation = side.written.compiled(side.group.name, kinds, str(error))
    for file in generate(compilation, backends=BACKENDS):
        path = folder / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.content)


def _lowered(side: GroupSide, kinds: set[str], versions: Iterable[str], folder: Path) -> Compilation:
    folder.mkdir(parents=True)
    write_group(side.surface, side.group, kinds, versions, folder, is_alone=side.is_alone)
    report = Report()
    specs = load_api(folder, report)
    compilation = None if report.has_errors else compile_unruled(specs, report)
    if compilation is None:
        raise NotLoweredError(f"it cannot be compiled: {first_error(report)}")
    return compilation


HELD = "value"
_SUFFIX = "Holder"


def unheld(surfaces: Iterable[Surface], names: Iterable[TypeName]) -> list[TypeName]:
    """Those of the types that no kind of any side leads to: where one does, objects of that kind tell more."""
    routes = [Routes(surface) for surface in surfaces]
    return [name for name in dict.fromkeys(names) if not any(each.to(name) for each in routes)]


def with_holders(surface: Surface, names: Iterable[TypeName]) -> Surface:
    """The surface with a kind for each of the types, if it has them."""
    for name in dict.fromkeys(names):
        version = surface.version(name.group, name.version)
        if version is not None and surface.type(name) is not None:
            group = surface.groups[name.group]
            surface = replace(surface, groups={**surface.groups, name.group: _with_holder(group, version.name, name)})
    return surface


def held(value: JsonValue) -> JsonValue:
    """What an object holds for such a type; the object itself where its kind is one of the input."""
    if isinstance(value, dict) and str(value.get("kind", "")).endswith(_SUFFIX):
        return value.get(HELD)
    return value


def type_held(value: JsonValue) -> str:
    """The name of the type that an object holds a value of; empty where its kind is one of the input."""
    kind = str(value.get("kind", "")) if isinstance(value, dict) else ""
    return kind.removesuffix(_SUFFIX) if kind.endswith(_SUFFIX) else ""


def kind_of(value: JsonValue) -> str:
    """What a report calls an object: its version and kind, or the type of which it holds a value."""
    if not isinstance(value, dict):
        return ""
    return type_held(value) or f"{value.get('apiVersion', '')} {value.get('kind', '')}".strip()


def told(text: str, value: JsonValue) -> str:
    """What happened to an object, with paths that start at the value that it holds."""
    return text.replace(f"{HELD}.", "", 1) if type_held(value) else text


def _with_holder(group: Group, version_name: str, name: TypeName) -> Group:
    version = group.versions[version_name]
    kind = f"{Names(name.group, name.version).of(name)}{_SUFFIX}"
    holder = TypeName(name.group, name.version, kind)
    place = version.place
    slot = Slot(Named(name), place)
    fields: Mapping[str, Field] = {
        HELD: Field(HELD, slot, place, Presence.OPTIONAL, number=2 if _numbered(version) else None)
    }
    struct = Struct(holder, fields, Slot(Named(holder), place), place)
    changed = replace(
        version,
        types={**version.types, kind: struct},
        kinds={**version.kinds, kind: KindVersion(kind, holder, place)},
    )
    return replace(
        group, versions={**group.versions, version_name: changed}, kinds={**group.kinds, kind: Kind(kind, place)}
    )


def _numbered(version: Version) -> bool:
    """Whether fields have numbers."""
    structs = (type_ for type_ in version.types.values() if isinstance(type_, Struct))
    return any(field.number is not None for struct in structs for field in struct.fields.values())


def is_numbered(group: Group) -> bool:
    """Whether values of a group are ever written in protobuf."""
    return any(_numbered(version) for version in group.versions.values())


VALUES = 500_000
"""Values that are made up for objects."""

FIELDS = 16_000
"""Fields of types that are compiled, on both sides together. All of Kubernetes' API has 4,350."""

TOO_MUCH = "not tried: to compile the types around it, or to make objects of them, is more work than a search may do"


@dataclass
class Allowance:
    """What is left of it."""

    values: int = VALUES
    fields: int = FIELDS

    @property
    def is_spent(self) -> bool:
        """Whether no more objects are made."""
        return self.values <= 0

    def takes_fields(self, count: int) -> bool:
        """Take so many fields, if that many are left."""
        if count > self.fields:
            return False
        self.fields -= count
        return True


@dataclass(frozen=True, slots=True)
class Filled:
    """The members of a struct that was filled in, and how many structs and values that took."""

    members: dict[str, JsonValue]
    structs: int
    values: int


class Sampling:
    """Makes up values for the places of a surface, and keeps them; `allowance` is how many values may be made at all."""

    def __init__(self, surface: Surface, allowance: Allowance | None = None) -> None:
        self.surface = surface
        self.allowance = allowance or Allowance()
        self.filled: dict[tuple[int, TypeName, int], Filled] = {}
        self._made: dict[tuple[int, int], tuple[Slot, list[JsonValue]]] = {}

    def values(self, slot: Slot, number: int) -> list[JsonValue]:
        """So many different values that a place accepts; none where they cannot be made up."""
        key = id(slot), number
        if key not in self._made:  # the slot is kept with its values, so that no other one gets its id
            self._made[key] = slot, samples(slot, self.surface, number) or []
        return self._made[key][1]


_DEEPEST_STRUCT = 8
_MOST_STRUCTS = 300
"""Structs of an object that are filled in: two members that lead on make twice as many at each step."""

_PLAIN: dict[Scalars, JsonValue] = {
    Scalars.INT_OR_STRING: 1,
    Scalars.RAW_EXTENSION: {},
    Scalars.FIELDS_V1: {},
    Scalars.ANYTHING: {},
    Scalars.NULL: None,
    Scalars.FLOAT32: 1.5,
    Scalars.FLOAT64: 1.5,
    Scalars.STRING: "a",
    Scalars.BOOL: True,
    Scalars.BYTES: "YQ==",
    Scalars.TIME: "2020-01-01T00:00:00Z",
    Scalars.MICRO_TIME: "2020-01-01T00:00:00.000000Z",
    Scalars.DURATION: "1s",
    Scalars.QUANTITY: "1",
}
"""A value of each type that has no constraints; of others a number."""

_MOST_VALUES = 5_000
"""Values of an object: a struct may have a hundred thousand members."""


class Fullness(IntEnum):
    """How much of a struct is filled in: what must be, what is always written, all."""

    REQUIRED = 0
    WRITTEN = 1
    ALL = 2


class Filling:
    """Makes up values from one side's schema."""

    def __init__(self, sampling: Sampling, fullness: Fullness = Fullness.REQUIRED) -> None:
        self._sampling = sampling
        self._surface = sampling.surface
        self._fullness = fullness
        self._left, self._left_values = _MOST_STRUCTS, _MOST_VALUES

    def begin(self) -> None:
        """Another object begins, which may have as many structs and values as the one before."""
        self._left, self._left_values = _MOST_STRUCTS, _MOST_VALUES

    def value(self, slot: Slot, depth: int = 0) -> JsonValue | Missing:
        """A value; ABSENT where none can be made up, or too many were."""
        self._left_values -= 1
        self._sampling.allowance.values -= 1
        if self._left_values < 0:
            return ABSENT
        found = unfolded(self._surface, slot)
        match found.type:
            case Named(name):
                type_ = self._surface.type(name)
                if isinstance(type_, Struct):
                    return ABSENT if depth > _DEEPEST_STRUCT or self._left <= 0 else self.struct(type_, depth)
                if not isinstance(type_, Enum):
                    return ABSENT
                chosen = value_of(type_.values.values())
                return chosen if isinstance(chosen, Missing) else in_json(chosen, type_)
            case ListOf(item):
                return self._list(found, item, depth)
            case MapOf(key, value):
                return self._map(found, key, value, depth)
            case Scalar(name) if not found.constraints:
                return _PLAIN.get(name, 1)
        made = self._sampling.values(slot, 1)
        return made[0] if made else ABSENT

    def struct(self, struct: Struct, depth: int = 0) -> dict[str, JsonValue]:
        """A struct with the members that it needs. What its members hold is shared with others like it."""
        key = self._fullness, struct.name, depth
        known = self._sampling.filled.get(key)
        if known is not None and known.structs < self._left and known.values < self._left_values:
            self._left -= known.structs
            self._left_values -= known.values
            self._sampling.allowance.values -= known.values
            return {**known.members}
        structs, values = self._left, self._left_values
        made = self._struct(struct, depth)
        if self._left > 0 and self._left_values > 0:  # nothing was omitted
            self._sampling.filled[key] = Filled({**made}, structs - self._left, values - self._left_values)
        return made

    def _struct(self, struct: Struct, depth: int) -> dict[str, JsonValue]:
        self._left -= 1
        made: dict[str, JsonValue] = {}
        chosen = {name for union in struct.unions for name in self._chosen(union, struct)}
        left_out = {name for union in struct.unions for name in union.members} - chosen
        for field in struct.fields.values():
            if field.name in chosen or (field.name not in left_out and self._is_wanted(field)):
                value = self.value(field.slot, depth + 1)
                if not isinstance(value, Missing):
                    made[field.name] = value
        for union in struct.unions:
            self._discriminate(union, made)
        return made

    def _is_wanted(self, field: Field) -> bool:
        if field.gate is not None:
            return False
        if self._fullness is Fullness.ALL or field.required:
            return True
        return self._fullness is Fullness.WRITTEN and field.presence in (Presence.PLAIN, Presence.OMIT_EMPTY)

    def _chosen(self, union: Union, struct: Struct) -> list[str]:
        """The member of a union that is set, where one must be."""
        if union.optional or (union.discriminator is not None and union.empty):
            return []
        open_ = [name for name in union.members if name in struct.fields and struct.fields[name].gate is None]
        return open_[:1]

    def _discriminate(self, union: Union, made: dict[str, JsonValue]) -> None:
        if union.discriminator is None:
            return
        member = next((name for name in union.members if name in made), None)
        if member is not None:
            made[union.discriminator] = union.members[member] or member
        elif union.empty:
            made[union.discriminator] = union.empty[0]

    def _list(self, found: Slot, item: Slot, depth: int) -> JsonValue | Missing:
        needed = _least(found, Keyword.MIN_ITEMS)
        if needed > 1:
            return list(self._sampling.values(item, needed)) or ABSENT
        if depth > 0 and needed == 0 and self._fullness is not Fullness.ALL:
            return []
        value = self.value(item, depth + 1)
        return [] if isinstance(value, Missing) else [value]

    def _map(self, found: Slot, key: Slot, value: Slot, depth: int) -> JsonValue | Missing:
        needed = _least(found, Keyword.MIN_PROPERTIES)
        if needed == 0 and depth > 0 and self._fullness is not Fullness.ALL:
            return {}
        keys = self._sampling.values(key, max(needed, 1)) or ["a"]
        made = self.value(value, depth + 1)
        return {} if isinstance(made, Missing) else {str(each): made for each in keys}


def value_of(values: Iterable[EnumValue]) -> str | Missing:
    """The first value of an enum that no gate guards; where each is guarded, the first. No more are looked at than must be."""
    guarded: str | Missing = ABSENT
    has_open = False
    for each in values:
        if each.gate is None:
            if each.value:
                return each.value
            has_open = True
        elif isinstance(guarded, Missing) and each.value:
            guarded = each.value
    return ABSENT if has_open else guarded


def discriminated(struct: Struct, made: dict[str, JsonValue], member: str) -> None:
    """Make a struct agree with its unions after a member was put into it: the others go, the discriminator follows."""
    field = field_of(struct, member)
    for union in struct.unions:
        if field is not None and field.name in union.members:
            for other in union.members:
                if other != field.name:
                    made.pop(other, None)
            if union.discriminator is not None:
                made[union.discriminator] = union.members[field.name] or field.name


def _least(slot: Slot, keyword: Keyword) -> int:
    said = slot.constraints.get(keyword)
    return int(said.value) if said is not None and isinstance(said.value, int | float) else 0


NAME = "example"
_STEP = re.compile(r"\[\]|\{key\}|\{\}")

Beside = tuple[tuple[str, JsonValue], ...]


class Placing:
    """Builds objects of one side."""

    def __init__(self, sampling: Sampling, fullness: Fullness = Fullness.REQUIRED) -> None:
        self._surface = sampling.surface
        self._filling = Filling(sampling, fullness)

    def steps(self, element: Element) -> tuple[str, ...]:
        """The steps from the type in which an element stands to it."""
        type_ = self._surface.type(element.type_name)
        if element.kind in (ElementKind.ENUM_VALUE, ElementKind.UNION, ElementKind.TOMBSTONE) or not element.path:
            return ()
        field = field_of(type_, element.path) if isinstance(type_, Struct) else None
        if field is None:
            return tuple(_STEP.findall(element.path)) if element.path[0] in "[{" else ()
        return (field.name, *_STEP.findall(element.path[len(field.name) :]))

    def object(self, route: Route, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside) -> JsonValue:
        """An object of the route's kind with a value at the end of the route and of `steps`."""
        root = self._surface.type(route.kind.root)
        slot = root.slot if isinstance(root, Struct) else None
        made = {} if slot is None else self.inside(slot, (*route.steps, *steps), value, beside, len(steps))
        found = made if isinstance(made, dict) else {}
        metadata = found.get("metadata")
        header: dict[str, JsonValue] = {"apiVersion": api_version(route.version), "kind": route.kind.kind}
        header["metadata"] = {"name": NAME, **metadata} if isinstance(metadata, dict) else {"name": NAME}
        return {**header, **{name: each for name, each in found.items() if name not in header}}

    def inside(
        self, slot: Slot, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside = (), own: int = 0
    ) -> JsonValue | Missing:
        """A value of a slot with `value` at the end of steps, of which the last `own` are inside the type of `beside`."""
        self._filling.begin()
        return self._put(slot, steps, value, beside, own)

    def _put(
        self, slot: Slot, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside, own: int
    ) -> JsonValue | Missing:
        """A value of a slot with `value` at the end of steps; `own`: how many of the steps are inside the type of the element."""
        if not steps:
            return value
        step, rest = steps[0], steps[1:]
        found = unfolded(self._surface, slot)
        match found.type:
            case ListOf(item) if step == ITEM:
                return _listed(self._put(item, rest, value, beside, own))
            case MapOf(_, inner) if step == VALUE:
                made = self._put(inner, rest, value, beside, own)
                return {} if isinstance(made, Missing) else {"a": made}
            case MapOf(_, inner) if step == KEY:
                made = self._filling.value(inner, 1)
                return {str(value): None if isinstance(made, Missing) else made}
            case Named(name):
                struct = self._surface.type(name)
                return self._member(struct, steps, value, beside, own) if isinstance(struct, Struct) else ABSENT
        return ABSENT

    def _member(
        self, struct: Struct, steps: tuple[str, ...], value: JsonValue | Missing, beside: Beside, own: int
    ) -> JsonValue | Missing:
        name, rest = steps[0], steps[1:]
        made = self._filling.struct(struct)
        field = struct.fields.get(name)
        inner = self._put(field.slot, rest, value, beside, own) if field is not None else value
        if isinstance(inner, Missing):
            made.pop(name, None)
        else:
            made[name] = inner
            discriminated(struct, made, name)
        if own == len(steps):
            made.update(deepcopy(dict(beside)))
        return made


def _listed(value: JsonValue | Missing) -> JsonValue:
    return [] if isinstance(value, Missing) else [value]


Words = Mapping[str, JsonValue]

_DEEPEST_SCHEMA = 6
_MOST_OF_MEMBER = 6
_MOST_PAIRS = 6
_LONGEST = 300
"""Characters of a text, and items of a list, that are made up for a bound."""

_ANYTHING: tuple[JsonValue, ...] = ("a", 1, {}, [], True, None, 1.5, "", 0)
_PLACE = Place("")
_NOWHERE = Surface("", "", {})
_BRANCHES = ("allOf", "anyOf", "oneOf")
_NESTED = frozenset({*_BRANCHES, "not", "if", "then", "else", "$ref", "dependentSchemas"})
_MEMBERS = frozenset({"properties", "patternProperties"})
_TYPES: dict[str, frozenset[str]] = {
    "object": frozenset(
        {*_MEMBERS, "required", "additionalProperties", "minProperties", "maxProperties", "propertyNames"}
    ),
    "array": frozenset({"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"}),
    "string": frozenset({"pattern", "minLength", "maxLength", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}),
}
"""The words that speak of the values of a type; where a schema names no type, it is about these."""

_OF_TEXTS = {"pattern": Keyword.PATTERN, "minLength": Keyword.MIN_LENGTH, "maxLength": Keyword.MAX_LENGTH}


def schema_values(schema: Schema) -> Iterator[JsonValue]:
    """Values that a schema speaks of, of every alternative some; many of them it accepts, and some it rejects."""
    return _Making(schema.document).of(schema.value)


class _Making:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._of_types = {"object": self._objects, "array": self._lists, "string": _texts, "number": _numbers}

    def of(self, words: JsonValue, depth: int = 0) -> Iterator[JsonValue]:
        if depth > _DEEPEST_SCHEMA or words is False:
            return
        if not isinstance(words, dict):
            yield from _ANYTHING
            return
        parts = (self.of(part, depth + 1) for part in self._parts(words))
        typed = (self._typed(type_, words, depth) for type_ in _types(words))
        yield from _in_turn((_said(words), *typed, *parts))

    def _typed(self, type_: str, words: Words, depth: int) -> Iterator[JsonValue]:
        if type_ in self._of_types:
            yield from self._of_types[type_](words, depth)
        elif type_ == "null":
            yield None
        elif type_ == "boolean":
            yield from (True, False)
        else:
            yield from _ANYTHING

    def _parts(self, words: Words) -> Iterator[JsonValue]:
        """The schema with each of those that are nested in it, as far as they say something together."""
        plain: JsonValue = {name: said for name, said in words.items() if name not in _NESTED}
        target = self._document.target(str(words["$ref"])) if "$ref" in words else None
        if target is not None:
            yield _merged(plain, target.value)
        for keyword in _BRANCHES:
            branches = words.get(keyword)
            if isinstance(branches, list):
                yield from (_merged(plain, branch) for branch in branches)
                yield from (_merged(plain, *pair) for pair in islice(combinations(branches, 2), _MOST_PAIRS))
        for names in (("not",), ("if",), ("if", "then"), ("else",)):
            if names[0] in words:
                yield _merged(plain, *(words.get(name, True) for name in names))
        dependent = words.get("dependentSchemas")
        if isinstance(dependent, dict):
            yield from (_merged(plain, {"required": [name]}, inner) for name, inner in dependent.items())

    def _first(self, words: JsonValue, depth: int) -> JsonValue:
        return next(self.of(words, depth + 1), "a")

    def _objects(self, words: Words, depth: int) -> Iterator[JsonValue]:
        members = _mapping(words, "properties")
        required = words.get("required")
        names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
        least = {name: self._first(members.get(name, True), depth) for name in names}
        yield least
        for name in names:
            yield {other: value for other, value in least.items() if other != name}
        for name, inner in members.items():
            for value in islice(self.of(inner, depth + 1), _MOST_OF_MEMBER):
                yield {**least, name: value}
        yield {**least, **{name: self._first(inner, depth) for name, inner in members.items()}}
        for pattern, inner in _mapping(words, "patternProperties").items():
            for key in islice(_texts({"pattern": pattern}), 1):
                yield {**least, str(key): self._first(inner, depth)}
        for value in islice(self.of(words.get("additionalProperties", True), depth + 1), 2):
            yield {**least, "another": value}

    def _lists(self, words: Words, depth: int) -> Iterator[JsonValue]:
        yield []
        items = words.get("prefixItems", words.get("items", True))
        if isinstance(items, list):
            whole = [self._first(item, depth) for item in items]
            yield from (whole[: count + 1] for count in range(len(whole)))
            yield [*whole, self._first(words.get("additionalItems", True), depth)]
            items = True
        for item in islice(chain(self.of(items, depth + 1), self.of(words.get("contains", True), depth + 1)), 12):
            yield [item]
        first = self._first(items, depth)
        yield from ([first] * count for count in _around(words, ("minItems", "maxItems")))


def _types(words: Words) -> list[str]:
    """The types that a schema names, or those of which its words speak; of nothing that speaks of a type, anything."""
    said = words.get("type")
    named = [said] if isinstance(said, str) else said if isinstance(said, list) else []
    found = ["number" if each == "integer" else str(each) for each in named]
    found = found or [type_ for type_, names in _TYPES.items() if names & words.keys()]
    return found or ([] if _NESTED & words.keys() else ["anything"])


def _said(words: Words) -> Iterator[JsonValue]:
    """The values that stand in it."""
    for keyword in ("const", "default"):
        if keyword in words:
            yield words[keyword]
    for keyword in ("enum", "examples"):
        listed = words.get(keyword)
        yield from listed if isinstance(listed, list) else ()


def _texts(words: Words, depth: int = 0) -> Iterator[JsonValue]:
    constraints: Constraints = {
        keyword: Constraint(said, _PLACE)
        for name, keyword in _OF_TEXTS.items()
        if isinstance(said := words.get(name), str | int)
    }
    slot = Slot(Scalar(Scalars.STRING), _PLACE, constraints=constraints)
    yield from samples(slot, _NOWHERE, 3) or samples(slot, _NOWHERE, 1) or ()
    yield ""
    yield from ("a" * length for length in _around(words, ("minLength", "maxLength")))


def _numbers(words: Words, depth: int = 0) -> Iterator[JsonValue]:
    for keyword in sorted(_TYPES["number"] & words.keys()):
        bound = words[keyword]
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            yield from (bound, bound + 1, bound - 1)
    yield from (1, 0, -1, *(() if words.get("type") == "integer" else (1.5,)))


def _around(words: Words, keywords: Iterable[str]) -> Iterator[int]:
    """Sizes next to bounds."""
    for keyword in keywords:
        bound = words.get(keyword)
        if isinstance(bound, int) and bound <= _LONGEST:
            yield from (size for size in (bound, bound - 1, bound + 1) if size >= 0)


def _merged(*parts: JsonValue) -> JsonValue:
    """Schemas that hold at once, as one: the later one counts where they say one thing in two ways."""
    found: dict[str, JsonValue] = {}
    for part in parts:
        for name, said in part.items() if isinstance(part, dict) else ():
            old = found.get(name)
            if name in _MEMBERS and isinstance(old, dict) and isinstance(said, dict):
                both = {key: _merged(old[key], inner) for key, inner in said.items() if key in old}
                said = {**old, **said, **both}
            elif name == "required" and isinstance(old, list) and isinstance(said, list):
                said = [*old, *said]
            found[name] = said
    return found


def _mapping(words: Words, keyword: str) -> dict[str, JsonValue]:
    said = words.get(keyword)
    return said if isinstance(said, dict) else {}


def _in_turn(sources: Iterable[Iterator[JsonValue]]) -> Iterator[JsonValue]:
    """A value of each, then the next of each: none must wait until another one is through."""
    waiting = list(sources)
    while waiting:
        left: list[Iterator[JsonValue]] = []
        for source in waiting:
            for value in islice(source, 1):
                yield value
                left.append(source)
        waiting = left
