"""One difference between two surfaces, also as text: for people, and the stable text of fingerprints."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.language.model import NumberRange
from apigen.review.surface import (
    Alias,
    Branch,
    CelRule,
    ConstraintValue,
    Default,
    Discriminator,
    Element,
    Enum,
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
    Struct,
    Surface,
    Tombstone,
    Type,
    TypeDef,
    Union,
    Version,
)
from apigen.review.surface import Kind as KindOfGroup

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


def change_words(change: AnyChange) -> str:
    """Return the difference as a sentence without a final period."""
    match change:
        case Added():
            return f"{change.element.kind} {change.element.words} was added"
        case Removed():
            return f"{change.element.kind} {change.element.words} was removed"
        case Altered():
            return f"{change.label} of {change.element.words} changed {from_to(change)}"


def sides(change: AnyChange) -> tuple[str, str]:
    """Return the text of the base and of the revision; empty if a side has none."""
    match change:
        case Added():
            return "", part_words(change.part)
        case Removed():
            return part_words(change.part), ""
        case Altered():
            return f"{change.label}: {value_words(change.before)}", f"{change.label}: {value_words(change.after)}"


def from_to(change: Altered, absent: str = "unset") -> str:
    """Return both values of a trait, such as `from 1 to 2`; `absent` is the word for a side without a value."""
    return f"from {value_words(change.before, absent)} to {value_words(change.after, absent)}"


def value_words(value: Value, absent: str = "unset") -> str:
    """Return the value of a trait as text; `absent` without a value."""
    match value:
        case None | "" | ():
            return absent
        case bool():
            return "true" if value else "false"
        case Default():
            return value.text
        case GateMark():
            return (" or " if value.is_any else " and ").join(value.gates) + (
                f" ({value.words})" if value.words else ""
            )
        case Release():
            return str(value)
        case tuple():
            return ", ".join(_entry_words(entry) for entry in value)
        case _:
            return str(value)


def _entry_words(entry: object) -> str:
    if isinstance(entry, FeatureStage):
        locked = ", locked" if entry.locked else ""
        least = f", from {entry.min_compatibility}" if entry.min_compatibility else ""
        return f"{entry.release} {entry.stage.value} {'on' if entry.default else 'off'}{locked}{least}"
    if isinstance(entry, tuple) and not hasattr(entry, "_fields"):
        return "=".join(str(part) for part in entry)
    return str(entry)


def part_words(part: Part) -> str:
    """Return an added or removed part in one line."""
    match part:
        case Field():
            number = f" = {part.number}" if part.number is not None else ""
            return f"{part.name}: {part.slot.type}{number}"
        case Slot():
            return str(part.type)
        case Branch():
            return f"{part.keyword}[{part.label}]: {part.slot.type}"
        case EnumValue():
            return part.value if part.number is None else f"{part.value} = {part.number}"
        case Union():
            return f"union of {', '.join(part.members)}"
        case Tombstone():
            return f"tombstone {part.name}" + (f" = {part.numbers}" if part.numbers is not None else "")
        case Struct() | Enum() | Alias():
            return f"{type(part).__name__.lower()} {part.name.name}"
        case Feature():
            return f"feature gate {part.name}: {value_words(part.stages)}"
        case KindVersion():
            return f"kind {part.kind}"
        case Group() | Version() | KindOfGroup() | Service() | Method() | SourceFile():
            return f"{type(part).__name__.lower()} {part.name}"
        case _:
            return part.text


@dataclass(frozen=True, slots=True)
class Entries:
    """The removed and the added entries of a list of names."""

    removed: tuple[str, ...]
    new: tuple[str, ...]

    @classmethod
    def of(cls, change: Altered) -> Entries:
        """Return the entries of a change of a list of names."""
        before, after = (
            [str(each) for each in value] if isinstance(value, tuple) else [] for value in (change.before, change.after)
        )
        removed, added = (name for name in before if name not in after), (name for name in after if name not in before)
        return cls(tuple(removed), tuple(added))

    @property
    def first_removed(self) -> str:
        """The first name that was removed; empty if none was."""
        return self.removed[0] if self.removed else ""

    @property
    def words(self) -> str:
        """The removed and added names, or that the order changed."""
        parts = [
            f"{' and '.join(names)} {'was' if len(names) == 1 else 'were'} {how}"
            for names, how in ((self.removed, "removed"), (self.new, "added"))
            if names
        ]
        return " and ".join(parts) or "the order changed"
