"""The IR: groups, versions, types and fields with every name, number and type bound.

Paths and conditions stay as parsed (`apigen.language.model`); `apigen.ir.places` walks them along these types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.ir.stability import one_before
from apigen.language.model import (
    NO_CONSTRAINTS,
    NO_MERGE,
    Constraints,
    DefaultCase,
    GateRuleSpec,
    GateSpec,
    LensSpec,
    LiteralNode,
    Located,
    MergeSpec,
    NumberRange,
    Path,
    PathDefault,
    PathLens,
    PreserveSpec,
    PrinterColumnSpec,
    ScaleSpec,
    Stage,
    StrategySpec,
    Tombstone,
    TypeSpec,
)
from apigen.language.releases import Release as Release  # part of the IR, too


class Scalar(StrEnum):
    """The scalars of the spec language."""

    STRING = "string"
    BOOL = "bool"
    INT32 = "int32"
    INT64 = "int64"
    UINT32 = "uint32"
    UINT64 = "uint64"
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    BYTES = "bytes"


class WellKnown(StrEnum):
    """The types with a JSON and protobuf form of their own."""

    TIME = "Time"
    MICRO_TIME = "MicroTime"
    DURATION = "Duration"
    QUANTITY = "Quantity"
    INT_OR_STRING = "IntOrString"
    RAW_EXTENSION = "RawExtension"
    FIELDS_V1 = "FieldsV1"


class TypeId(NamedTuple):
    """The identity of a type: `group` is the name of the folder, `version` the name of the version, or `hub`.

    It is a tuple, because it is the key of most lookups.
    `seen_as` is a type of a second hub: a type of a version has a separate plan, and identity, for each.
    """

    group: str
    version: str
    name: str
    seen_as: str = ""

    @property
    def unseen(self) -> TypeId:
        """The identity without `seen_as`."""
        return self._replace(seen_as="")

    def __str__(self) -> str:
        own = f"{self.group}/{self.version}.{self.name}"
        return f"{own} as {self.seen_as}" if self.seen_as else own


@dataclass(frozen=True, slots=True)
class ScalarType:
    """A scalar."""

    scalar: Scalar

    def __str__(self) -> str:
        return self.scalar.value


@dataclass(frozen=True, slots=True)
class WellKnownType:
    """A well-known type."""

    known: WellKnown

    def __str__(self) -> str:
        return self.known.value


@dataclass(frozen=True, slots=True)
class ListType:
    """A list."""

    item: Type

    def __str__(self) -> str:
        return f"[]{self.item}"


@dataclass(frozen=True, slots=True)
class MapType:
    """A map; the key is text, perhaps by another name."""

    key: Type
    value: Type

    def __str__(self) -> str:
        return f"map[{self.key}]{self.value}"


@dataclass(frozen=True, slots=True)
class StructType:
    """A struct, by identity; `has_type_meta`: it is a kind, whose zero value inside another object has no `kind`."""

    id: TypeId
    has_type_meta: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.id.name


@dataclass(frozen=True, slots=True)
class EnumType:
    """An open enum: text, of which some values are known."""

    id: TypeId

    def __str__(self) -> str:
        return self.id.name


@dataclass(frozen=True, slots=True)
class NamedType:
    """Another name for `target`. `nullable`: a list or map that is a message of its own in protobuf (`items = 1`)."""

    id: TypeId
    target: Type
    nullable: bool = False

    def __str__(self) -> str:
        return self.id.name


Type = ScalarType | WellKnownType | ListType | MapType | StructType | EnumType | NamedType

STRING = ScalarType(Scalar.STRING)
NONE_AS_ZERO = frozenset({WellKnown.TIME, WellKnown.MICRO_TIME, WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1})
"""The well-known types whose zero value is `None` in Python, `null` in JSON and an empty message in protobuf."""


def underlying(type_: Type) -> Type:
    """Return the type without aliases; enums and structs are unchanged."""
    while isinstance(type_, NamedType):
        type_ = type_.target
    return type_


def element_type(type_: ListType | MapType) -> Type:
    """The type of the elements of a list, or of the values of a map."""
    return type_.item if isinstance(type_, ListType) else type_.value


def innermost_type(type_: Type) -> Type:
    """The type of the elements of nested lists and maps, behind all names; of any other type, the type behind its
    names.
    """
    type_ = underlying(type_)
    while isinstance(type_, ListType | MapType):
        type_ = underlying(element_type(type_))
    return type_


def parts_of(type_: Type, *, behind_names: bool = True) -> Iterator[Type]:
    """Yield a type and all types in it, from the outside in: keys, elements, and the targets of names."""
    yield type_
    match type_:
        case ListType(item):
            yield from parts_of(item, behind_names=behind_names)
        case MapType(key, value):
            yield from parts_of(key, behind_names=behind_names)
            yield from parts_of(value, behind_names=behind_names)
        case NamedType(target=target) if behind_names:
            yield from parts_of(target)


def named_in(type_: Type, *, behind_names: bool = True) -> Iterator[TypeId]:
    """Yield the declared types in a type expression, also those behind their names, unless `behind_names` is false."""
    for part in parts_of(type_, behind_names=behind_names):
        if isinstance(part, StructType | EnumType | NamedType):
            yield part.id


def with_structs(type_: Type, change: Callable[[StructType], StructType]) -> Type:
    """Return the type with others in place of its structs."""
    match type_:
        case StructType():
            return change(type_)
        case ListType(item):
            return ListType(with_structs(item, change))
        case MapType(key, value):
            return MapType(key, with_structs(value, change))
        case NamedType(target=target):
            return replace(type_, target=with_structs(target, change))
    return type_


def struct_in(type_: Type) -> TypeId | None:
    """Return the struct in a value: the value itself, or its elements; None if it contains no struct."""
    innermost = innermost_type(type_)
    return innermost.id if isinstance(innermost, StructType) else None


def is_text(type_: Type) -> bool:
    """Return whether values are text: a string, an enum, or a name for one."""
    type_ = underlying(type_)
    return isinstance(type_, EnumType) or type_ == STRING


def is_bytes(type_: Type) -> bool:
    """Return whether values are bytes."""
    return underlying(type_) == ScalarType(Scalar.BYTES)


def is_container(type_: Type) -> bool:
    """Return whether values are lists or maps."""
    return isinstance(underlying(type_), ListType | MapType)


def is_nullable(type_: Type) -> bool:
    """Return whether a type is an alias of a list or map that may be `None` as an element of another type."""
    while isinstance(type_, NamedType):
        if type_.nullable:
            return True
        type_ = type_.target
    return False


@dataclass(frozen=True, slots=True)
class Replacement:
    """The replacement of a deprecated element.

    `group` is the name on the wire; `kind` is empty for a version, which is replaced kind by kind. For a field or an
    enum's value, `path` is the replacement in the same type.
    """

    group: str
    version: str
    kind: str
    path: str = ""

    def __str__(self) -> str:
        """Return it as messages name it: the path, or the version and the kind."""
        version = f"{self.group}/{self.version}" if self.group else self.version
        return self.path or f"{version} {self.kind}".rstrip()


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The releases that introduced, deprecated and removed an element; `returned` is the release that restored it
    unchanged.

    `is_deprecated`, in inputs without releases: it is deprecated, in an unknown release. `removed` is announced: the
    element still exists.
    """

    introduced: Release | None = None
    deprecated: Release | None = None
    removed: Release | None = None
    replacement: Replacement | None = None
    returned: Release | None = None
    is_deprecated: bool = False

    @property
    def declares_deprecation(self) -> bool:
        """Return whether the element is deprecated, or its deprecation is announced."""
        return self.is_deprecated or self.deprecated is not None


NO_LIFECYCLE = Lifecycle()
"""The lifecycle of elements without one; shared."""


class Presence(StrEnum):
    """The forms of an absent value; see the table in the spec language."""

    PLAIN = "plain"
    NULLABLE = "nullable"
    OPTIONAL = "optional"
    OMIT_EMPTY = "omitEmpty"


Ignored = tuple[tuple[Located[str], Located[str]], ...]
"""Codes of suppressed lint rules of an element, each with the reason."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct in JSON and Python.

    `via` are the names of the inline fields that contain it: empty for a struct's own fields; otherwise its protobuf
    message is that of the last inline field. `hub_type` names the hub type of the struct in its type, for this field
    only. `number` is None in hub types and in groups without protobuf. `absent` is the value of an unset field of a
    version in a hub field that cannot be `None`. `defaults`: a type of another release series is defaulted here.
    """

    json_name: str
    py_name: str
    type: Type
    presence: Presence
    place: Place
    required: bool = False
    number: int | None = None
    protobuf_name: str = ""
    doc: str | None = None
    via: tuple[str, ...] = ()
    default: tuple[DefaultCase, ...] = ()
    defaults: bool = False
    hub: LensSpec | None = None
    hub_type: Located[str] | None = None
    absent: LiteralNode | None = None
    gate: GateSpec | None = None
    constraints: Constraints = NO_CONSTRAINTS
    item_constraints: Constraints = NO_CONSTRAINTS
    key_constraints: Constraints = NO_CONSTRAINTS
    value_constraints: Constraints = NO_CONSTRAINTS
    merge: MergeSpec = NO_MERGE
    lifecycle: Lifecycle = NO_LIFECYCLE
    ignore: Ignored = ()

    @property
    def can_be_none(self) -> bool:
        """Return whether the Python attribute may be `None`."""
        match self.presence:
            case Presence.NULLABLE | Presence.OPTIONAL:
                return True
            case Presence.OMIT_EMPTY if is_container(self.type) or is_bytes(self.type):
                return True
        return zero_is_none(self.type)


def zero_is_none(type_: Type) -> bool:
    """Return whether the zero value of a type is `None` (times and raw JSON)."""
    type_ = underlying(type_)
    return isinstance(type_, WellKnownType) and type_.known in NONE_AS_ZERO


@dataclass(frozen=True, slots=True)
class Inline:
    """A struct whose fields belong to its parent in JSON, but to a message of their own in protobuf.

    `defaults`: the fields of a struct of another release series are defaulted here.
    """

    name: str
    type: StructType
    number: int | None
    protobuf_name: str
    place: Place
    via: tuple[str, ...] = ()
    doc: str | None = None
    ignore: Ignored = ()
    defaults: bool = False


@dataclass(frozen=True, slots=True)
class FeatureStage:
    """A stage of a gate, starting with a release.

    It applies only if no server of the control plane is older than `min_compatibility`, which may be declared by an
    earlier stage.
    """

    release: Release
    stage: Stage
    default: bool
    locked: bool
    min_compatibility: Release | None = None
    place: Place = field(default=Place(""), compare=False)

    def counts(self, release: Release, oldest: Release) -> bool:
        """Return whether the stage applies at a release in a control plane whose oldest server has release `oldest`."""
        return self.release <= release and (self.min_compatibility is None or self.min_compatibility <= oldest)

    @property
    def as_yaml(self) -> str:
        """Return the stage as an entry of features.yaml."""
        entries = [f'release: "{self.release}"', f"stage: {self.stage.value}"]
        entries += ["default: true"] if self.default else []
        entries += ["locked: true"] if self.locked else []
        entries += [f'minCompatibility: "{self.min_compatibility}"'] if self.min_compatibility else []
        return f"{{{', '.join(entries)}}}"

    @property
    def words(self) -> str:
        """The stage for messages."""
        name = "GA" if self.stage is Stage.GA else self.stage.value
        least = f" if all servers have release {self.min_compatibility} or later" if self.min_compatibility else ""
        return f"{name}, {'enabled' if self.default else 'disabled'}{' and locked' if self.locked else ''}{least}"


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature gate with its stages, oldest first; `removed`: the release that has it no more.

    `series` is the release series that its releases are of; empty for the project's own.
    """

    name: str
    place: Place
    stages: tuple[FeatureStage, ...]
    owner: str | None = None
    doc: str | None = None
    depends_on: tuple[str, ...] = ()
    removed: Release | None = None
    ignore: Ignored = ()
    series: str = ""

    def stage_at(self, release: Release, oldest: Release | None = None) -> FeatureStage | None:
        """Return its stage at a release, as if it were never removed; None before its first stage.

        `oldest` is the release of the oldest server of the control plane; by default one minor release before, as in
        Kubernetes servers.
        """
        least = one_before(release) if oldest is None else oldest
        return next((stage for stage in reversed(self.stages) if stage.counts(release, least)), None)

    def at(self, release: Release | None) -> FeatureStage | None:
        """Return its stage at a release; None before its first stage and after its removal. Without a release, the last
        known one counts.
        """
        if self.is_removed(release):
            return None
        return self.stage_at(release) if release is not None else self.stages[-1] if self.stages else None

    def is_removed(self, release: Release | None) -> bool:
        """Return whether a release has it no more; without a release, whether one is known that does not."""
        return self.removed is not None and (release is None or self.removed <= release)

    def is_enabled(self, release: Release | None, oldest: Release | None = None) -> bool:
        """Return whether it is enabled by default at a release. A removed gate counts as in its last stage."""
        if self.is_removed(release):
            return not self.stages or self.stages[-1].default
        stage = self.at(release) if release is None else self.stage_at(release, oldest)
        return stage is not None and stage.default

    def may_be_enabled(self, release: Release | None) -> bool:
        """Return whether it is enabled at a release without a setting: by default, or if all servers have that release."""
        return self.is_enabled(release) or self.is_enabled(release, release)


@dataclass(frozen=True, slots=True)
class HubRef:
    """A kind's hub in another group."""

    group: str
    name: str


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group, the same for all its versions; `type_meta`: its objects say `apiVersion` and `kind`."""

    name: str
    plural: str
    singular: str
    place: Place
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    scale: ScaleSpec | None = None
    has_list: bool = True
    hub: HubRef | None = None
    selectable_fields: tuple[tuple[str, Path], ...] = ()
    printer_columns: tuple[PrinterColumnSpec, ...] = ()
    strategy: StrategySpec = StrategySpec()
    type_meta: bool = True
    preserve: PreserveSpec | None = None


def columns_of(kind: Kind, version: str) -> tuple[PrinterColumnSpec, ...]:
    """The printer columns that a kind has in a version, in written order."""
    return tuple(
        column
        for column in kind.printer_columns
        if not column.versions or version in {named.value for named in column.versions}
    )


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a group with its types in written order, lists of kinds last.

    Unless it is `defaulted`, its objects get no defaults, and neither do values of other versions in them.
    """

    group: str
    name: str
    place: Place
    lifecycle: Lifecycle
    storage: bool
    served: bool
    types: tuple[TypeId, ...]
    defaulted: bool = True
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """An API group. `folder` names it in specs, `name` on the wire; `hub` is the version that the hub follows.

    `kinds` are those that the output serves: where only a part of an API is wanted, other types may have the form of
    a kind (`Struct.kind`) and are no more than types of fields.

    `hub_overrides` are the types of hub.yaml as written: their type expressions mean types of the hub, which the
    hub stage makes. `series` is the release series that its releases are of; empty for the project's own.
    Without `has_protobuf` no field has a number.
    """

    folder: str
    name: str
    place: Place
    versions: tuple[Version, ...]
    hub: str | None
    kinds: tuple[Kind, ...]
    hub_overrides: tuple[TypeSpec, ...] = ()
    removed_versions: tuple[Tombstone, ...] = ()
    removed_kinds: tuple[Tombstone, ...] = ()
    series: str = ""
    has_protobuf: bool = True

    def version(self, name: str) -> Version | None:
        """The version of that name, or None."""
        return next((v for v in self.versions if v.name == name), None)

    def kind(self, name: str) -> Kind | None:
        """The kind of that name, or None."""
        return next((k for k in self.kinds if k.name == name), None)

    def api_version(self, version: str) -> str:
        """The value of `apiVersion`, without the group if its name is empty."""
        return f"{self.name}/{version}" if self.name else version


@dataclass(frozen=True, slots=True)
class UnionMember:
    """A field of a union, with the discriminator's value that selects it."""

    json_name: str
    value: str | None


@dataclass(frozen=True, slots=True)
class Union:
    """Fields of which exactly one is set; at most one if `optional` or the discriminator is one of `empty`.

    `via` as in Field: the union is that of an inlined struct.
    """

    members: tuple[UnionMember, ...]
    discriminator: str | None
    empty: tuple[str, ...]
    optional: bool
    place: Place
    via: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SecondHub:
    """A type of another hub that a struct is seen as too, by lenses of its own.

    `view` is the identity of the struct seen so, `snake_name` its part of the names of functions.
    """

    hub: TypeId
    view: TypeId
    snake_name: str
    place: Place
    lenses: tuple[PathLens, ...] = ()
    hub_only: tuple[PathLens, ...] = ()


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct. `fields` are in order of JSON, inline ones flattened; `kind` is set for the root type of a kind.

    `reserved` are sorted, distinct numbers that no field may use, although their former fields are unknown. `unions`,
    `defaults`, `lenses` and `hub_only` of inlined structs follow its own ones. The lifecycle of a
    kind or list is complete: releases that the type does not declare are those of its version.
    """

    id: TypeId
    place: Place
    fields: tuple[Field, ...]
    snake_name: str
    doc: str | None = None
    inlines: tuple[Inline, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    reserved: tuple[NumberRange, ...] = ()
    unions: tuple[Union, ...] = ()
    defaults: tuple[PathDefault, ...] = ()
    lenses: tuple[PathLens, ...] = ()
    hub_only: tuple[PathLens, ...] = ()
    second_hubs: tuple[SecondHub, ...] = ()
    gates: tuple[GateRuleSpec, ...] = ()
    constraints: Constraints = NO_CONSTRAINTS
    merge: MergeSpec = NO_MERGE
    lifecycle: Lifecycle = NO_LIFECYCLE
    hub_name: str | None = None
    kind: Kind | None = None
    list_of: TypeId | None = None
    alias_of: TypeId | None = None
    ignore: Ignored = ()
    _by_name: dict[str, Field] = field(default_factory=dict, init=False, repr=False, compare=False)

    def field(self, json_name: str) -> Field | None:
        """The field of that JSON name, or None."""
        if not self._by_name:
            self._by_name.update((f.json_name, f) for f in self.fields)
        return self._by_name.get(json_name)

    def inline(self, name: str) -> Inline | None:
        """The inline field of that key, or None."""
        return next((i for i in self.inlines if i.name == name), None)

    @property
    def is_numbered(self) -> bool:
        """Return whether its fields have numbers in protobuf: in groups that have a protobuf form, all do."""
        numbers = (*(field.number for field in self.own_fields), *(inline.number for inline in self.inlines))
        return None not in numbers

    @property
    def own_fields(self) -> tuple[Field, ...]:
        """The fields of the struct's own protobuf message."""
        return tuple(f for f in self.fields if not f.via)

    @property
    def is_root(self) -> bool:
        """Return whether it is a kind of a version, or the list of one."""
        return (self.kind is not None or self.list_of is not None) and self.id.version != "hub"

    @property
    def has_type_meta(self) -> bool:
        """Return whether JSON has `kind` and `apiVersion` (kinds and their lists, outside the hub)."""
        return self.is_root and (self.kind is None or self.kind.type_meta)


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A known value of an enum; `py_name` is the member's name.

    One that was `tolerated` first is accepted everywhere only from the release that introduces it on.
    """

    value: str
    py_name: str
    place: Place
    doc: str | None = None
    gate: GateSpec | None = None
    lifecycle: Lifecycle = NO_LIFECYCLE
    tolerated: Release | None = None

    @property
    def is_rolled_out(self) -> bool:
        """Return whether it depends on a gate or on the release if every object may have it."""
        return self.gate is not None or self.tolerated is not None

    @property
    def may_be_kept(self) -> bool:
        """Return whether an object that has it may keep it while others may not have it."""
        return self.gate is None or self.gate.in_use != "never"

    def is_introduced(self, release: Release) -> bool:
        """Return whether all objects may have the value at a release, apart from its gate."""
        introduced = self.lifecycle.introduced
        return self.tolerated is None or (introduced is not None and introduced <= release)


@dataclass(frozen=True, slots=True)
class Enum:
    """The known values of a string; objects may have others.

    `unknown` is the known value as which a client handles an unknown one. An `open` enum accepts all other
    values. A `closed` one declares that it never gets another value.
    """

    id: TypeId
    place: Place
    values: tuple[EnumValue, ...]
    snake_name: str
    doc: str | None = None
    unknown: str | None = None
    open: bool = False
    closed: bool = False
    tombstones: tuple[Tombstone, ...] = ()
    hub_name: str | None = None
    lenses: tuple[PathLens, ...] = ()
    ignore: Ignored = ()


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for a type expression (`is:`)."""

    id: TypeId
    place: Place
    target: Type
    snake_name: str
    nullable: bool = False
    doc: str | None = None
    constraints: Constraints = NO_CONSTRAINTS
    item_constraints: Constraints = NO_CONSTRAINTS
    key_constraints: Constraints = NO_CONSTRAINTS
    value_constraints: Constraints = NO_CONSTRAINTS
    merge: MergeSpec = NO_MERGE
    hub_name: str | None = None
    ignore: Ignored = ()


TypeDef = Struct | Enum | Alias


def aliases_of(type_: Type, types: Mapping[TypeId, TypeDef]) -> Iterator[Alias]:
    """Yield the named types of a value, outermost first."""
    while isinstance(type_, NamedType):
        alias = types.get(type_.id)
        if isinstance(alias, Alias):
            yield alias
        type_ = type_.target


def merge_of(type_: Type, own: MergeSpec, types: Mapping[TypeId, TypeDef]) -> MergeSpec:
    """Return how a value is merged: `own`, or else as its outermost named type declares."""
    declared = (own, *(alias.merge for alias in aliases_of(type_, types)))
    return next((merge for merge in declared if merge != NO_MERGE), NO_MERGE)


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared for a value: the constraints of the value, and of its items, keys and values, which all apply; and
    how it is merged.
    """

    own: tuple[Constraints, ...] = ()
    items: tuple[Constraints, ...] = ()
    keys: tuple[Constraints, ...] = ()
    values: tuple[Constraints, ...] = ()
    merge: MergeSpec = NO_MERGE

    def with_named(self, alias: Alias) -> Declared:
        """Return what a named type and this use of it declare; the use decides how the value is merged."""
        return Declared(
            (alias.constraints, *self.own),
            (alias.item_constraints, *self.items),
            (alias.key_constraints, *self.keys),
            (alias.value_constraints, *self.values),
            self.merge if self.merge != NO_MERGE else alias.merge,
        )


def declared_by(field: Field) -> Declared:
    """Return what a field declares for its value, without the named types of its type."""
    inner = (field.item_constraints,), (field.key_constraints,), (field.value_constraints,)
    return Declared((field.constraints,), *inner, field.merge)


def declared_of(type_: Type, declared: Declared, types: Mapping[TypeId, TypeDef]) -> Declared:
    """Return what the named types of a value and its use declare."""
    for alias in aliases_of(type_, types):
        declared = declared.with_named(alias)
    return declared


def struct_of(id_: TypeId, types: Mapping[TypeId, TypeDef]) -> Struct:
    """Return the struct with an identity, which must exist."""
    found = types[id_]
    assert isinstance(found, Struct)
    return found


def enum_of(id_: TypeId, types: Mapping[TypeId, TypeDef]) -> Enum:
    """Return the enum with an identity, which must exist."""
    found = types[id_]
    assert isinstance(found, Enum)
    return found


def struct_behind(type_: Type | None, types: Mapping[TypeId, TypeDef]) -> Struct | None:
    """Return the struct that a type is, or is a name of; None for other types, and for structs that do not exist."""
    behind = None if type_ is None else underlying(type_)
    found = types.get(behind.id) if isinstance(behind, StructType) else None
    return found if isinstance(found, Struct) else None


@dataclass(frozen=True, slots=True)
class Api:
    """All groups, in order of folder, and every type by identity (hub types are added by the hub stage).

    `own_series` is the name of the project's own release series, empty where it has none; elements of it have the series
    `""`. `series_releases` are the releases that the specs of series are of, by name, as far as they are declared.
    """

    groups: tuple[Group, ...]
    features: tuple[Feature, ...]
    types: Mapping[TypeId, TypeDef]
    own_series: str = ""
    series_releases: Mapping[str, Release] = field(default_factory=dict)
    _by_version: dict[tuple[str, str], dict[TypeId, TypeDef]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _series: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def group(self, folder: str) -> Group:
        """Return the group of a folder. Raises KeyError for an unknown one."""
        for group in self.groups:
            if group.folder == folder:
                return group
        raise KeyError(folder)

    @property
    def series_of_groups(self) -> Mapping[str, str]:
        """The release series of every group, by folder; empty for the project's own."""
        if not self._series:
            self._series.update((group.folder, group.series) for group in self.groups)
        return self._series

    def is_value(self, holder: TypeId, inner: TypeId) -> bool:
        """Return whether a type is a value in another type, because their groups belong to different release series."""
        series = self.series_of_groups
        return series.get(holder.group, "") != series.get(inner.group, "")

    def struct(self, id_: TypeId) -> Struct:
        """Return the struct with an identity. Raises KeyError without such a type, TypeError for other types."""
        found = self.types[id_]
        if not isinstance(found, Struct):
            raise TypeError(f"{id_} is not a struct")
        return found

    def structs(self, group: str, version: str) -> tuple[Struct, ...]:
        """The structs of a version or hub, in order."""
        return tuple(type_ for type_ in self.types_of(group, version).values() if isinstance(type_, Struct))

    def types_of(self, group: str, version: str) -> Mapping[TypeId, TypeDef]:
        """All types of a version or hub, in order. Found for all versions at once: most readers ask for each of them."""
        if not self._by_version:
            for id_, type_ in self.types.items():
                self._by_version.setdefault((id_.group, id_.version), {})[id_] = type_
        return self._by_version.get((group, version), {})


INTEGER_RANGES: Mapping[Scalar, tuple[int, int]] = {
    Scalar.INT32: (-(2**31), 2**31 - 1),
    Scalar.INT64: (-(2**63), 2**63 - 1),
    Scalar.UINT32: (0, 2**32 - 1),
    Scalar.UINT64: (0, 2**64 - 1),
}
"""The least and greatest value of each integer."""


FieldPath = tuple[Field, ...]
"""The fields on the way to a place, the last of which is meant."""


def spell(path: FieldPath) -> str:
    """The path as the spec writes it."""
    return ".".join(json_names(path))


def json_names(path: FieldPath) -> tuple[str, ...]:
    """The names of the fields on the way, as JSON has them."""
    return tuple(f.json_name for f in path)


def optional_parents(path: FieldPath) -> tuple[FieldPath, ...]:
    """Return the parents of a path that may be `None`, outermost first."""
    return tuple(path[:i] for i in range(1, len(path)) if path[i - 1].can_be_none)
