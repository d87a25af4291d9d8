"""Conditions under which a rule about one side is evaluated.

Each is evaluated once, on the revision. A guard may be true although the rule then finds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.ir.model import Presence
from apigen.review.surface import (
    NO_LIFECYCLE,
    Enum,
    EnumValue,
    Field,
    KindVersion,
    ListOf,
    MapOf,
    Slot,
    Struct,
    Surface,
    Version,
    slots_of,
)

Guard = Callable[[Surface], bool]


def has_types(side: Surface) -> bool:
    """Return whether a side has a type."""
    return next(side.types(), None) is not None


def has_several_versions(side: Surface) -> bool:
    """Return whether a side has more than one version, in one group or several."""
    return sum(1 for _ in side.versions()) > 1


def has_gates(side: Surface) -> bool:
    """Return whether a side has a feature gate."""
    return bool(side.gates)


def has_tombstones(side: Surface) -> bool:
    """Return whether a type has a tombstone."""
    return any(isinstance(type_, Struct | Enum) and bool(type_.tombstones) for type_ in side.types())


def has_lifecycles(side: Surface) -> bool:
    """Return whether a version, a kind, a field or an enum value declares anything about its lifecycle."""
    return any(each.lifecycle != NO_LIFECYCLE for each in _living(side))


def _living(side: Surface) -> Iterator[Version | KindVersion | Field | EnumValue]:
    for version in side.versions():
        yield version
        yield from version.kinds.values()
    for type_ in side.types():
        if isinstance(type_, Struct):
            yield from type_.fields.values()
        elif isinstance(type_, Enum):
            yield from type_.values.values()


def has_defaults(side: Surface) -> bool:
    """Return whether a field, an alias, or an element of a list or map has a default."""
    return any(_has_default(slot) for type_ in side.types() for _, slot in slots_of(type_))


def has_schemas(side: Surface) -> bool:
    """Return whether a server validates objects by the schemas of the side, as for CRDs."""
    return any(not each.is_all for each in side.schemas.values())


def has_constraints_of_what_is_written(side: Surface) -> bool:
    """Return whether a field that is always written has constraints."""
    fields = (field for struct in side.structs() for field in struct.fields.values())
    return any(field.presence is Presence.PLAIN and bool(field.slot.constraints) for field in fields)


def _has_default(slot: Slot) -> bool:
    if slot.default is not None:
        return True
    type_ = slot.type
    return isinstance(type_, ListOf | MapOf) and _has_default(type_.item if isinstance(type_, ListOf) else type_.value)
