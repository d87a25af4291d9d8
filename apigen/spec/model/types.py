"""Types and their fields."""

from __future__ import annotations

from enum import StrEnum

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.model.constraints import NO_CONSTRAINTS, Constraints
from apigen.spec.model.defaults import DefaultCase, PathDefault
from apigen.spec.model.expressions import NamedExpr, TypeExpr
from apigen.spec.model.gates import GateRuleSpec, GateSpec
from apigen.spec.model.lenses import LensSpec, PathLens, SecondHubSpec
from apigen.spec.model.values import LiteralNode, Located, NumberRange


@dataclass(frozen=True, slots=True)
class LifecycleSpec:
    """`introduced deprecated removed replacement`; releases as text (`"1.10"`). `returned`: of fields and values."""

    introduced: Located[str] | None = None
    deprecated: Located[str] | None = None
    removed: Located[str] | None = None
    replacement: Located[str] | None = None
    returned: Located[str] | None = None


NO_LIFECYCLE = LifecycleSpec()
"""Where nothing is said: the one value that all share."""


@dataclass(frozen=True, slots=True)
class MergeSpec:
    """How server-side apply and strategic merge treat the value."""

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
    """One field as written. `type` is None only in a hub.yaml entry that changes something else."""

    name: str
    place: Place
    type: TypeExpr | None
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
class TombstoneSpec:
    """A field that is gone: its name and number never return."""

    name: str
    place: Place
    protobuf: Located[int] | None
    removed: Located[str] | None
    reason: Located[str] | None


@dataclass(frozen=True, slots=True)
class EnumValueSpec:
    """One value of an enum. `tolerated`: the release from which on objects that have it may keep it."""

    name: str
    place: Place
    doc: Located[str] | None = None
    feature_gate: GateSpec | None = None
    lifecycle: LifecycleSpec = NO_LIFECYCLE
    tolerated: Located[str] | None = None
    py_name: Located[str] | None = None


@dataclass(frozen=True, slots=True)
class UnionSpec:
    """A union of fields: `members` as (discriminator value or None, field name); `all_members` for `members: all`.

    `optional`: none may be set. `empty`: discriminator values without a member.
    """

    place: Place
    all_members: bool
    members: tuple[tuple[Located[str] | None, Located[str]], ...]
    discriminator: Located[str] | None = None
    empty: tuple[Located[str], ...] = ()
    optional: bool = False


class TypeForm(StrEnum):
    """What a type is."""

    STRUCT = "fields"
    ENUM = "enum"
    ALIAS = "is"
    OVERRIDE = "override"  # of hub.yaml: adds to a type that the hub has anyway


@dataclass(frozen=True, slots=True)
class TypeSpec:
    """One type as written; which members count depends on `form`. Constraints on items, keys, values: of `is` only.

    `taken_from` is set where kinds are resolved: the struct whose fields a kind takes over that is (`is:`) a struct.
    """

    name: str
    place: Place
    form: TypeForm
    doc: Located[str] | None = None
    fields: tuple[FieldSpec, ...] = ()
    tombstones: tuple[TombstoneSpec, ...] = ()
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
    value_tombstones: tuple[TombstoneSpec, ...] = ()
    unknown: Located[str] | None = None
    open: bool = False
    closed: bool = False
    alias: TypeExpr | None = None
    taken_from: NamedExpr | None = None
    nullable: bool = False
    lifecycle: LifecycleSpec = NO_LIFECYCLE
    ignore: tuple[tuple[Located[str], Located[str]], ...] = ()
