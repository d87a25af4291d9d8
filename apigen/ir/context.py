"""A version within a run: the input of the steps that read its types, and the tombstones of a type."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, replace
from apigen.diagnostics import Place
from apigen.ir.lifecycle import LifecycleReader
from apigen.ir.model import Kind
from apigen.ir.run import Run
from apigen.ir.scope import Scope
from apigen.ir.types import TypeId
from apigen.language.model import LifecycleSpec, Located, LockedType, LockFile, Tombstone


@dataclass(frozen=True, slots=True)
class VersionContext:
    """A version: its scope, its lock, its lifecycle and the kinds of its group, lists by name with their kind."""

    run: Run
    scope: Scope
    lock: LockFile | None
    lifecycle: LifecycleSpec
    lifecycles: LifecycleReader
    kinds: Mapping[str, Kind]
    lists: Mapping[str, str]
    has_protobuf: bool = True

    @property
    def lock_place(self) -> Place | None:
        """The location of the lock."""
        return self.lock.place if self.lock else None

    def id(self, name: str) -> TypeId:
        """The identity of a type of this version."""
        return TypeId(self.scope.group, self.scope.version, name)


def tombstones(declared: tuple[Tombstone, ...], locked: LockedType | None) -> tuple[Tombstone, ...]:
    """Return the tombstones of a type, in written order; those without a number have that of the lock."""
    known = {field.json_name: field.number for field in locked.fields} if locked else {}
    return tuple(_numbered(each, known.get(each.name)) for each in declared)


def _numbered(tombstone: Tombstone, number: int | None) -> Tombstone:
    if number is None or tombstone.protobuf is not None:
        return tombstone
    return replace(tombstone, protobuf=Located(number, tombstone.place))
