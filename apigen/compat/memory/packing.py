"""Values of a review as bytes, and back. What is read creates values of known classes, and runs nothing."""

from __future__ import annotations

import pickle
from typing import Any

from apigen.compat.memory.packed_types import PackedTypes
from apigen.compat.surface.surface import Version
from apigen.dataclass import replace
from apigen.spec.packing import DamagedError, Packer, Unpacker, packed, unpacked

__all__ = ["DamagedError", "pack", "unpack"]


def pack(value: object) -> bytes:
    """A value of the model of reviews as bytes; surfaces in it are packed version by version."""
    return packed(value, _Packer)


def unpack(data: bytes) -> Any:
    """What was packed. Raises DamagedError for anything else; the caller knows the class."""
    return unpacked(data, _Unpacker)


class _Packer(Packer):
    """Packs surfaces so that each version's types can be read for themselves."""

    def persistent_id(self, value: object) -> tuple[bytes, bytes] | None:
        """A version goes in as the bytes of its types and those of the rest."""
        if type(value) is not Version:
            return None
        return packed(dict(value.types)), packed(replace(value, types={}))


class _Unpacker(Unpacker):
    """Knows the classes of the model, and nothing else."""

    own = ("apigen.compat.", "apigen.diagnostics.model", "apigen.ir.", "apigen.spec.model")
    others = frozenset(
        {
            ("apigen.compat.surface.elements", "TypeName"),
            ("apigen.compat.verdict.example", "ABSENT"),
            ("apigen.ir.model.lifecycle", "Release"),
            ("apigen.ir.types", "TypeId"),
        }
    )

    def persistent_load(self, id_: Any) -> Version:
        """A version whose types are read when somebody looks at them."""
        types, bare = id_
        version = unpack(bare)
        if not isinstance(version, Version):
            raise pickle.UnpicklingError("no version")
        return replace(version, types=PackedTypes(types, unpack))
