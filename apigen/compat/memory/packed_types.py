"""The types of a version that are unpacked when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from apigen.compat.surface.types import TypeDef
from apigen.spec.packing import DamagedError


class PackedTypes(Mapping[str, TypeDef]):
    """Types by name. A review that is known already looks at a few versions only, and pays for these."""

    __slots__ = ("_packed", "_types", "_unpack")

    def __init__(self, packed: bytes, unpack: Callable[[bytes], dict[str, TypeDef]]) -> None:
        self._packed = packed
        self._unpack = unpack
        self._types: dict[str, TypeDef] | None = None

    def __getitem__(self, name: str) -> TypeDef:
        return self._found()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())

    def _found(self) -> dict[str, TypeDef]:
        if self._types is None:
            found = self._unpack(self._packed)
            if not isinstance(found, dict):
                raise DamagedError("no types")
            self._types = found
        return self._types
