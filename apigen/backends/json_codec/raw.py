"""Finds where raw JSON is met, so that only the text of such members has to be kept."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.ir.model import Struct, TypeDef
from apigen.ir.types import StructType, TypeId, WellKnown, WellKnownType, innermost_type

_RAW = frozenset({WellKnown.RAW_EXTENSION, WellKnown.FIELDS_V1})


class RawNames:
    """The JSON names under which raw values stand, for each struct."""

    def __init__(self, types: Mapping[TypeId, TypeDef]) -> None:
        self._types = types

    def below(self, id_: TypeId) -> tuple[str, ...]:
        """The names of members anywhere below a struct that hold raw JSON, also within lists and maps; sorted."""
        found: set[str] = set()
        seen = {id_}
        waiting = [id_]
        while waiting:
            struct = self._types[waiting.pop()]
            if not isinstance(struct, Struct):
                continue
            for field in struct.fields:
                innermost = innermost_type(field.type)
                if isinstance(innermost, WellKnownType) and innermost.known in _RAW:
                    found.add(field.json_name)
                elif isinstance(innermost, StructType) and innermost.id not in seen:
                    seen.add(innermost.id)
                    waiting.append(innermost.id)
        return tuple(sorted(found))
