"""One difference between two surfaces."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.ir.surface import (
    Branch,
    CelRule,
    ConstraintValue,
    Default,
    Discriminator,
    Element,
    EnumValue,
    Field,
    GateMark,
    Group,
    Keyword,
    Kind,
    KindVersion,
    Method,
    Service,
    Slot,
    SourceFile,
    Surface,
    Tombstone,
    Type,
    TypeDef,
    Union,
    Version,
)
from apigen.language.model import NumberRange

Part = (
    Group
    | Version
    | Kind
    | KindVersion
    | TypeDef
    | Field
    | Slot
    | Branch
    | EnumValue
    | Union
    | CelRule
    | Tombstone
    | Feature
    | Service
    | Method
    | SourceFile
)
"""Parts of a surface that can be added or removed as a whole."""

Holder = Part | Surface
"""What has parts. The holder of groups and feature gates is the surface."""

P = TypeVar("P")

Value = (
    Type
    | Default
    | GateMark
    | Discriminator
    | ConstraintValue
    | Release
    | NumberRange
    | tuple[str, ...]
    | tuple[tuple[str, str], ...]
    | tuple[FeatureStage, ...]
    | None
)
"""The value of a trait of an element; None if the element does not have the trait."""


class Trait(StrEnum):
    """The properties of an element that can change."""

    # of versions and kinds
    SERVED = "served"
    STORAGE = "storage"
    PREFERRED = "preferred"
    SCOPE = "scope"
    PLURAL = "plural"
    SINGULAR = "singular"
    LIST_KIND = "list kind"
    SHORT_NAMES = "short names"
    CATEGORIES = "categories"
    SUBRESOURCES = "subresources"
    SCALE = "scale"
    SELECTABLE_FIELDS = "selectable fields"
    PRINTER_COLUMNS = "printer columns"
    CONVERSION = "conversion"
    STRATEGY = "strategy"
    TYPE_META = "type meta"
    ROOT = "root type"
    # of lifecycles
    INTRODUCED = "introduced"
    DEPRECATED = "deprecated"
    REMOVED = "removed"
    REPLACEMENT = "replacement"
    # of types
    FORM = "form"  # struct, enum, alias
    UNKNOWN_FIELDS = "unknown fields"
    HUB_NAME = "hub type"
    WIRE_NAME = "protobuf name"
    FILE = "file"
    OPTIONS = "options"
    OPEN = "open"
    CLOSED = "closed"
    UNKNOWN_VALUE = "unknown value"
    INLINES = "inlined messages"
    LENSES = "lenses"
    ANNOTATION_KEYS = "annotations that carry fields"
    LOSSES = "losses of conversion"
    # of fields
    NUMBER = "number"
    PRESENCE = "presence"
    REQUIRED = "required"
    ONEOF = "oneof"
    INLINED = "inlined through"
    GATE = "gate"
    ORDER = "order"
    # of places for values
    TYPE = "type"
    NULLABLE = "nullable"
    DEFAULT = "default"
    CONSTRAINT = "constraint"
    LIST_TYPE = "list type"
    LIST_MAP_KEYS = "list map keys"
    MAP_TYPE = "map type"
    STRUCT_TYPE = "struct type"
    PATCH_STRATEGY = "patch strategy"
    PATCH_MERGE_KEY = "patch merge key"
    DOC = "description"
    # of enum values
    TOLERATED = "tolerated"
    # of unions
    MEMBERS = "members"
    DISCRIMINATOR = "discriminator"
    EMPTY = "values without member"
    OPTIONAL = "optional"
    # of gates
    STAGES = "stages"
    DEPENDS_ON = "depends on"
    # of services, methods and files
    REQUEST = "request"
    RESPONSE = "response"
    SECURITY = "security"
    CLIENT_STREAMS = "client streams"
    SERVER_STREAMS = "server streams"
    PACKAGE = "package"
    SYNTAX = "syntax"
    # of tombstones
    NUMBERS = "numbers"
    REASON = "reason"
    MIGRATED = "migrated"


@dataclass(frozen=True, slots=True)
class Change:
    """The base class of changes: the identity of the element, and its location on both sides.

    If one side does not have the element, its place there is that of the nearest parent that exists.
    """

    element: Element
    old_place: Place
    new_place: Place


@dataclass(frozen=True, slots=True)
class Added(Change):
    """An element that the base does not have. `holder`: the part to which it was added, as in the revision."""

    part: Part
    holder: Holder


@dataclass(frozen=True, slots=True)
class Removed(Change):
    """An element that the revision does not have. `holder`: the part from which it was removed, as in the revision."""

    part: Part
    holder: Holder


@dataclass(frozen=True, slots=True)
class Altered(Change):
    """An element that both sides have, with one trait that differs. `keyword` is set for constraints.

    `old` and `new` are the element on both sides, `before` and `after` the trait's values.
    """

    trait: Trait
    old: Part
    new: Part
    before: Value
    after: Value
    keyword: Keyword | None = None

    @property
    def label(self) -> str:
        """The name of the trait; of a constraint, its keyword."""
        return self.keyword.value if self.keyword else self.trait.value

    def both(self, class_: type[P]) -> tuple[P, P]:
        """Return the element on both sides, which is of a class."""
        assert isinstance(self.old, class_) and isinstance(self.new, class_)
        return self.old, self.new


AnyChange = Added | Removed | Altered


def pairs_of(value: Value) -> dict[str, str]:
    """Return the value of a trait that consists of pairs, such as options."""
    entries = value if isinstance(value, tuple) else ()
    return dict(entry for entry in entries if isinstance(entry, tuple))
