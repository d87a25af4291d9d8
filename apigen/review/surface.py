"""An API as its users see it, wherever it was loaded from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from operator import attrgetter
from typing import Any, NamedTuple, Protocol, TypeVar

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.ir.model import Presence, Release
from apigen.ir.stability import one_before
from apigen.language.model import NumberRange, Stage
from apigen.review.verdict.example import JsonValue


class Keyword(StrEnum):
    """The keywords of constraints, in the words of the spec language; schemas of other forms are read into them."""

    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    EXCLUSIVE_MINIMUM = "exclusiveMinimum"
    EXCLUSIVE_MAXIMUM = "exclusiveMaximum"
    MULTIPLE_OF = "multipleOf"
    MIN_LENGTH = "minLength"
    MAX_LENGTH = "maxLength"
    MIN_BYTES = "minBytes"
    MAX_BYTES = "maxBytes"
    PATTERN = "pattern"
    FORMAT = "format"
    MIN_ITEMS = "minItems"
    MAX_ITEMS = "maxItems"
    UNIQUE_ITEMS = "uniqueItems"
    UNIQUE_BY = "uniqueBy"
    MIN_PROPERTIES = "minProperties"
    MAX_PROPERTIES = "maxProperties"
    IMMUTABLE = "immutable"
    MONOTONIC = "monotonic"
    UPDATE = "update"
    NOT_VALUE = "notValue"
    CONST = "const"
    FORBIDDEN = "forbidden"
    REQUIRES = "requires"
    FORBIDS = "forbids"
    IF_ENABLED = "ifEnabled"
    IF_DISABLED = "ifDisabled"
    IF_MODE = "ifMode"
    SUBFIELDS = "subfields"
    ENFORCED_BY_HAND = "enforcedByHand"
    READ_ONLY = "readOnly"
    WRITE_ONLY = "writeOnly"


ConstraintValue = bool | int | float | str | tuple[str, ...]
"""Numbers as written; names in order of the alphabet where order means nothing; anything nested as canonical JSON."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a keyword says."""

    value: ConstraintValue
    place: Place = field(compare=False)


Constraints = Mapping[Keyword, Constraint]


@dataclass(frozen=True, slots=True)
class CelRule:
    """A rule in CEL. It is known by what it says: another text is another rule."""

    text: str
    place: Place = field(compare=False)
    message: str | None = field(default=None, compare=False)
    optional_old_self: bool = False
    """Whether it is asked without an old object, too (`optionalOldSelf`)."""

    @property
    def name(self) -> str:
        """What it is known by."""
        return f"{self.text} with optionalOldSelf" if self.optional_old_self else self.text

    @property
    def is_transition(self) -> bool:
        """Whether it judges the step from an old object."""
        return "oldSelf" in self.text


class ElementKind(StrEnum):
    """What a part of a surface is."""

    GROUP = "group"
    VERSION = "version"
    KIND = "kind"
    STRUCT = "struct"
    ENUM = "enum"
    ALIAS = "alias"
    FIELD = "field"
    ITEM = "item"  # of a list
    KEY = "key"  # of a map
    VALUE = "value"  # of a map
    BRANCH = "branch"  # a schema below allOf, anyOf, oneOf, not and the like
    ENUM_VALUE = "enum value"
    UNION = "union"
    UNION_MEMBER = "union member"
    RULE = "rule"
    TOMBSTONE = "tombstone"
    GATE = "feature gate"
    SERVICE = "service"
    METHOD = "method"
    FILE = "file"


class TypeName(NamedTuple):
    """A type of a surface: a tuple, as it is the key of much that is looked up. `name` may be a path, where an input nests types that have no name of their own."""

    group: str
    version: str
    name: str

    def __str__(self) -> str:
        return f"{'/'.join(part for part in (self.group, self.version) if part)}.{self.name}".lstrip(".")


@dataclass(frozen=True, slots=True, order=True)
class Element:
    """A part of a surface by its identity. `path` goes on from the type: `spec.ports[].name`, an enum's value, a method."""

    kind: ElementKind
    group: str = ""
    version: str = ""
    type: str = ""
    path: str = ""

    def __str__(self) -> str:
        if self.kind in (ElementKind.GATE, ElementKind.FILE):
            return self.path
        scope = "/".join(part for part in (self.group, self.version) if part)
        return ".".join(part for part in (scope, self.name) if part) or "the API"

    @property
    def name(self) -> str:
        """Its name within its version."""
        return ".".join(part for part in (self.type, self.path) if part)

    @property
    def type_name(self) -> TypeName:
        """The type that it is, or stands in."""
        return TypeName(self.group, self.version, self.type)

    def inside(self, kind: ElementKind, path: str) -> Element:
        """A part of it; `path` is appended as it is."""
        return Element(kind, self.group, self.version, self.type, f"{self.path}{path}")


@dataclass(frozen=True, slots=True)
class Lifecycle:
    """The releases in which an element came, was deprecated and went.

    `is_deprecated` where no release says when. `removed` is announced: the element is still there. `returned`: it had a
    tombstone, and came back as it was.
    """

    introduced: Release | None = None
    deprecated: Release | None = None
    removed: Release | None = None
    replacement: str | None = None
    is_deprecated: bool = False
    returned: Release | None = None

    @property
    def tells_deprecated(self) -> bool:
        """Whether the element is deprecated, or will be."""
        return self.is_deprecated or self.deprecated is not None


NO_LIFECYCLE = Lifecycle()
"""Where nothing is said: the one value that all share, so that most are told to be equal without a look at them."""


@dataclass(frozen=True, slots=True)
class GateStage:
    """A gate's stage from a release on; `min_compatibility`: where no server of the control plane is older."""

    release: Release
    stage: Stage
    default: bool
    locked: bool
    min_compatibility: Release | None = None

    def counts(self, release: Release, oldest: Release) -> bool:
        """Whether it has begun at a release, and no server is too old for it."""
        return self.release <= release and (self.min_compatibility is None or self.min_compatibility <= oldest)


@dataclass(frozen=True, slots=True)
class Gate:
    """A feature gate with all its stages, oldest first. `borrowed`: it came along, and is not what is reviewed."""

    name: str
    stages: tuple[GateStage, ...]
    place: Place = field(compare=False)
    removed: Release | None = None
    depends_on: tuple[str, ...] = ()
    borrowed: bool = field(default=False, compare=False)
    series: str = field(default="", compare=False)

    def at(self, release: Release | None, oldest: Release | None = None) -> GateStage | None:
        """Its stage at a release (None: the last one known); None before its first and after it was removed.

        `oldest` is the release of the oldest server of the control plane; omitted, one minor release before, as servers take it.
        """
        if release is None:
            return self.stages[-1] if self.stages and self.removed is None else None
        if self._is_gone(release):
            return None
        least = one_before(release) if oldest is None else oldest
        return next((stage for stage in reversed(self.stages) if stage.counts(release, least)), None)

    def is_on(self, release: Release | None, oldest: Release | None = None) -> bool:
        """Whether it is on by default at a release. What one that was removed guards stays as its last stage left it."""
        stage = self.at(release, oldest)
        if stage is None and self._is_gone(release):
            return not self.stages or self.stages[-1].default
        return stage is not None and stage.default

    def may_be_on(self, release: Release | None) -> bool:
        """Whether it is on at a release where nobody switched it: by default, or where all servers are of that release."""
        return self.is_on(release) or self.is_on(release, release)

    def _is_gone(self, release: Release | None) -> bool:
        return self.removed is not None and (release is None or self.removed <= release)


@dataclass(frozen=True, slots=True)
class GateMark:
    """The gates that a field or value depends on: `all` of them, or any (`is_any`); `words`: what else the mark says.

    `is_dropped`: with the gates off, no object gets it. A mark that only tells, or drops in some operations, does not hold that.
    """

    gates: tuple[str, ...]
    is_any: bool = False
    words: str = ""
    place: Place = field(default=Place(""), compare=False)
    is_dropped: bool = True


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
    `is_defined`: a schema can require a field that it does not define.
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
    is_defined: bool = True


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

    `patterns` are those of names that it accepts next to its fields. `defaults` are those that it gives to places inside it, by
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


CONDITIONS = "x-apigen-conditions"
"""A keyword of them: texts of conditions of which nothing is known, but that the same text is the same condition."""


class WrittenSchemas(Protocol):
    """Of one document, by the path of the place that a schema speaks of: the name of a type, or that of a type and its member."""

    @property
    def is_all(self) -> bool:
        """Whether values are judged by them as they are, and nothing else is done to them: nothing is dropped or filled in."""
        ...

    def at(self, path: str) -> JsonValue:
        """The schema of a place; None where there is none, or more than one."""

    def target(self, reference: str) -> JsonValue:
        """The schema that a `$ref` leads to; None where it leads nowhere that is known."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group, the same for all its versions. `conversion`: how objects get from one version to another.

    `strategy`: what is done to objects before they are stored, by what it is about. `type_meta`: objects say their version and kind.
    Both are None where the form of the input has no words for it.
    """

    name: str
    place: Place = field(compare=False)
    plural: str = ""
    singular: str = ""
    list_kind: str = ""
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    conversion: str = ""
    strategy: tuple[tuple[str, str], ...] | None = None
    type_meta: bool | None = None


@dataclass(frozen=True, slots=True)
class KindVersion:
    """A kind in one version: its root type, and what is served of it there.

    `stored`: a live definition says that objects are stored in it, whether new ones are or not.
    """

    kind: str
    root: TypeName
    place: Place = field(compare=False)
    served: bool = True
    storage: bool = False
    stored: bool = field(default=False, compare=False)
    subresources: tuple[str, ...] = ()
    scale: str = ""
    selectable_fields: tuple[str, ...] = ()
    printer_columns: tuple[str, ...] = ()
    lifecycle: Lifecycle = NO_LIFECYCLE


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a protobuf service."""

    name: str
    place: Place = field(compare=False)
    request: str = ""
    response: str = ""
    client_streams: bool = False
    server_streams: bool = False
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Service:
    """A protobuf service."""

    name: str
    methods: Mapping[str, Method]
    place: Place = field(compare=False)
    file: str = ""
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that is part of what an input shows (`.proto` files, whose names are in import statements)."""

    name: str
    place: Place = field(compare=False)
    package: str = ""
    syntax: str = ""
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a group. `types` by name, in written order; `kinds` by name: those that it serves or stores.

    `alike`: versions of a group with the same word there have the same types, but for their version; empty: nobody knows.
    `says_preferred`: it is `preferred` because it says so, and not because objects are stored in it.
    """

    group: str
    name: str
    place: Place = field(compare=False)
    types: Mapping[str, TypeDef] = field(default_factory=dict)
    kinds: Mapping[str, KindVersion] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
    files: Mapping[str, SourceFile] = field(default_factory=dict)
    served: bool = True
    storage: bool = False
    preferred: bool = False
    lifecycle: Lifecycle = NO_LIFECYCLE
    alike: str = field(default="", compare=False)
    says_preferred: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return "/".join(part for part in (self.group, self.name) if part)


@dataclass(frozen=True, slots=True)
class Group:
    """An API group by its name on the wire (for `.proto` files: the package less its version).

    `borrowed`: it came along because something names its types, and is not what is reviewed.
    """

    name: str
    place: Place = field(compare=False)
    versions: Mapping[str, Version] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    gone: tuple[Tombstone, ...] = ()
    """Versions and kinds that never return."""
    borrowed: bool = field(default=False, compare=False)
    series: str = field(default="", compare=False)
    """The release series that its releases are of; empty for that of the project."""


@dataclass(frozen=True, slots=True)
class Unread:
    """What an input says that this review cannot judge, in words for people."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Surface:
    """What one side of a comparison shows. `label` says what it is ("HEAD~3:api-specs"); `form` which source read it.

    `release` is the one that it is, or will be; None: unknown. `ratchets`: on an update, what is unchanged is not judged again.
    `has_docs`: descriptions are part of the input; records have none. `has_wide_integers`: IntOrString takes every integer, as
    values are judged by a schema and kept as they are. `tells_ends`: the input can say until when something deprecated stays.
    `drops_null`: a member that is null, and may not be, is omitted before its default is filled in, and what is left is judged.
    `describes_recursion`: whoever reads the input knows types that hold themselves, as all generators of protobuf do.
    `schemas`: by version as text, where values are judged by schemas. `moved`: what was taken over from the other side has the
    places of that side, and these are the ones that are meant. `series_releases`: the releases of other series than the project's.
    """

    label: str
    form: str
    groups: Mapping[str, Group]
    gates: Mapping[str, Gate] = field(default_factory=dict)
    release: Release | None = None
    unread: tuple[Unread, ...] = ()
    ratchets: bool = False
    has_docs: bool = True
    has_wide_integers: bool = False
    tells_ends: bool = False
    describes_recursion: bool = False
    drops_null: bool = False
    schemas: Mapping[str, WrittenSchemas] = field(default_factory=dict, compare=False)
    series_releases: Mapping[str, Release] = field(default_factory=dict, compare=False)

    def release_of(self, series: str) -> Release | None:
        """The release of a series that this side is; None: unknown. Releases of two series are never compared."""
        return self.series_releases.get(series) if series else self.release

    def release_in(self, group: str) -> Release | None:
        """The release of a group's own series that this side is; None: unknown."""
        found = self.groups.get(group)
        return self.release if found is None else self.release_of(found.series)

    def versions_of(self, group: str) -> tuple[Version, ...]:
        """The versions of a group; none if there is no such group."""
        found = self.groups.get(group)
        return () if found is None else tuple(found.versions.values())

    def versions(self, *, own: bool = False) -> Iterator[Version]:
        """The versions of all groups; `own`: only of groups that are reviewed, not of borrowed ones."""
        for group in self.groups.values():
            if not (own and group.borrowed):
                yield from group.versions.values()

    def types(self, *, own: bool = False) -> Iterator[TypeDef]:
        """The types of these versions."""
        for version in self.versions(own=own):
            yield from version.types.values()

    def structs(self, *, own: bool = False) -> Iterator[Struct]:
        """The structs of these versions."""
        return (type_ for type_ in self.types(own=own) if isinstance(type_, Struct))

    def version(self, group: str, version: str) -> Version | None:
        """A version of a group; None if there is none."""
        found = self.groups.get(group)
        return None if found is None else found.versions.get(version)

    def type(self, name: TypeName) -> TypeDef | None:
        """A type; None if there is none of that name."""
        version = self.version(name.group, name.version)
        return None if version is None else version.types.get(name.name)


def struct_of(surface: Surface, element: Element) -> Struct | None:
    """The struct that an element is, or stands in, as a side has it."""
    type_ = surface.type(element.type_name)
    return type_ if isinstance(type_, Struct) else None


def field_at(surface: Surface, element: Element) -> Field | None:
    """The field that an element is, as a side has it; None for all else, such as a place inside a field."""
    struct = struct_of(surface, element)
    return None if struct is None else struct.fields.get(element.path)


def field_of(struct: Struct, path: str) -> Field | None:
    """The field that a path within a type begins with; a name may hold dots, so the longest that fits is taken."""
    found = struct.fields.get(path)
    if found is not None:
        return found
    ends = (index for index in range(len(path) - 1, -1, -1) if path[index] in ".[{(")
    return next((struct.fields[path[:end]] for end in ends if path[:end] in struct.fields), None)


def nearest_place(surface: Surface, element: Element) -> Place:
    """The place of an element; of one that is not there, that of the nearest parent that is, or of the input as a whole."""
    whole = Place(surface.label)
    if element.kind is ElementKind.GATE:
        gate = surface.gates.get(element.path)
        return whole if gate is None else gate.place
    group = surface.groups.get(element.group)
    if group is None:
        return whole
    version = group.versions.get(element.version)
    return _in_group(group, element) if version is None else _in_version(version, element)


def _in_group(group: Group, element: Element) -> Place:
    kind = group.kinds.get(element.type)
    return group.place if kind is None else kind.place


def _in_version(version: Version, element: Element) -> Place:
    if element.kind is ElementKind.KIND and element.type in version.kinds:
        return version.kinds[element.type].place
    type_ = version.types.get(element.type)
    if type_ is None:
        return version.place
    if isinstance(type_, Struct) and element.path:
        field = field_of(type_, element.path)
        return type_.place if field is None else field.place
    if isinstance(type_, Enum) and element.path in type_.values:
        return type_.values[element.path].place
    return type_.place


T = TypeVar("T")


def _values(class_: type) -> Callable[[Any], tuple[object, ...]]:
    names: tuple[str, ...] = vars(class_)["__match_args__"]
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda part: (only(part),)
    return attrgetter(*names)


_PARTS = {
    class_: _values(class_)
    for class_ in (
        *(Struct, Enum, EnumValue, Alias, Field, Slot, Branch, Default, Constraint, CelRule, Union, Tombstone),
        *(Named, ListOf, MapOf, Several, Unread),
    )
}
"""What has a place or a type's name in it, or may have; anything else is the same in both versions."""

_MOVED = frozenset({*_PARTS, Place, TypeName, dict, list, tuple})


@dataclass(frozen=True, slots=True)
class Move:
    """From a version to another one of its group, `by` lines further down. What has the place `of` itself gets the place `to`."""

    group: str
    version: str
    to_version: str
    by: int
    of: Place
    to: Place

    def moved(self, part: T) -> T:
        """A part of a version, or a mapping, list or tuple of parts, as the other version has it."""
        found: Any = self._moved(part)
        made: T = found
        return made

    def _moved(self, part: Any) -> Any:
        class_ = part.__class__
        if class_ is Place:
            return self.to if part is self.of else Place(part.file, part.line + self.by, part.column)
        if class_ is TypeName:
            is_own = part.group == self.group and part.version == self.version
            return TypeName(self.group, self.to_version, part.name) if is_own else part
        if class_ is dict:
            return {name: self._moved(each) for name, each in part.items()}
        moved = self._moved
        values = _PARTS.get(class_)
        if values is not None:
            return class_(*[moved(each) if each and each.__class__ in _MOVED else each for each in values(part)])
        return class_([moved(each) for each in part]) if class_ in (list, tuple) else part


_LOWER = frozenset(
    {Keyword.MINIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.MIN_LENGTH, Keyword.MIN_BYTES, Keyword.MIN_ITEMS}
    | {Keyword.MIN_PROPERTIES}
)
_UPPER = frozenset(
    {Keyword.MAXIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.MAX_ITEMS}
    | {Keyword.MAX_PROPERTIES}
)


def unfolded(surface: Surface, slot: Slot) -> Slot:
    """The slot with the aliases that it names replaced by what they stand for, and with all that they say of the value."""
    seen: set[TypeName] = set()
    while isinstance(slot.type, Named) and slot.type.name not in seen:
        alias = surface.type(slot.type.name)
        if not isinstance(alias, Alias):
            break
        seen.add(slot.type.name)
        slot = _through(slot, alias.slot)
    return slot


def behind(surface: Surface, type_: Type) -> Type:
    """What a type is behind the names of aliases. Those that name each other in a circle are left as they are."""
    seen: set[TypeName] = set()
    while isinstance(type_, Named) and type_.name not in seen:
        alias = surface.type(type_.name)
        if not isinstance(alias, Alias):
            break
        seen.add(type_.name)
        type_ = alias.slot.type
    return type_


def definition(surface: Surface, type_: Type) -> Struct | Enum | None:
    """The struct or enum that a type is behind aliases; None for all else."""
    found = behind(surface, type_)
    named = surface.type(found.name) if isinstance(found, Named) else None
    return named if isinstance(named, Struct | Enum) else None


def tighter(keyword: Keyword, said: Constraint, other: Constraint) -> Constraint:
    """Of two bounds by the same keyword the one that lets less through; of all else the first."""
    if not isinstance(said.value, int | float) or not isinstance(other.value, int | float):
        return said
    if keyword in _LOWER:
        return max(said, other, key=_number)
    return min(said, other, key=_number) if keyword in _UPPER else said


def _through(slot: Slot, alias: Slot) -> Slot:
    return replace(
        slot,
        type=alias.type,
        nullable=slot.nullable or alias.nullable,
        default=slot.default or alias.default,
        constraints=_both(slot.constraints, alias.constraints),
        rules=(*slot.rules, *(rule for rule in alias.rules if rule not in slot.rules)),
        merge=_merged(slot.merge, alias.merge),
        branches=(*slot.branches, *alias.branches, *_besides(slot, alias)),
    )


def _both(slot: Constraints, alias: Constraints) -> Mapping[Keyword, Constraint]:
    """Both hold; of two bounds the tighter one is told."""
    joined = dict(alias)
    for keyword, said in slot.items():
        other = joined.get(keyword)
        joined[keyword] = said if other is None else tighter(keyword, said, other)
    return joined


def _besides(slot: Slot, alias: Slot) -> Iterator[Branch]:
    """What an alias says by a word that the place says otherwise, where neither is the tighter one: both hold."""
    for keyword, said in alias.constraints.items():
        own = slot.constraints.get(keyword)
        if own is not None and keyword not in _LOWER | _UPPER and own.value != said.value:
            label = f"{keyword.value}: {said.value}"
            yield Branch("allOf", label, Slot(alias.type, said.place, constraints={keyword: said}))


def _number(constraint: Constraint) -> float:
    return constraint.value if isinstance(constraint.value, int | float) else 0


def _merged(slot: Merge, alias: Merge) -> Merge:
    return Merge(
        list_type=slot.list_type or alias.list_type,
        list_map_keys=slot.list_map_keys or alias.list_map_keys,
        map_type=slot.map_type or alias.map_type,
        struct_type=slot.struct_type or alias.struct_type,
        patch_strategy=slot.patch_strategy or alias.patch_strategy,
        patch_merge_key=slot.patch_merge_key or alias.patch_merge_key,
    )


def slots_of(type_: TypeDef) -> Iterator[tuple[Element, Slot]]:
    """The slots of the fields of a struct, or the slot of an alias."""
    if isinstance(type_, Struct):
        for field in type_.fields.values():
            yield Element(ElementKind.FIELD, *type_.name, field.name), field.slot
    elif isinstance(type_, Alias):
        yield Element(ElementKind.ALIAS, *type_.name), type_.slot


def slot_at(surface: Surface, element: Element) -> Slot | None:
    """The slot that an element is, or the nearest that it stands in (for a rule: that of what it judges); None without one."""
    type_ = surface.type(element.type_name)
    if isinstance(type_, Struct):
        field = field_of(type_, element.path)
        if field is not None:
            return _inside(field.slot, element.path[len(field.name) :])
        return type_.slot if not element.path or element.path.startswith("(") else None
    return _inside(type_.slot, element.path) if isinstance(type_, Alias) else None


def _inside(slot: Slot, rest: str) -> Slot:
    """Follow the steps of a path as far as they lead."""
    found = slot
    while rest:
        step = _step(found, rest)
        if step is None:
            return found
        found, length = step
        rest = rest[length:]
    return found


def _step(slot: Slot, rest: str) -> tuple[Slot, int] | None:
    match slot.type:
        case ListOf(item) if rest.startswith("[]"):
            return item, len("[]")
        case MapOf(key, _) if rest.startswith("{key}"):
            return key, len("{key}")
        case MapOf(_, value) if rest.startswith("{}"):
            return value, len("{}")
    for branch in slot.branches:
        name = f"({branch.keyword}[{branch.label}])"
        if rest.startswith(name):
            return branch.slot, len(name)
    return None


def with_type(surface: Surface, type_: TypeDef, name: TypeName) -> Surface:
    """The surface with a type under another name, in place of what had it. One without that version is left as it is."""
    group = surface.groups.get(name.group)
    version = None if group is None else group.versions.get(name.version)
    if group is None or version is None:
        return surface
    named = replace(version, types={**version.types, name.name: replace(type_, name=name)})
    versions = {**group.versions, name.version: named}
    return replace(surface, groups={**surface.groups, name.group: replace(group, versions=versions)})
