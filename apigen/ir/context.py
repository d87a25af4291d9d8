"""A version within a run: the input of the steps that read its types, and the tombstones of a type."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.ir.lifecycle import LifecycleReader
from apigen.ir.model import Kind, Tombstone
from apigen.ir.run import Run
from apigen.ir.scope import Scope
from apigen.ir.types import TypeId
from apigen.language.model import LifecycleSpec, LockedType, LockFile, TombstoneSpec


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


def tombstones(
    specs: tuple[TombstoneSpec, ...], locked: LockedType | None, context: VersionContext
) -> tuple[Tombstone, ...]:
    """The tombstones of a type, in written order."""
    known = {f.json_name: f.number for f in locked.fields} if locked else {}
    return tuple(context.lifecycles.tombstone(spec, known.get(spec.name)) for spec in specs)
