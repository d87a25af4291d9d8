"""Names and numbers once given."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.model.values import Located, NumberRange


@dataclass(frozen=True, slots=True)
class LockedField:
    """A field's line in a lock: Python name and protobuf number, once given never changed.

    `recorded`: a release that shipped it so, and where its record says so.
    """

    json_name: str
    py_name: str | None
    number: int | None
    recorded: Located[str] | None = None


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
