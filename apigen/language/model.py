"""The spec model: the content of the YAML files of an API, typed and with positions, before names are resolved.

It is independent of other files: type expressions are parsed but not resolved, paths are parsed but not bound.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Generic, TypeVar

from apigen.dataclass import dataclass, field, replace
from apigen.diagnostics import Place
from apigen.language.releases import Release

BrokenName = tuple[str, ...]
"""A declaration that could not be read: it exists, but its contents are unknown, so it must not cause further errors."""


def group_name(group: str) -> BrokenName:
    """A group: the declarations of its group.yaml, other than versions and kinds."""
    return ("group", group)


def group_file_name(group: str) -> BrokenName:
    """A group.yaml that could not be read at all."""
    return (*group_name(group), "unreadable")


def version_name(group: str, version: str) -> BrokenName:
    """An entry of `versions:`."""
    return (*group_name(group), "version", version)


def kind_name(group: str, kind: str) -> BrokenName:
    """An entry of `kinds:`."""
    return (*group_name(group), "kind", kind)


def file_name(group: str, version: str) -> BrokenName:
    """A version's file, or hub.yaml (`hub`)."""
    return (*group_name(group), "file", version)


def lock_name(group: str, version: str) -> BrokenName:
    """A version's lock."""
    return (*group_name(group), "lock", version)


GATES: BrokenName = ("gate",)
"""All gates: a features.yaml could not be read, so that any gate may exist."""


@dataclass(frozen=True, slots=True)
class Broken:
    """The names of elements that could not be read.

    An element that could not be read is omitted from the model, together with all elements that depend on it: a field
    without a readable type is omitted, and a field with a bad `default:` has no default. Both are
    named here.
    """

    names: frozenset[BrokenName] = frozenset()

    def group(self, group: str) -> bool:
        """Return whether group.yaml could not be read at all; the group is then missing in the model."""
        return group_file_name(group) in self.names

    def header(self, group: str) -> bool:
        """Return whether a declaration of the group itself in group.yaml (its name, its hub) could not be read."""
        return self.group(group) or group_name(group) in self.names

    def version(self, group: str, version: str) -> bool:
        """Return whether the declaration of the version in group.yaml could not be read."""
        return self.header(group) or version_name(group, version) in self.names

    def kind(self, group: str, kind: str) -> bool:
        """Return whether the kind could not be read."""
        return self.group(group) or kind_name(group, kind) in self.names

    def file(self, group: str, version: str) -> bool:
        """Return whether a version's file, or hub.yaml (`hub`), could not be read: any type may be in it."""
        return file_name(group, version) in self.names

    def type(self, group: str, version: str, type_: str) -> bool:
        """Return whether a part of the type itself could not be read, other than a field, value or tombstone."""
        return self.file(group, version) or (*file_name(group, version), type_) in self.names

    def member(self, group: str, version: str, type_: str, member: str) -> bool:
        """Return whether a field, value or tombstone could not be read, or the type that may have it."""
        return self.type(group, version, type_) or (*file_name(group, version), type_, member) in self.names

    def members(self, group: str, version: str, type_: str) -> frozenset[str]:
        """The fields, values and tombstones of a type that could not be read, one by one."""
        prefix = (*file_name(group, version), type_)
        return frozenset(name[-1] for name in self.names if name[:-1] == prefix)

    def lock(self, group: str, version: str) -> bool:
        """Return whether the version's lock could not be read, so that earlier names and numbers are unknown."""
        return lock_name(group, version) in self.names

    def gate(self, gate: str) -> bool:
        """Return whether the gate could not be read, or a features.yaml that may have it."""
        return GATES in self.names or (*GATES, gate) in self.names


Literal = None | bool | int | float | str


@dataclass(frozen=True, slots=True)
class Name:
    """A field, by its JSON name (an inline field by its key)."""

    name: str


@dataclass(frozen=True, slots=True)
class Each:
    """`[]`: each element of a list or each value of a map."""


@dataclass(frozen=True, slots=True)
class Index:
    """`[0]`: one element of a list."""

    index: int


@dataclass(frozen=True, slots=True)
class Key:
    """`[key]`: the value of one key of a map."""

    key: str


@dataclass(frozen=True, slots=True)
class Prefix:
    """`[prefix*]`: the entries of a map whose keys have the prefix."""

    prefix: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """`f=v` or `f!=v` within a selection; `path` is dotted names below the element."""

    path: tuple[Name, ...]
    equal: bool
    value: str


@dataclass(frozen=True, slots=True)
class Select:
    """`[f=v,g!=w]`: the elements of a list for which all comparisons are true."""

    comparisons: tuple[Comparison, ...]


Step = Name | Each | Index | Key | Prefix | Select


@dataclass(frozen=True, slots=True)
class Path:
    """A parsed path (DESIGN: "Paths"). `from_type`: it was written with `$.`; `place` is the location of its text.

    spec.rules[].host            each element of a list or value of a map
    metadata.annotations[a/b]    an entry of a map; `list[0]` an element by index
    metadata.annotations[a/*]    the entries of a map with a key prefix
    metrics[type=Resource].name  the elements for which all comparisons are true
    $.spec.x                     from the type of the block with the path, not from the struct with the field
    .                            the struct itself
    """

    steps: tuple[Step, ...]
    from_type: bool
    text: str
    place: Place

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Equals:
    """`{path: value}` or `{path: [one, of]}`; `None` among the values is YAML's null."""

    path: Path
    values: tuple[Literal, ...]


@dataclass(frozen=True, slots=True)
class IsSet:
    """`{set: path}`."""

    path: Path


@dataclass(frozen=True, slots=True)
class GateEnabled:
    """`{gate: Name}`."""

    gate: str
    place: Place


@dataclass(frozen=True, slots=True)
class Not:
    """`{not: condition}`; `{unset: path}` is `Not(IsSet(path))`."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class All:
    """Several conditions joined by "and"; of none: always."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Any:
    """`{any: [...]}`: at least one of them is true."""

    conditions: tuple[Condition, ...]


Condition = Equals | IsSet | GateEnabled | Not | All | Any


@dataclass(frozen=True, slots=True)
class NamedExpr:
    """`int32`, `FrobberSpec` or `meta/v1.ObjectMeta`: a builtin, a type of the same version, or of another."""

    name: str
    group: str | None
    version: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class ListExpr:
    """`[]T`."""

    item: TypeExpr
    place: Place


@dataclass(frozen=True, slots=True)
class MapExpr:
    """`map[string]T`; `key` may be a named string type."""

    key: NamedExpr
    value: TypeExpr
    place: Place


TypeExpr = NamedExpr | ListExpr | MapExpr


T = TypeVar("T")


Value = None | bool | int | float | str | tuple["Value", ...] | tuple[tuple[str, "Value"], ...]


@dataclass(frozen=True, slots=True)
class Located(Generic[T]):
    """A value and its location."""

    value: T
    place: Place


@dataclass(frozen=True, slots=True)
class Object:
    """A YAML mapping used as a literal value (a structured default), in written order."""

    members: tuple[tuple[Located[str], LiteralNode], ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Items:
    """A YAML sequence used as a literal value."""

    items: tuple[LiteralNode, ...]
    place: Place


LiteralNode = Located[Literal] | Object | Items


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from `first` to `last`, which is one of them."""

    first: int
    last: int

    def __contains__(self, number: int) -> bool:
        return self.first <= number <= self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Constraints:
    """The constraints of one value. Numbers are as declared; `requires`/`forbids` name sibling fields.

    `if_enabled` and `if_disabled` apply while a gate is enabled, or disabled, `if_mode` depending on sibling fields;
    `subfields` are constraints on fields of the struct that is the value. Only these three may contain `required`.
    `enforced_by_hand` are constraints of hand-written code: reviews compare them, and no code is generated for them.
    """

    minimum: Located[int | float] | None = None
    maximum: Located[int | float] | None = None
    exclusive_minimum: Located[int | float] | None = None
    exclusive_maximum: Located[int | float] | None = None
    multiple_of: Located[int | float] | None = None
    min_length: Located[int] | None = None
    max_length: Located[int] | None = None
    max_bytes: Located[int] | None = None
    pattern: EmbeddedText | None = None
    format: Located[str] | None = None
    min_items: Located[int] | None = None
    max_items: Located[int] | None = None
    unique_items: Located[bool] | None = None
    min_properties: Located[int] | None = None
    max_properties: Located[int] | None = None
    immutable: Located[bool] | None = None
    monotonic: Located[bool] | None = None
    not_value: LiteralNode | None = None
    update: tuple[Located[str], ...] = ()
    forbidden: Located[bool] | None = None
    required: Located[bool] | None = None
    unique_by: tuple[Located[str], ...] = ()
    if_enabled: tuple[NamedConstraints, ...] = ()
    if_disabled: tuple[NamedConstraints, ...] = ()
    subfields: tuple[NamedConstraints, ...] = ()
    if_mode: tuple[ModeConstraints, ...] = ()
    requires: tuple[Located[str], ...] = ()
    forbids: tuple[Located[str], ...] = ()
    rules: tuple[RuleSpec, ...] = ()
    enforced_by_hand: Constraints | None = None

    def is_empty(self) -> bool:
        """Return whether generated code has nothing to validate."""
        return self == NO_CONSTRAINTS or (self.enforced_by_hand is not None and self.generated() == NO_CONSTRAINTS)

    def generated(self) -> Constraints:
        """Return the constraints that generated code validates."""
        return self if self.enforced_by_hand is None else replace(self, enforced_by_hand=None)


NO_CONSTRAINTS = Constraints()
"""The constraints of values without any; shared."""

BOUNDS = (
    *("minimum", "maximum", "exclusive_minimum", "exclusive_maximum", "multiple_of"),
    *("min_length", "max_length", "max_bytes", "pattern", "format"),
    *("min_items", "max_items", "min_properties", "max_properties"),
)
"""The constraints that say which values are good, which only checks, schemas and validation read."""


@dataclass(frozen=True, slots=True)
class EmbeddedText(Located[str]):
    """Text in a language of its own: a CEL expression or a pattern. `begins` is the location of its first character,
    if all of it is unescaped on one line.
    """

    begins: Place | None = None

    def place_of(self, line: int, column: int) -> Place:
        """Return the location of a character, both counted from 1; that of the whole text if it is not known."""
        if self.begins is None or line != 1:
            return self.place
        return Place(self.begins.file, self.begins.line, self.begins.column + column - 1)


@dataclass(frozen=True, slots=True)
class NamedConstraints:
    """Constraints that apply in one state of a gate, in one mode, or to one field of a struct."""

    name: Located[str]
    constraints: Constraints


@dataclass(frozen=True, slots=True)
class ModeConstraints:
    """Constraints by the value of a field next to it, the `discriminator`. In a mode that has none the value is
    forbidden.
    """

    discriminator: Located[str]
    modes: tuple[NamedConstraints, ...]


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """A CEL rule, with the words of Kubernetes' `x-kubernetes-validations`."""

    rule: EmbeddedText
    message: Located[str] | None = None
    message_expression: EmbeddedText | None = None
    reason: Located[str] | None = None
    field_path: Located[str] | None = None
    optional_old_self: Located[bool] | None = None


@dataclass(frozen=True, slots=True)
class DefaultCase:
    """One case of a default: `value` (None of the literal clears) or `from_path`, if `when` is true.

    `into`: the value at `from_path` becomes this member of a new struct.
    """

    place: Place
    value: LiteralNode | None = None
    from_path: Path | None = None
    when: Condition | None = None
    overwrite: bool = False
    by_key: bool = False
    empty_is_set: bool = False
    into: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class PathDefault:
    """An entry of a struct's `defaults:`."""

    path: Path
    cases: tuple[DefaultCase, ...]


class Stage(StrEnum):
    """Stages of a feature gate."""

    ALPHA = "alpha"
    BETA = "beta"
    GA = "ga"
    DEPRECATED = "deprecated"


class GateJoin(StrEnum):
    """The condition for several gates of one mark."""

    ALL = "all"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class GateSpec:
    """`featureGate:` of a field or enum value. One gate: `join` is ALL.

    `in_use`: "gate" (any field of the gate in the whole object), "field", "place" (the field at the same place of the old
    object), "never", or a condition on the old object. In rules of a hub type, no gates: the value is never accepted.
    """

    gates: tuple[Located[str], ...]
    join: GateJoin
    place: Place
    in_use: str | Condition = "gate"
    to: LiteralNode | None = None
    during: tuple[str, ...] | None = None
    prune: bool = False


@dataclass(frozen=True, slots=True)
class GateRuleSpec:
    """An entry of a hub type's `gates:`: the paths that it drops, and when."""

    gate: GateSpec
    drop: tuple[Path, ...]
    when: Condition | None


@dataclass(frozen=True, slots=True)
class FeatureStageSpec:
    """One stage of a gate, starting with `release`, if no server is older than `min_compatibility`."""

    release: Located[Release]
    stage: Stage
    place: Place
    default: bool = False
    locked: bool = False
    min_compatibility: Located[Release] | None = None


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """A feature gate of `features.yaml`; `removed`: the first release without it.

    `series` names its release series: its own, or that of its file; empty where neither names one.
    """

    name: str
    place: Place
    stages: tuple[FeatureStageSpec, ...]
    owner: str | None = None
    doc: Located[str] | None = None
    depends_on: tuple[Located[str], ...] = ()
    removed: Located[Release] | None = None
    ignore: tuple[tuple[Located[str], Located[str]], ...] = ()
    series: str = ""


@dataclass(frozen=True, slots=True)
class SeriesSpec:
    """`series:`: the name of a release series, and the release of its specs, if it is declared."""

    name: Located[str]
    release: Located[Release] | None = None


@dataclass(frozen=True, slots=True)
class FeaturesFile:
    """A `features.yaml`: its gates, and the series of them and of the groups below its folder."""

    features: tuple[FeatureSpec, ...]
    series: SeriesSpec | None = None


@dataclass(frozen=True, slots=True)
class LensCase:
    """One case of a lens's value (`constant`, `keepZero`, `absent`): `value` if `when` is true.

    `direction`, of `absent` only, is that of the conversion (`to_hub`, `from_hub`) to which it is limited.
    """

    value: LiteralNode
    place: Place
    when: Condition | None = None
    direction: str | None = None


@dataclass(frozen=True, slots=True)
class ByHandSpec:
    """`byHand:`, with its reason. `context`: the hand-written function takes the context of the caller of `convert`."""

    reason: Located[str]
    context: bool = False

    @property
    def value(self) -> str:
        """The reason."""
        return self.reason.value


@dataclass(frozen=True, slots=True)
class SnapshotSpec:
    """`preserve:` of a field: the annotation of the hub's object that preserves its value next to a derived field.

    `writes_null`: the annotation of an unset field is `null`.
    """

    annotation: Located[str]
    writes_null: bool = False


@dataclass(frozen=True, slots=True)
class LensSpec:
    """A field's `hub:`, an entry of `lenses:` or of `hubOnly:`: the options as written, not yet checked together.

    `to` is the hub path (also of `hub: path`, `alias: path`); each other word is kept as it was written. The hub
    stage decides which lens it is and whether the words fit together.
    """

    place: Place
    to: Path | None = None
    parent: Located[str] | None = None
    wins: Located[str] | None = None
    list_path: Path | None = None
    map_path: Path | None = None
    list_key: Located[str] | None = None
    list_value: Located[str] | None = None
    duplicates: Located[str] | None = None
    enum: tuple[tuple[Located[str], Located[str]], ...] | None = None
    scale: Located[int] | None = None
    seconds: Located[str] | None = None
    out_of_range: Located[str] | None = None
    part: Located[str] | None = None
    version: Located[str] | None = None
    format: Located[str] | None = None
    split: tuple[Path, Path] | None = None
    select: Path | None = None
    set: tuple[tuple[Path, Located[str]], ...] | None = None
    absent: LiteralNode | tuple[LensCase, ...] | None = None
    keep_zero: tuple[LensCase, ...] | None = None
    alias: Path | None = None
    constant: tuple[LensCase, ...] | None = None
    source: Path | None = None
    clamp: tuple[Located[int | float], Located[int | float]] | None = None
    annotation: Located[str] | None = None
    as_type: TypeExpr | None = None
    empty: Located[str] | None = None
    unreadable: Located[str] | None = None
    stale: Located[str] | None = None
    drop: Located[str] | None = None
    by_hand: ByHandSpec | None = None
    preserve: SnapshotSpec | None = None
    from_above: Located[str] | None = None
    """The containing type whose `lenses:` map the field. The hub stage sets it; specs cannot."""

    @property
    def is_flattening(self) -> bool:
        """Whether the lens is `.`."""
        return self.to is not None and not self.to.steps

    def words(self) -> frozenset[str]:
        """The names of the words that were written (as attributes of this class)."""
        return frozenset(
            name for name in self.__dataclass_fields__ if name != "place" and getattr(self, name) is not None
        )


@dataclass(frozen=True, slots=True)
class PathLens:
    """An entry of `lenses:` (a path of this version) or `hubOnly:` (a path of the hub)."""

    path: Path
    lens: LensSpec


@dataclass(frozen=True, slots=True)
class SecondHubSpec:
    """An entry of `alsoHub:`: a type of another hub that the type is seen as too, by lenses of its own."""

    hub: Located[str]
    lenses: tuple[PathLens, ...] = ()
    hub_only: tuple[PathLens, ...] = ()


@dataclass(frozen=True, slots=True)
class LockedField:
    """A field's line in a lock: Python name and protobuf number, which never change after they are assigned.

    `recorded`: a release that shipped it in this form, and the location in its record.
    """

    json_name: str
    py_name: str | None = None
    number: int | None = None
    recorded: Located[Release] | None = None


@dataclass(frozen=True, slots=True)
class LockedType:
    """A type's part of a lock."""

    name: str
    fields: tuple[LockedField, ...]
    highest: int = 0
    reserved: tuple[NumberRange, ...] = ()


@dataclass(frozen=True, slots=True)
class LockFile:
    """`<version>.lock.yaml`, already checked for hand edits by its checksum."""

    version: str
    place: Place
    types: tuple[LockedType, ...]


@dataclass(frozen=True, slots=True)
class GenerationSpec:
    """`generation:` of a strategy. `none`: no generation at all. Defaults: start 1, bump on spec, after dropping.

    Without a `start`, a new object keeps its submitted generation. `from_new`: the number moves on from that
    of the submitted object, not of the old one. `at_least`: a new object may have a larger generation than `start`.
    """

    none: bool = False
    start: int | None = 1
    bump: tuple[Path, ...] | None = None
    before_drop: bool = False
    exact: bool = False
    from_new: bool = False
    at_least: bool = False


@dataclass(frozen=True, slots=True)
class ExceptionSpec:
    """A field below a kept one that an operation may change; with a `gate`, only while the gate is enabled."""

    path: Path
    gate: GateSpec | None = None


@dataclass(frozen=True, slots=True)
class OperationSpec:
    """The steps of an operation on the new object, in this order: fields that it keeps from the old one (except for
    `except_`), resets, copies from the old one if they are unset, sets, and elements that it adds to lists.

    `when`: the condition on the submitted object and gates under which it does so.
    """

    place: Place
    reset: tuple[Path, ...] | None = None
    keep: tuple[Path, ...] | None = None
    except_: tuple[ExceptionSpec, ...] = ()
    fill: tuple[Path, ...] = ()
    sets: tuple[tuple[Path, LiteralNode], ...] = ()
    adds: tuple[tuple[Path, LiteralNode], ...] = ()
    when: Condition | None = None


@dataclass(frozen=True, slots=True)
class StrategySpec:
    """A kind's `strategy:`; `operations` by name: create, update, status and each other subresource.

    `counters` are fields that count changes as `metadata.generation` does, and that no client sets.
    """

    generation: GenerationSpec | None = None
    counters: tuple[tuple[Path, GenerationSpec], ...] = ()
    operations: tuple[tuple[str, OperationSpec], ...] = ()
    hooks: tuple[Located[str], ...] = ()


@dataclass(frozen=True, slots=True)
class LifecycleSpec:
    """`introduced deprecated removed replacement`. `returned`: of fields and values."""

    introduced: Located[Release] | None = None
    deprecated: Located[Release] | None = None
    removed: Located[Release] | None = None
    replacement: Located[str] | None = None
    returned: Located[Release] | None = None


NO_LIFECYCLE = LifecycleSpec()
"""The lifecycle of elements without one; shared."""


@dataclass(frozen=True, slots=True)
class MergeSpec:
    """The merge strategy of a value in server-side apply and strategic merge."""

    list_type: Located[str] | None = None
    list_map_keys: tuple[Located[str], ...] = ()
    map_type: Located[str] | None = None
    struct_type: Located[str] | None = None
    patch_strategy: Located[str] | None = None
    patch_merge_key: Located[str] | None = None


NO_MERGE = MergeSpec()
"""Likewise."""


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One field as declared. `type` is None only in a hub.yaml entry that changes other properties."""

    name: str
    place: Place
    type: TypeExpr | None = None
    doc: Located[str] | None = None
    nullable: bool = False
    optional: bool = False
    omit_empty: bool = False
    inline: bool = False
    required: Located[bool] | None = None
    protobuf: Located[int] | None = None
    protobuf_name: Located[str] | None = None
    py_name: Located[str] | None = None
    default: tuple[DefaultCase, ...] = ()
    defaults: bool = False
    hub: LensSpec | None = None
    hub_type: Located[str] | None = None
    absent: LiteralNode | None = None
    feature_gate: GateSpec | None = None
    constraints: Constraints = NO_CONSTRAINTS
    item_constraints: Constraints = NO_CONSTRAINTS
    key_constraints: Constraints = NO_CONSTRAINTS
    value_constraints: Constraints = NO_CONSTRAINTS
    merge: MergeSpec = NO_MERGE
    lifecycle: LifecycleSpec = NO_LIFECYCLE
    ignore: tuple[tuple[Located[str], Located[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A removed field, enum value, version or kind, whose name is never reused, nor its number if it had one.

    `protobuf` is the number as declared; in the IR, that of the lock without one. `migrated`, of a version: the first
    release without objects that are stored in it.
    """

    name: str
    place: Place
    protobuf: Located[int] | None = None
    removed: Release | None = None
    reason: str | None = None
    migrated: Release | None = None

    @property
    def number(self) -> int | None:
        """The number in protobuf."""
        return None if self.protobuf is None else self.protobuf.value


@dataclass(frozen=True, slots=True)
class EnumValueSpec:
    """One value of an enum. `tolerated`: the release from which on objects that have it may keep it."""

    name: str
    place: Place
    doc: Located[str] | None = None
    feature_gate: GateSpec | None = None
    lifecycle: LifecycleSpec = NO_LIFECYCLE
    tolerated: Located[Release] | None = None
    py_name: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class UnionSpec:
    """A union of fields: `members` as (discriminator value or None, field name), empty for `members: all`.

    `optional`: none may be set. `empty`: discriminator values without a member.
    """

    place: Place
    members: tuple[tuple[Located[str] | None, Located[str]], ...]
    discriminator: Located[str] | None = None
    empty: tuple[Located[str], ...] = ()
    optional: bool = False


class TypeForm(StrEnum):
    """The form of a type."""

    STRUCT = "fields"
    ENUM = "enum"
    ALIAS = "is"
    OVERRIDE = "override"  # of hub.yaml: adds to a type that the hub has anyway


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """One type as declared; `form` determines which members apply. Constraints on items, keys, values: of `is` only.

    `alias_of` is set where kinds are resolved: the struct whose fields a kind has that is (`is:`) a struct.
    """

    name: str
    place: Place
    form: TypeForm
    doc: Located[str] | None = None
    fields: tuple[FieldSpec, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    reserved: tuple[Located[NumberRange], ...] = ()
    unions: tuple[UnionSpec, ...] = ()
    defaults: tuple[PathDefault, ...] = ()
    lenses: tuple[PathLens, ...] = ()
    hub_only: tuple[PathLens, ...] = ()
    also_hub: tuple[SecondHubSpec, ...] = ()
    gates: tuple[GateRuleSpec, ...] = ()
    hub: Located[str] | None = None
    constraints: Constraints = NO_CONSTRAINTS
    item_constraints: Constraints = NO_CONSTRAINTS
    key_constraints: Constraints = NO_CONSTRAINTS
    value_constraints: Constraints = NO_CONSTRAINTS
    merge: MergeSpec = NO_MERGE
    values: tuple[EnumValueSpec, ...] = ()
    unknown: Located[str] | None = None
    open: bool = False
    closed: bool = False
    alias: TypeExpr | None = None
    alias_of: NamedExpr | None = None
    nullable: bool = False
    lifecycle: LifecycleSpec = NO_LIFECYCLE
    ignore: tuple[tuple[Located[str], Located[str]], ...] = ()


@dataclass(frozen=True, slots=True)
class VersionFile:
    """`<version>.yaml` or `hub.yaml`."""

    name: str
    place: Place
    types: tuple[TypeSpec, ...]


@dataclass(frozen=True, slots=True)
class VersionHeader:
    """An entry of `versions:` in group.yaml."""

    name: str
    place: Place
    lifecycle: LifecycleSpec = NO_LIFECYCLE
    storage: bool = False
    served: bool = True
    defaulted: bool = True
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class ScaleSpec:
    """Paths of the scale subresource."""

    spec_replicas_path: str
    status_replicas_path: str
    label_selector_path: str | None = None


@dataclass(frozen=True, slots=True)
class PrinterColumnSpec:
    """A column of `kubectl get` for a kind, with its heading; `path` is a JSONPath in each of `versions`, or in all
    without them.
    """

    name: str
    place: Place
    type: Located[str]
    path: Located[str]
    description: str | None = None
    format: str | None = None
    priority: int = 0
    versions: tuple[Located[str], ...] = ()


@dataclass(frozen=True, slots=True)
class PreserveSpec:
    """`preserve:` of a kind: the annotation that preserves values without a field in a version."""

    annotation: Located[str]


@dataclass(frozen=True, slots=True)
class KindSpec:
    """An entry of `kinds:` in group.yaml."""

    name: str
    place: Place
    scope: Located[str] | None = None
    plural: Located[str] | None = None
    singular: Located[str] | None = None
    short_names: tuple[Located[str], ...] = ()
    categories: tuple[Located[str], ...] = ()
    subresources: tuple[Located[str], ...] = ()
    scale: ScaleSpec | None = None
    list: bool = True
    hub: Located[str] | None = None
    selectable_fields: tuple[tuple[Located[str], Path], ...] = ()
    printer_columns: tuple[PrinterColumnSpec, ...] = ()
    strategy: StrategySpec = StrategySpec()
    type_meta: bool = True
    preserve: PreserveSpec | None = None


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """One group folder. `folder` is its name in other specs; `group`, at `group_place`, is the name on the wire.

    `series` names its release series: its own, or that of the features.yaml above it; empty where neither names one.
    `has_protobuf`: its objects have a protobuf form.
    """

    folder: str
    group: str
    place: Place
    group_place: Place
    versions: tuple[VersionHeader, ...]
    hub: Located[str] | None
    kinds: tuple[KindSpec, ...]
    version_files: tuple[VersionFile, ...]
    hub_file: VersionFile | None = None
    locks: tuple[LockFile, ...] = ()
    removed_versions: tuple[Tombstone, ...] = ()
    removed_kinds: tuple[Tombstone, ...] = ()
    series: str = ""
    has_protobuf: bool = True


@dataclass(frozen=True, slots=True)
class ApiSpec:
    """The content of a spec folder, groups in order of folder name. `broken` names the elements that could not be read.

    `own_series` is the name of the project's own release series, empty if it has none: the series that the features.yaml at
    the root of the folder names. `series` are all that are declared, with their releases. `left_features` are the gates that
    the last release has, and features.yaml no longer declares.
    """

    groups: tuple[GroupSpec, ...]
    features: tuple[FeatureSpec, ...] = field(default=())
    broken: Broken = field(default_factory=Broken)
    own_series: str = ""
    series: tuple[SeriesSpec, ...] = ()
    left_features: tuple[FeatureSpec, ...] = ()

    def is_own(self, series: str) -> bool:
        """Return whether a group or gate of a series belongs to the project's own series."""
        return series in ("", self.own_series)
