"""Types of a surface, down to the places for values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from apigen.compat.surface.constraints import CelRule, Constraints
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.lifecycle import NO_LIFECYCLE, GateMark, Lifecycle
from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model import Presence, Release
from apigen.spec.model import NumberRange


class Scalars(StrEnum):
    """Scalars and well-known values, in the words of the spec language, and those that only other inputs have."""

    STRING = "string"
    BOOL = "bool"
    INT32 = "int32"
    INT64 = "int64"
    UINT32 = "uint32"
    UINT64 = "uint64"
    INTEGER = "integer"  # of JSON Schema: of no width
    NUMBER = "number"  # likewise
    FLOAT32 = "float32"
    FLOAT64 = "float64"
    BYTES = "bytes"
    NULL = "null"
    TIME = "Time"
    MICRO_TIME = "MicroTime"
    DURATION = "Duration"
    QUANTITY = "Quantity"
    INT_OR_STRING = "IntOrString"
    WIDE_INT_OR_STRING = "integer or string"  # what a schema makes of it: the integer is of no width
    RAW_EXTENSION = "RawExtension"
    FIELDS_V1 = "FieldsV1"
    ANYTHING = "anything"  # whatever JSON holds
    SINT32 = "sint32"
    SINT64 = "sint64"
    FIXED32 = "fixed32"
    FIXED64 = "fixed64"
    SFIXED32 = "sfixed32"
    SFIXED64 = "sfixed64"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value without parts."""

    name: Scalars

    def __str__(self) -> str:
        return spelt(self, _short)


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list; `item` says what holds of each."""

    item: Slot

    def __str__(self) -> str:
        return spelt(self, _short)


@dataclass(frozen=True, slots=True)
class MapOf:
    """A map with keys of text."""

    key: Slot
    value: Slot

    def __str__(self) -> str:
        return spelt(self, _short)


@dataclass(frozen=True, slots=True)
class Named:
    """A struct, an enum or an alias, by name."""

    name: TypeName

    def __str__(self) -> str:
        return spelt(self, _short)


@dataclass(frozen=True, slots=True)
class Several:
    """One of several types, in order of the alphabet (JSON Schema's list of types)."""

    types: tuple[Type, ...]

    def __str__(self) -> str:
        return spelt(self, _short)


Type = Scalar | ListOf | MapOf | Named | Several


def _short(name: TypeName) -> str:
    return name.name


def spelt(type_: Type, name: Callable[[TypeName], str]) -> str:
    """A type as specs write it, with names as `name` says them."""
    match type_:
        case Scalar(scalar):
            return scalar.value
        case ListOf(item):
            return f"[]{spelt(item.type, name)}"
        case MapOf(key, value):
            return f"map[{spelt(key.type, name)}]{spelt(value.type, name)}"
        case Named(known):
            return name(known)
        case Several(types):
            return " or ".join(spelt(each, name) for each in types)


@dataclass(frozen=True, slots=True)
class Default:
    """What stands for a value that is absent: canonical JSON, or words for a rule that computes it.

    `gates` are those that the default asks; `is_read_time`: it is filled in when an object is read, not only when it
    is written.

    `of_readers`: nobody fills it in, each reader takes it for absence (protobuf). `cases`: of one that is computed, the
    cases of the spec language as JSON, so that it can be tried; empty where they are not known. `overwrites`: it changes
    values that are there, too. `empty_is_set`: it takes an empty list or map for one that was set.
    """

    text: str
    place: Place = field(compare=False)
    is_computed: bool = False
    gates: tuple[str, ...] = ()
    is_read_time: bool = True
    of_readers: bool = False
    cases: str = field(default="", compare=False)
    overwrites: bool = False
    empty_is_set: bool = False


@dataclass(frozen=True, slots=True)
class Merge:
    """How server-side apply and strategic merge treat a value. None: nothing is said, which is atomic for lists."""

    list_type: str | None = None
    list_map_keys: tuple[str, ...] = ()
    map_type: str | None = None
    struct_type: str | None = None
    patch_strategy: str | None = None
    patch_merge_key: str | None = None


@dataclass(frozen=True, slots=True)
class Branch:
    """A schema that JSON Schema nests: `keyword` is `allOf`, `anyOf`, `oneOf`, `not`, `definitions`, …

    `label` is its name or its position there.
    """

    keyword: str
    label: str
    slot: Slot

    @property
    def place(self) -> Place:
        """Where it stands."""
        return self.slot.place


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for a value: what holds of a field, of an item, of a map's key or value."""

    type: Type
    place: Place = field(compare=False)
    nullable: bool = False
    default: Default | None = None
    constraints: Constraints = field(default_factory=dict)
    rules: tuple[CelRule, ...] = ()
    merge: Merge = Merge()
    branches: tuple[Branch, ...] = ()
    doc: str | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field. `number` is None where an input has none; `required` is what the schema insists on.

    `wire_name` is its name in protobuf, `label` its cardinality there where an input says one, `oneof` the one that it is a
    member of; `via` are the names of inlined structs that it stands in. `places` are those of single options.
    """

    name: str
    slot: Slot
    place: Place = field(compare=False)
    presence: Presence = Presence.OPTIONAL
    required: bool = False
    number: int | None = None
    wire_name: str = ""
    label: str = ""
    gate: GateMark | None = None
    lifecycle: Lifecycle = NO_LIFECYCLE
    via: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    oneof: str = ""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A name, a number, or both, that never return. `numbers` is a range, of one mostly.

    `migrated`, of a version: from which release on no object is stored in it.
    """

    name: str
    numbers: NumberRange | None
    place: Place = field(compare=False)
    removed: Release | None = None
    reason: str | None = None
    migrated: Release | None = None


@dataclass(frozen=True, slots=True)
class Union:
    """Fields of which one is set: exactly one, or at most one if `optional`. Members: JSON name -> discriminator's value.

    `on_wire`: a oneof of protobuf, in whose messages the last member clears the others.
    """

    name: str
    members: Mapping[str, str | None]
    place: Place = field(compare=False)
    discriminator: str | None = None
    empty: tuple[str, ...] = ()
    optional: bool = False
    on_wire: bool = False
    options: tuple[tuple[str, str], ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


class UnknownFields(StrEnum):
    """What becomes of members that a struct does not know."""

    DROPPED = "dropped"
    KEPT = "kept"
    EMPTIED = "kept without what is inside them"
    REFUSED = "refused"

    @property
    def keeps(self) -> bool:
        """Whether they stay, be it without what is inside."""
        return self in (UnknownFields.KEPT, UnknownFields.EMPTIED)


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct. `slot` carries what holds of the whole value (constraints, rules, merging, doc); `wire_name` is its message.

    `patterns` are those of names that it lets in beside its fields. `defaults` are those that it gives to places inside it, by
    path, each as the place that it fills. `inlines` are the messages whose fields stand in it, with their numbers and types.
    `lenses` say how places are carried to the hub and back, by path; `annotation_keys` are the annotations that carry what this
    version has no field for, `losses` what is lost on the way, in words.
    """

    name: TypeName
    fields: Mapping[str, Field]
    slot: Slot
    place: Place = field(compare=False)
    tombstones: tuple[Tombstone, ...] = ()
    unions: tuple[Union, ...] = ()
    unknown: UnknownFields = UnknownFields.DROPPED
    patterns: tuple[str, ...] = ()
    wire_name: str = ""
    file: str = ""
    hub_name: str | None = None
    lifecycle: Lifecycle = NO_LIFECYCLE
    options: tuple[tuple[str, str], ...] = ()
    defaults: Mapping[str, Slot] = field(default_factory=dict)
    inlines: tuple[tuple[str, str], ...] = ()
    lenses: tuple[tuple[str, str], ...] = ()
    annotation_keys: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A known value of an enum, as JSON text has it; `number` in protobuf. `tolerated` before it is `introduced`."""

    value: str
    place: Place = field(compare=False)
    number: int | None = None
    gate: GateMark | None = None
    tolerated: Release | None = None
    lifecycle: Lifecycle = NO_LIFECYCLE
    doc: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Enum:
    """An enum. `open`: values that nobody knows are accepted; `closed`: it says that it never grows.

    `unknown` is the value that a client takes for one that it does not know. By protobuf's numbers several values may
    have one (`aliases`).
    """

    name: TypeName
    values: Mapping[str, EnumValue]
    place: Place = field(compare=False)
    base: Type = Scalar(Scalars.STRING)
    open: bool = False
    closed: bool = False
    unknown: str | None = None
    tombstones: tuple[Tombstone, ...] = ()
    doc: str | None = None
    wire_name: str = ""
    file: str = ""
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for a type."""

    name: TypeName
    slot: Slot
    place: Place = field(compare=False)


TypeDef = Struct | Enum | Alias
