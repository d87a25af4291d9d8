"""All groups, with every type by identity."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, field
from apigen.ir.model.features import Feature
from apigen.ir.model.groups import Group
from apigen.ir.model.lifecycle import Release
from apigen.ir.model.types import Struct, TypeDef
from apigen.ir.types import Scalar, TypeId


@dataclass(frozen=True, slots=True)
class Api:
    """All groups, in order of folder, and every type by identity (hub types are added by the hub stage).

    `own_series` is the name of the project's own release series, empty where it has none; elements of it have the series
    `""`. `series_releases` are the releases that the specs of series are of, by name, as far as they are declared.
    """

    groups: tuple[Group, ...]
    features: tuple[Feature, ...]
    types: Mapping[TypeId, TypeDef]
    own_series: str = ""
    series_releases: Mapping[str, Release] = field(default_factory=dict)
    _by_version: dict[tuple[str, str], dict[TypeId, TypeDef]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _series: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)

    def group(self, folder: str) -> Group:
        """The group of that folder; KeyError if there is none."""
        for group in self.groups:
            if group.folder == folder:
                return group
        raise KeyError(folder)

    @property
    def series_of_groups(self) -> Mapping[str, str]:
        """The release series of every group, by folder; empty for the project's own."""
        if not self._series:
            self._series.update((group.folder, group.series) for group in self.groups)
        return self._series

    def is_value(self, holder: TypeId, held: TypeId) -> bool:
        """Whether a type is a value where another one holds it: their groups belong to two release series."""
        series = self.series_of_groups
        return series.get(holder.group, "") != series.get(held.group, "")

    def struct(self, id_: TypeId) -> Struct:
        """The struct of that identity; KeyError or TypeError if it is something else."""
        found = self.types[id_]
        if not isinstance(found, Struct):
            raise TypeError(f"{id_} is no struct")
        return found

    def structs(self, group: str, version: str) -> tuple[Struct, ...]:
        """The structs of a version or hub, in order."""
        return tuple(type_ for type_ in self.types_of(group, version).values() if isinstance(type_, Struct))

    def types_of(self, group: str, version: str) -> Mapping[TypeId, TypeDef]:
        """All types of a version or hub, in order. Found for all versions at once: most readers ask for each of them."""
        if not self._by_version:
            for id_, type_ in self.types.items():
                self._by_version.setdefault((id_.group, id_.version), {})[id_] = type_
        return self._by_version.get((group, version), {})


INTEGER_RANGES: Mapping[Scalar, tuple[int, int]] = {
    Scalar.INT32: (-(2**31), 2**31 - 1),
    Scalar.INT64: (-(2**63), 2**63 - 1),
    Scalar.UINT32: (0, 2**32 - 1),
    Scalar.UINT64: (0, 2**64 - 1),
}
"""The least and greatest value of each integer."""
