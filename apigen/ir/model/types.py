"""Structs, enums and aliases."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place
from apigen.ir.model.fields import Field, Ignored, Inline
from apigen.ir.model.groups import Kind
from apigen.ir.model.lifecycle import NO_LIFECYCLE, Lifecycle, Release
from apigen.ir.types import Type, TypeId
from apigen.spec.model import (
    NO_CONSTRAINTS,
    NO_MERGE,
    Constraints,
    GateRuleSpec,
    GateSpec,
    MergeSpec,
    NumberRange,
    PathDefault,
    PathLens,
)


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A name, and its number if it had one, that never return."""

    json_name: str
    number: int | None
    removed: Release | None
    reason: str | None
    place: Place


@dataclass(frozen=True, slots=True)
class UnionMember:
    """A field of a union and the discriminator's value that stands for it."""

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

    `face` is the identity of the struct seen so, `snake_name` its part of the names of functions.
    """

    hub: TypeId
    face: TypeId
    snake_name: str
    place: Place
    lenses: tuple[PathLens, ...] = ()
    hub_only: tuple[PathLens, ...] = ()


@dataclass(frozen=True, slots=True)
class Struct:
    """A struct. `fields` are in order of JSON, inline ones flattened; `kind` is set for the root type of a kind.

    `reserved` are numbers that nobody gets, though nobody knows who had them, in order, and none twice. `unions`,
    `defaults`, `lenses` and `hub_only` of inlined structs stand here too, after its own. The lifecycle of a
    kind or list is complete: what the type does not say is taken from its version.
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
    taken_from: TypeId | None = None
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
    def own_fields(self) -> tuple[Field, ...]:
        """The fields of the struct's own protobuf message."""
        return tuple(f for f in self.fields if not f.via)

    @property
    def is_root(self) -> bool:
        """Whether it is a kind of a version, or the list of one."""
        return (self.kind is not None or self.list_of is not None) and self.id.version != "hub"

    @property
    def has_type_meta(self) -> bool:
        """Whether JSON has `kind` and `apiVersion` (kinds and their lists, outside the hub)."""
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
        """Whether it depends on a gate or on the release if every object may have it."""
        return self.gate is not None or self.tolerated is not None

    def is_introduced(self, release: Release) -> bool:
        """Whether every object may have it at a release, as far as no gate says otherwise."""
        introduced = self.lifecycle.introduced
        return self.tolerated is None or (introduced is not None and introduced <= release)


@dataclass(frozen=True, slots=True)
class Enum:
    """The known values of a text; objects may hold others.

    `unknown` is the known value that a client takes for one that it does not know. Of an `open` enum others are as good
    as the known ones: nothing refuses them. A `closed` one says that it never gets another value.
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
