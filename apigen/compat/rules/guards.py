"""What has to be on a side for a rule about one side to have anything to say of it.

Each is asked once of the new side. The rule itself is asked where the answer is yes, so it may be yes too often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apigen.compat.surface.lifecycle import NO_LIFECYCLE
from apigen.compat.surface.surface import Surface, Version
from apigen.compat.surface.types import Alias, Enum, Field, ListOf, MapOf, Slot, Struct, TypeDef
from apigen.ir.model import Presence

Guard = Callable[[Surface], bool]


def has_types(side: Surface) -> bool:
    """Whether it has a type."""
    return next(_types(side), None) is not None


def has_several_versions(side: Surface) -> bool:
    """Whether it has more than one version, be they of one group or not."""
    return sum(1 for _ in _versions(side)) > 1


def has_gates(side: Surface) -> bool:
    """Whether it knows a gate."""
    return bool(side.gates)


def has_tombstones(side: Surface) -> bool:
    """Whether a type has a tombstone."""
    return any(isinstance(type_, Struct | Enum) and bool(type_.tombstones) for type_ in _types(side))


def has_lifecycles(side: Surface) -> bool:
    """Whether of a version, a kind, a field or a value of an enum it is said when it came, goes or is deprecated."""
    if any(_of_version(version) for version in _versions(side)):
        return True
    values = (value for type_ in _types(side) if isinstance(type_, Enum) for value in type_.values.values())
    return any(each.lifecycle != NO_LIFECYCLE for each in _fields(side)) or any(
        each.lifecycle != NO_LIFECYCLE for each in values
    )


def has_defaults(side: Surface) -> bool:
    """Whether a field, an alias, or what a list or map of them holds, has a default."""
    return any(_has_default(slot) for slot in _slots(side))


def has_constraints_of_what_is_written(side: Surface) -> bool:
    """Whether a field that is always written has to satisfy anything."""
    return any(field.presence is Presence.PLAIN and bool(field.slot.constraints) for field in _fields(side))


def _of_version(version: Version) -> bool:
    return version.lifecycle != NO_LIFECYCLE or any(kind.lifecycle != NO_LIFECYCLE for kind in version.kinds.values())


def _has_default(slot: Slot) -> bool:
    if slot.default is not None:
        return True
    type_ = slot.type
    return isinstance(type_, ListOf | MapOf) and _has_default(type_.item if isinstance(type_, ListOf) else type_.value)


def _versions(side: Surface) -> Iterator[Version]:
    return (version for group in side.groups.values() for version in group.versions.values())


def _types(side: Surface) -> Iterator[TypeDef]:
    return (type_ for version in _versions(side) for type_ in version.types.values())


def _fields(side: Surface) -> Iterator[Field]:
    return (field for type_ in _types(side) if isinstance(type_, Struct) for field in type_.fields.values())


def _slots(side: Surface) -> Iterator[Slot]:
    for type_ in _types(side):
        if isinstance(type_, Struct):
            yield from (field.slot for field in type_.fields.values())
        elif isinstance(type_, Alias):
            yield type_.slot
