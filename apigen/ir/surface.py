"""The model of an API under review, independent of the form of its input."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple, Protocol, cast

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.ir.model import NO_LIFECYCLE, Feature, Lifecycle, Presence, Release
from apigen.ir.model import Enum as ResolvedEnum
from apigen.language.json_values import JsonValue, canonical_json
from apigen.language.model import ApiSpec, NumberRange


class Keyword(StrEnum):
    """The keywords of constraints, named as in the spec language; readers of other forms convert to them."""

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
    NOT_VALUE = "not"
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
"""Numbers as written; names sorted if their order has no meaning; anything nested as canonical JSON."""


def constraint_value(keyword: Keyword, data: object) -> ConstraintValue:
    """Return the value of a constraint, from data in the words of the spec language."""
    if keyword is Keyword.NOT_VALUE:
        return canonical_json(data)
    if isinstance(data, list):
        return tuple(map(str, data))
    return data if isinstance(data, bool | int | float | str) else canonical_json(data)


def restrictions(value: object) -> frozenset[str]:
    """Return the entries of a list, or `on` for `true`, so that two values of a keyword can be compared as sets."""
    if isinstance(value, tuple):
        return frozenset(str(each) for each in value)
    return frozenset(("on",)) if value is True else frozenset()


@dataclass(frozen=True, slots=True)
class Constraint:
    """The value of a keyword, and its location."""

    value: ConstraintValue
    place: Place = field(compare=False)


Constraints = Mapping[Keyword, Constraint]


def nested_in(constraints: Constraints, keyword: Keyword) -> Mapping[str, JsonValue]:
    """Return the constraints that a keyword nests by gate, field or subfield, as in the spec language; empty without it."""
    constraint = constraints.get(keyword)
    found: JsonValue = (
        json.loads(constraint.value) if constraint is not None and isinstance(constraint.value, str) else {}
    )
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class CelRule:
    """A rule in CEL, identified by its text: a rule with another text is another rule."""

    text: str
    place: Place = field(compare=False)
    message: str | None = field(default=None, compare=False)
    optional_old_self: bool = False
    """Whether it is also evaluated without an old object (`optionalOldSelf`)."""

    @property
    def name(self) -> str:
        """The identity of the rule: its text, and `optionalOldSelf`."""
        return f"{self.text} with optionalOldSelf" if self.optional_old_self else self.text

    @property
    def is_transition(self) -> bool:
        """Return whether it is a transition rule, which uses `oldSelf`."""
        return "oldSelf" in self.text


class ElementKind(StrEnum):
    """The kinds of parts of a surface."""

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
    """A type of a surface: a tuple, because it is the key of many lookups. `name` may be a path, for an inline type
    without a name of its own.
    """

    group: str
    version: str
    name: str

    def __str__(self) -> str:
        return f"{'/'.join(part for part in (self.group, self.version) if part)}.{self.name}".lstrip(".")


@dataclass(frozen=True, slots=True, order=True)
class Element:
    """The identity of a part of a surface. `path` is the path below the type: `spec.ports[].name`, an enum value, a
    method.
    """

    kind: ElementKind
    group: str = ""
    version: str = ""
    type: str = ""
    path: str = ""

    def __str__(self) -> str:
        if self.kind in (ElementKind.GATE, ElementKind.FILE):
            return self.path
        return ".".join(part for part in (self.api_version, self.name) if part) or "the API"

    @property
    def api_version(self) -> str:
        """The group and the version of the element, by which schemas are found: `example.com/v1`."""
        return "/".join(part for part in (self.group, self.version) if part)

    @property
    def name(self) -> str:
        """Its name within its version."""
        return ".".join(part for part in (self.type, self.path) if part)

    @property
    def words(self) -> str:
        """The element for messages, with its version: v1 `BoxSpec.note`."""
        if self.kind in (ElementKind.GATE, ElementKind.FILE):
            return f"`{self.path}`"
        return f"{self.version} `{self.name}`".lstrip() if self.name else str(self)

    @property
    def type_name(self) -> TypeName:
        """The type that it is, or belongs to."""
        return TypeName(self.group, self.version, self.type)

    def member(self, kind: ElementKind, name: str) -> Element:
        """Return a part of the type of the element, such as a field or an enum value."""
        return Element(kind, self.group, self.version, self.type, name)

    def inside(self, kind: ElementKind, path: str) -> Element:
        """Return a part of the element; `path` is appended to its path unchanged."""
        return Element(kind, self.group, self.version, self.type, f"{self.path}{path}")


@dataclass(frozen=True, slots=True)
class GateMark:
    """The gates that a field or value depends on: `all` of them, or any (`is_any`); `words`: further options of the
    mark.

    `is_dropped`: with the gates disabled, the field is dropped from all objects; not set if the mark only documents
    gates, or drops in some operations. `keeps_in_use`: an object may keep the field or value while the gates are disabled.
    """

    gates: tuple[str, ...]
    is_any: bool = False
    words: str = ""
    place: Place = field(default=Place(""), compare=False)
    is_dropped: bool = True
    keeps_in_use: bool = True


class Scalars(StrEnum):
    """Scalars and well-known types of the spec language, and scalars that only other inputs have."""

    STRING = "string"
    BOOL = "bool"
    INT32 = "int32"
    INT64 = "int64"
    UINT32 = "uint32"
    UINT64 = "uint64"
    INTEGER = "integer"  # of JSON Schema: of unlimited range
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
    WIDE_INT_OR_STRING = "integer or string"  # IntOrString in a schema: an integer of unlimited range
    RAW_EXTENSION = "RawExtension"
    FIELDS_V1 = "FieldsV1"
    ANYTHING = "anything"  # any JSON value
    SINT32 = "sint32"
    SINT64 = "sint64"
    FIXED32 = "fixed32"
    FIXED64 = "fixed64"
    SFIXED32 = "sfixed32"
    SFIXED64 = "sfixed64"


class _Written:
    """The base class of types, which are written as in specs, with the names of types without group and version."""

    __slots__ = ()

    def __str__(self) -> str:
        return type_as_text(cast("Type", self), lambda name: name.name)


@dataclass(frozen=True, slots=True)
class Scalar(_Written):
    """A value without parts."""

    name: Scalars


@dataclass(frozen=True, slots=True)
class ListOf(_Written):
    """A list; `item` is the slot of its items."""

    item: Slot


@dataclass(frozen=True, slots=True)
class MapOf(_Written):
    """A map with string keys."""

    key: Slot
    value: Slot


@dataclass(frozen=True, slots=True)
class Named(_Written):
    """A struct, an enum or an alias, by name."""

    name: TypeName


@dataclass(frozen=True, slots=True)
class Several(_Written):
    """One of several types, sorted (a list of types in JSON Schema)."""

    types: tuple[Type, ...]


Type = Scalar | ListOf | MapOf | Named | Several


def type_as_text(type_: Type, name: Callable[[TypeName], str]) -> str:
    """Return a type as specs write it, with the names that `name` returns."""
    match type_:
        case Scalar(scalar):
            return scalar.value
        case ListOf(item):
            return f"[]{type_as_text(item.type, name)}"
        case MapOf(key, value):
            return f"map[{type_as_text(key.type, name)}]{type_as_text(value.type, name)}"
        case Named(known):
            return name(known)
        case Several(types):
            return " or ".join(type_as_text(each, name) for each in types)


@dataclass(frozen=True, slots=True)
class Default:
    """The value of an unset field: canonical JSON, or a description of the rule that computes it.

    `gates` are those on which the default depends; `is_read_time`: it also applies when an object is read, not only
    when it is written.

    `of_readers`: servers do not set it, but each reader uses it for an unset field (protobuf). `cases`: for a computed
    default, the cases of the spec language as JSON, for trials; empty if they are unknown. `overwrites`: it also
    replaces values that are set. `empty_is_set`: it treats an empty list or map as set.
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
    """The merge strategy of server-side apply and strategic merge. `None`: undeclared, which means atomic for lists."""

    list_type: str | None = None
    list_map_keys: tuple[str, ...] = ()
    map_type: str | None = None
    struct_type: str | None = None
    patch_strategy: str | None = None
    patch_merge_key: str | None = None

    @property
    def is_atomic_list(self) -> bool:
        """Return whether a list is replaced and validated as a whole, as it is without a list type."""
        return self.list_type in (None, "atomic")


@dataclass(frozen=True, slots=True)
class Branch:
    """A nested schema of JSON Schema: `keyword` is `allOf`, `anyOf`, `oneOf`, `not`, `definitions`, …

    `label` is its name or its index there. `is_inlined`: it only declares fields, which the struct inherits.
    """

    keyword: str
    label: str
    slot: Slot
    is_inlined: bool = False

    @property
    def place(self) -> Place:
        """Its place."""
        return self.slot.place


@dataclass(frozen=True, slots=True)
class Discriminator:
    """The property by which clients and servers choose the schema of a value (OpenAPI).

    `mapping` is the schema for each value of the property that does not name one, sorted by value.
    """

    property: str
    mapping: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        entries = ", ".join(f"{value}: {schema}" for value, schema in self.mapping)
        return f"{self.property} ({entries})" if entries else self.property


@dataclass(frozen=True, slots=True)
class Slot:
    """The type, constraints and default of a value: of a field, an item, a map key or a map value."""

    type: Type
    place: Place = field(compare=False)
    nullable: bool = False
    default: Default | None = None
    constraints: Constraints = field(default_factory=dict)
    rules: tuple[CelRule, ...] = ()
    merge: Merge = Merge()
    branches: tuple[Branch, ...] = ()
    doc: str | None = None
    discriminator: Discriminator | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field. `number` is `None` in inputs without numbers; `required` is that of the schema.

    `wire_name` is its name in protobuf, `oneof` the oneof that contains it there; `via` are the names of the inlined
    structs that declare it. `places` are the locations of single options. `is_defined`: false for a field that a schema
    requires but does not define.
    """

    name: str
    slot: Slot
    place: Place = field(compare=False)
    presence: Presence = Presence.OPTIONAL
    required: bool = False
    number: int | None = None
    wire_name: str = ""
    gate: GateMark | None = None
    lifecycle: Lifecycle = NO_LIFECYCLE
    via: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    oneof: str = ""
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)
    is_defined: bool = True


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A name, a number, or both, that must never be reused. `numbers` is a range, usually of one number.

    `migrated`, of a version: the release from which on no objects are stored in it.
    """

    name: str
    numbers: NumberRange | None
    place: Place = field(compare=False)
    removed: Release | None = None
    reason: str | None = None
    migrated: Release | None = None


@dataclass(frozen=True, slots=True)
class Union:
    """A union: exactly one of its fields is set, or at most one if `optional`. Members: JSON name -> value of the
    discriminator.

    `on_wire`: a oneof of protobuf; the last member in a message clears the others.
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


class Messages(StrEnum):
    """The messages that the types of a group describe: requests, responses, or both."""

    REQUEST = "request"
    RESPONSE = "response"


class UnknownFields(StrEnum):
    """The handling of unknown fields of a struct."""

    DROPPED = "dropped"
    KEPT = "kept"
    EMPTIED = "kept without their content"
    REJECTED = "rejected"

    @property
    def keeps(self) -> bool:
        """Return whether unknown fields are preserved, possibly without their contents."""
        return self in (UnknownFields.KEPT, UnknownFields.EMPTIED)


@dataclass(frozen=True, slots=True)
class Lens:
    """A conversion of a place to the hub: of a field of the hub that this version does not have if it is `hub_only`.

    `second_hub` is the kind of the second hub that the conversion is for. `options` are those written, as text, by their
    words. `annotation` is the key of the annotation that preserves the value, `loss` the declared loss, in words.
    """

    path: str
    options: tuple[tuple[str, str], ...]
    hub_only: bool = False
    second_hub: str = ""
    annotation: str = ""
    loss: str = ""

    @property
    def place(self) -> str:
        """The place with the side and the hub that it belongs to."""
        return f"{f'as {self.second_hub}: ' if self.second_hub else ''}{'hub ' if self.hub_only else ''}{self.path}"

    @property
    def words(self) -> str:
        """The options as text, which does not depend on their order in the specs."""
        return ", ".join(f"{word}: {value}" for word, value in self.options)


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct. `slot` has the constraints, rules, merge strategy and doc of the whole value; `wire_name` is the name
    of its message.

    `patterns` are the patterns of names that it accepts in addition to its fields. `defaults` are those that it
    declares for places inside it, by path, each as the slot that it fills. `inlines` are the messages of inlined
    fields, with their numbers and types. `lenses` are the conversions of places to the hub.
    `members`: its fields are not data, but status codes (`status`) or media types (`body`). `inherited` are the fields
    of structs that `allOf` refers to, by the name of the struct.
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
    lenses: tuple[Lens, ...] = ()
    members: str = ""
    inherited: Mapping[str, Mapping[str, Field]] = field(default_factory=dict)
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)

    @property
    def annotation_keys(self) -> tuple[str, ...]:
        """The keys of the annotations that preserve fields that this version does not have."""
        return tuple(sorted({each.annotation for each in self.lenses if each.annotation}))

    @property
    def losses(self) -> tuple[str, ...]:
        """The declared losses, in words."""
        return tuple(sorted(each.loss for each in self.lenses if each.loss))


@dataclass(frozen=True, slots=True)
class EnumValue:
    """A known value of an enum, as in JSON; `number` in protobuf. `tolerated`: accepted in requests before it is
    `introduced`.
    """

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
    """An enum. `open`: unknown values are accepted; `closed`: declared to have no further values in the future.

    `unknown` is the value as which a client handles an unknown one. In protobuf, several values may have
    the same number (`aliases`).
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


def may_grow(enum: Enum | ResolvedEnum) -> bool:
    """Return whether an enum declares how clients handle values that they do not know."""
    return enum.open or enum.unknown is not None


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name for a type."""

    name: TypeName
    slot: Slot
    place: Place = field(compare=False)


TypeDef = Struct | Enum | Alias


CONDITIONS = "x-apigen-conditions"
"""A keyword for the texts of conditions that cannot be analyzed; equal texts are equal conditions."""

WITHOUT_FRACTION = "is written without a fraction"
"""The condition of integers before draft 6 of JSON Schema, where `1.0` is not an integer."""


class WrittenSchemas(Protocol):
    """The schemas of one document, by path: the name of a type, or that of a type and its field."""

    @property
    def is_all(self) -> bool:
        """Return whether values are validated unchanged: no field is dropped or defaulted."""
        ...

    def root(self, kind: str) -> JsonValue:
        """The `openAPIV3Schema` of a kind, with which a server validates objects, or `None`."""

    def at(self, path: str) -> JsonValue:
        """Return the schema of a place, or `None` unless there is exactly one."""

    def target(self, reference: str) -> JsonValue:
        """Return the schema that a `$ref` refers to; None if it is unknown."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of a group, the same for all its versions. `conversion`: how objects are converted between versions.

    `strategy`: the changes to objects before they are stored, by subject. `type_meta`: objects contain their version
    and kind.
    Both are `None` if the form of the input cannot express them. `set_by_updates`: the paths of fields that each update
    clears or sets itself, which `strategy` describes, too.
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
    set_by_updates: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class KindVersion:
    """A kind in one version: its root type, and what the server serves of it in this version.

    `stored`: a live CRD lists it in `status.storedVersions`, whether it is the storage version or not.
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


class Credential(NamedTuple):
    """A credential of a client: everything about a security scheme that clients depend on, or one scope of it."""

    scheme: str
    scope: str = ""


Credentials = frozenset[Credential]
"""The credentials of one request. Those with scopes are next to the one without, which an operation may accept, too."""


def credentials_in_words(credentials: Credentials) -> str:
    """Return the credentials of a request for messages."""
    scopes = {
        scheme: [scope for of, scope in sorted(credentials) if of == scheme and scope] for scheme, _ in credentials
    }
    words = (
        f"{scheme} with scopes {', '.join(found)}" if found else scheme for scheme, found in sorted(scopes.items())
    )
    return " and ".join(words) or "no credentials"


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a protobuf service, or an operation of HTTP.

    `security`: the alternatives by which clients authenticate, each with the credentials that it requires. `is_webhook`:
    the API calls its clients.
    """

    name: str
    place: Place = field(compare=False)
    request: str = ""
    response: str = ""
    client_streams: bool = False
    server_streams: bool = False
    options: tuple[tuple[str, str], ...] = ()
    is_deprecated: bool = False
    security: tuple[Credentials, ...] = ()
    is_webhook: bool = False
    places: Mapping[str, Place] = field(default_factory=dict, compare=False)

    @property
    def security_words(self) -> str:
        """The alternatives of `security` as text, which does not depend on their order."""
        return " or ".join(sorted(map(credentials_in_words, self.security)))


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
    """A file that belongs to the API itself (a `.proto` file, whose name is in import statements)."""

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

    `alike`: versions of a group with the same value have the same types, except for the name of the version; empty:
    unknown.
    `declares_preferred`: it is declared `preferred`, and not preferred because objects are stored in it.
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
    declares_preferred: bool = field(default=False, compare=False)

    @property
    def is_numbered(self) -> bool:
        """Whether any of its fields has a number in protobuf."""
        structs = (type_ for type_ in self.types.values() if isinstance(type_, Struct))
        return any(field.number is not None for struct in structs for field in struct.fields.values())

    def __str__(self) -> str:
        return "/".join(part for part in (self.group, self.name) if part)


@dataclass(frozen=True, slots=True)
class Group:
    """An API group by its name on the wire (for `.proto` files: the package without its version).

    `borrowed`: reviewed groups refer to its types, but it is not reviewed itself.
    """

    name: str
    place: Place = field(compare=False)
    versions: Mapping[str, Version] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    tombstones: tuple[Tombstone, ...] = ()
    """Versions and kinds that never return."""
    borrowed: bool = field(default=False, compare=False)
    series: str = field(default="", compare=False)
    """The release series that its releases are of; empty for that of the project."""
    hub: str = field(default="", compare=False)
    """The version that the hub follows, whose constraints apply to all versions; empty without a hub."""
    messages: Messages | None = field(default=None, compare=False)
    """The messages that it describes; None where the same types are written and read."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A part of an input that this review does not support, as a message."""

    place: Place
    message: str


@dataclass(frozen=True, slots=True)
class Surface:
    """One side of a comparison. `label` is its name ("HEAD~3:api-specs"); `form` is the source that read it.

    `release` is the current or next one; `None`: unknown. `ratchets`: on an update, unchanged values are not
    validated. `has_docs`: descriptions are part of the input; records have none. `has_wide_integers`: IntOrString
    accepts every integer, because values are validated by a schema and stored unchanged. `declares_removals`: the input can
    declare the removal of deprecated parts. `drops_null`: `null` is dropped where it is not allowed, then defaults are
    applied, then the object is validated. `describes_recursion`: readers of the input support recursive types, as all
    protobuf generators do. `schemas`: by version as text, if values are validated by schemas. `specs` are those that the
    input consists of; None for other inputs. `series_releases`: the releases of other series than the project's. `growth_declared_late`: the enums that may grow, but did not declare
    it in their first recorded release, with that release. `borrowed_gates`: reviewed
    gates or types refer to them, but they are not reviewed themselves. `imported`: likewise types of single files, which
    may be of reviewed groups.
    """

    label: str
    form: str
    groups: Mapping[str, Group]
    gates: Mapping[str, Feature] = field(default_factory=dict)
    release: Release | None = None
    unread: tuple[Unread, ...] = ()
    ratchets: bool = False
    has_docs: bool = True
    has_wide_integers: bool = False
    declares_removals: bool = False
    describes_recursion: bool = False
    drops_null: bool = False
    schemas: Mapping[str, WrittenSchemas] = field(default_factory=dict, compare=False)
    specs: ApiSpec | None = field(default=None, compare=False)
    series_releases: Mapping[str, Release] = field(default_factory=dict, compare=False)
    growth_declared_late: Mapping[TypeName, Release] = field(default_factory=dict, compare=False)
    borrowed_gates: frozenset[str] = field(default=frozenset(), compare=False)
    imported: Mapping[TypeName, TypeDef] = field(default_factory=dict, compare=False)

    @property
    def place(self) -> Place:
        """The input as a whole."""
        return Place(self.label)

    @property
    def is_of_specs(self) -> bool:
        """Return whether the input is written in the spec language, so that a fix may be a patch of a spec."""
        return self.form not in ("crd", "jsonschema", "openapi", "proto", "go")

    @property
    def comparable_form(self) -> str:
        """The form that an input has in common with those that it can be compared with: specs for Go packages, too."""
        return "specs" if self.is_of_specs or self.form == "go" else self.form

    @property
    def is_recorded(self) -> bool:
        """Return whether the input is a recorded release: it was shipped as it is."""
        return self.form == "release"

    def release_of(self, series: str) -> Release | None:
        """Return the release of a series at this side; None: unknown. Releases of two series are never compared."""
        return self.series_releases.get(series) if series else self.release

    def release_in(self, group: str) -> Release | None:
        """Return the release of a group's own series at this side; None: unknown."""
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

    def kinds(self) -> Iterator[tuple[Version, KindVersion]]:
        """The kinds of all groups, each with its version."""
        return ((version, kind) for version in self.versions() for kind in version.kinds.values())

    def types(self, *, own: bool = False) -> Iterator[TypeDef]:
        """The types of these versions."""
        for version in self.versions(own=own):
            yield from version.types.values()

    def structs(self, *, own: bool = False) -> Iterator[Struct]:
        """The structs of these versions."""
        return (type_ for type_ in self.types(own=own) if isinstance(type_, Struct))

    def version(self, group: str, version: str) -> Version | None:
        """Return a version of a group, or `None`."""
        found = self.groups.get(group)
        return None if found is None else found.versions.get(version)

    def type(self, name: TypeName) -> TypeDef | None:
        """Return the type of that name, or `None`."""
        version = self.version(name.group, name.version)
        found = None if version is None else version.types.get(name.name)
        return self.imported.get(name) if found is None else found


def path_in(type_: str, path: str) -> str:
    """Return the path of a place in a type, by which its schema is found: `Thing.spec`, `Thing.spec[]`."""
    return f"{type_}{path}" if not path or path[0] in "([{" else f"{type_}.{path}"


def struct_of(surface: Surface, element: Element) -> Struct | None:
    """Return the struct of an element, or the struct that contains it, on one side."""
    type_ = surface.type(element.type_name)
    return type_ if isinstance(type_, Struct) else None


def field_at(surface: Surface, element: Element) -> Field | None:
    """Return the field of an element; None for other elements, such as a place inside a field."""
    struct = struct_of(surface, element)
    return None if struct is None else struct.fields.get(element.path)


def field_of(struct: Struct, path: str) -> Field | None:
    """Return the field at the start of a path within a type: the longest that matches, because a name may contain dots."""
    found = struct.fields.get(path)
    if found is not None:
        return found
    ends = (index for index in range(len(path) - 1, -1, -1) if path[index] in ".[{(")
    return next((struct.fields[path[:end]] for end in ends if path[:end] in struct.fields), None)


def member_at(surface: Surface, element: Element) -> Field | EnumValue | None:
    """Return the enum value that an element is, or the field that it is, or is inside of; None for other elements."""
    type_ = surface.type(element.type_name)
    if isinstance(type_, Struct):
        return field_of(type_, element.path)
    return type_.values.get(element.path) if isinstance(type_, Enum) else None


def members_of(type_: TypeDef | None) -> Iterator[tuple[Element, Field | EnumValue]]:
    """Yield the fields of a struct, or the values of an enum, each with its element."""
    if isinstance(type_, Struct):
        yield from ((Element(ElementKind.FIELD, *type_.name, name), each) for name, each in type_.fields.items())
    elif isinstance(type_, Enum):
        yield from ((Element(ElementKind.ENUM_VALUE, *type_.name, name), each) for name, each in type_.values.items())


def nearest_place(surface: Surface, element: Element) -> Place:
    """Return the location of an element; of a missing one, that of the nearest existing parent, or of the input as a
    whole.
    """
    if element.kind is ElementKind.GATE:
        gate = surface.gates.get(element.path)
        return surface.place if gate is None else gate.place
    group = surface.groups.get(element.group)
    if group is None:
        return surface.place
    version = group.versions.get(element.version)
    if version is None:
        kind = group.kinds.get(element.type)
        return group.place if kind is None else kind.place
    if element.kind is ElementKind.KIND and element.type in version.kinds:
        return version.kinds[element.type].place
    type_ = version.types.get(element.type)
    if type_ is None:
        return version.place
    member = member_at(surface, element)
    return type_.place if member is None else member.place


_LOWER = frozenset(
    {Keyword.MINIMUM, Keyword.EXCLUSIVE_MINIMUM, Keyword.MIN_LENGTH, Keyword.MIN_BYTES, Keyword.MIN_ITEMS}
    | {Keyword.MIN_PROPERTIES}
)
_UPPER = frozenset(
    {Keyword.MAXIMUM, Keyword.EXCLUSIVE_MAXIMUM, Keyword.MAX_LENGTH, Keyword.MAX_BYTES, Keyword.MAX_ITEMS}
    | {Keyword.MAX_PROPERTIES}
)


def aliases_of(surface: Surface, type_: Type) -> Iterator[Alias]:
    """Yield the aliases that a type leads to, one by one; each of a circle once."""
    seen: set[TypeName] = set()
    while isinstance(type_, Named) and type_.name not in seen:
        alias = surface.type(type_.name)
        if not isinstance(alias, Alias):
            return
        seen.add(type_.name)
        yield alias
        type_ = alias.slot.type


@dataclass(frozen=True, slots=True)
class Unfolded:
    """A type that is not an alias, with the constraints of its aliases; `type` is `None` if an alias cannot be resolved."""

    type: Type | TypeDef | None
    constraints: tuple[Constraints, ...]


def unfold(slot: Slot, surface: Surface) -> Unfolded:
    """Resolve the aliases of a slot's type."""
    aliases = [*aliases_of(surface, slot.type)]
    type_: Type | TypeDef | None = aliases[-1].slot.type if aliases else slot.type
    if isinstance(type_, Named):
        named = surface.type(type_.name)
        type_ = None if isinstance(named, Alias) else named
    return Unfolded(type_, (slot.constraints, *(alias.slot.constraints for alias in aliases)))


def without_aliases(surface: Surface, slot: Slot) -> Slot:
    """Return the slot with its aliases replaced by their types, and with their constraints."""
    for alias in aliases_of(surface, slot.type):
        slot = _through(slot, alias.slot)
    return slot


def behind(surface: Surface, type_: Type) -> Type:
    """Return the type after resolving aliases. Circular aliases are returned unchanged."""
    for alias in aliases_of(surface, type_):
        type_ = alias.slot.type
    return type_


def definition(surface: Surface, type_: Type) -> Struct | Enum | None:
    """Return the struct or enum that a type refers to, possibly through aliases; None for other types."""
    found = behind(surface, type_)
    named = surface.type(found.name) if isinstance(found, Named) else None
    return named if isinstance(named, Struct | Enum) else None


def tighter(keyword: Keyword, constraint: Constraint, other: Constraint) -> Constraint:
    """Return the stricter of two bounds by the same keyword; of other constraints the first."""
    if not isinstance(constraint.value, int | float) or not isinstance(other.value, int | float):
        return constraint
    if keyword in _LOWER:
        return max(constraint, other, key=_number)
    return min(constraint, other, key=_number) if keyword in _UPPER else constraint


def _through(slot: Slot, alias: Slot) -> Slot:
    return replace(
        slot,
        type=alias.type,
        nullable=slot.nullable or alias.nullable,
        default=slot.default or alias.default,
        constraints=_conjunction(slot.constraints, alias.constraints),
        rules=(*slot.rules, *(rule for rule in alias.rules if rule not in slot.rules)),
        merge=_merged(slot.merge, alias.merge),
        branches=(*slot.branches, *alias.branches, *_besides(slot, alias)),
    )


def _conjunction(slot: Constraints, alias: Constraints) -> Mapping[Keyword, Constraint]:
    """Return the conjunction; of two bounds, the tighter one."""
    joined = dict(alias)
    for keyword, constraint in slot.items():
        other = joined.get(keyword)
        joined[keyword] = constraint if other is None else tighter(keyword, constraint, other)
    return joined


def _besides(slot: Slot, alias: Slot) -> Iterator[Branch]:
    """Yield the constraints of an alias that the slot also has, with another value and without a stricter one: both
    apply.
    """
    for keyword, constraint in alias.constraints.items():
        own = slot.constraints.get(keyword)
        if own is not None and keyword not in _LOWER | _UPPER and own.value != constraint.value:
            label = f"{keyword.value}: {constraint.value}"
            yield Branch("allOf", label, Slot(alias.type, constraint.place, constraints={keyword: constraint}))


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


def defaulted_slots(type_: TypeDef) -> Iterator[tuple[Element, Slot, Default]]:
    """Yield the slots with a default: of the fields of a struct or of an alias, and of the items and values of lists and maps."""
    for element, slot in slots_of(type_):
        yield from _defaulted_in(element, slot)


def _defaulted_in(element: Element, slot: Slot) -> Iterator[tuple[Element, Slot, Default]]:
    if slot.default is not None:
        yield element, slot, slot.default
    match slot.type:
        case ListOf(item):
            yield from _defaulted_in(element.inside(ElementKind.ITEM, "[]"), item)
        case MapOf(_, value):
            yield from _defaulted_in(element.inside(ElementKind.VALUE, "{}"), value)


def slot_at(surface: Surface, element: Element) -> Slot | None:
    """Return the slot of an element, or the nearest that contains it (for a rule: that of the validated value), or
    `None`.
    """
    type_ = surface.type(element.type_name)
    if isinstance(type_, Struct):
        field = field_of(type_, element.path)
        if field is not None:
            return _inside(field.slot, element.path[len(field.name) :])
        return type_.slot if not element.path or element.path.startswith("(") else None
    return _inside(type_.slot, element.path) if isinstance(type_, Alias) else None


def _inside(slot: Slot, rest: str) -> Slot:
    """Return the slot at the end of a path, or the last one if a step does not exist."""
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
    """Return the surface with a type under another name, replacing its previous type."""
    named = replace(type_, name=name)
    group = surface.groups.get(name.group)
    version = None if group is None else group.versions.get(name.version)
    if group is None or version is None:
        return replace(surface, imported={**surface.imported, name: named})
    versions = {**group.versions, name.version: replace(version, types={**version.types, name.name: named})}
    return replace(surface, groups={**surface.groups, name.group: replace(group, versions=versions)})
