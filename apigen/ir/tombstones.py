"""What is gone from a type, with the numbers that the lock remembers where the tombstone has none."""

from __future__ import annotations

from apigen.ir.context import VersionContext
from apigen.ir.model import Tombstone
from apigen.spec.model import LockedType, TombstoneSpec


def tombstones(
    specs: tuple[TombstoneSpec, ...], locked: LockedType | None, context: VersionContext
) -> tuple[Tombstone, ...]:
    """The tombstones of a type, in written order."""
    known = {f.json_name: f.number for f in locked.fields} if locked else {}
    return tuple(
        Tombstone(
            json_name=spec.name,
            number=spec.protobuf.value if spec.protobuf else known.get(spec.name),
            removed=context.lifecycles.release(spec.removed),
            reason=spec.reason.value if spec.reason else None,
            place=spec.place,
        )
        for spec in specs
    )
