"""All groups, with every type by identity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apigen.dataclass import dataclass
from apigen.ir.model.features import Feature
from apigen.ir.model.groups import Group
from apigen.ir.model.types import Struct, TypeDef
from apigen.ir.types import Scalar, TypeId


@dataclass(frozen=True, slots=True)
class Api:
    """All groups, in order of folder, and every type by identity (hub types are added by the hub stage)."""

    groups: tuple[Group, ...]
    features: tuple[Feature, ...]
    types: Mapping[TypeId, TypeDef]

    def group(self, folder: str) -> Group:
        """The group of that folder; KeyError if there is none."""
        for group in self.groups:
            if group.folder == folder:
                return group
        raise KeyError(folder)

    def struct(self, id_: TypeId) -> Struct:
        """The struct of that identity; KeyError or TypeError if it is something else."""
        found = self.types[id_]
        if not isinstance(found, Struct):
            raise TypeError(f"{id_} is no struct")
        return found

    def structs(self, group: str, version: str) -> Iterator[Struct]:
        """The structs of a version or hub, in order."""
        for id_, type_ in self.types.items():
            if id_.group == group and id_.version == version and isinstance(type_, Struct):
                yield type_


INTEGER_RANGES: Mapping[Scalar, tuple[int, int]] = {
    Scalar.INT32: (-(2**31), 2**31 - 1),
    Scalar.INT64: (-(2**63), 2**63 - 1),
    Scalar.UINT32: (0, 2**32 - 1),
    Scalar.UINT64: (0, 2**64 - 1),
}
"""The least and greatest value of each integer."""
