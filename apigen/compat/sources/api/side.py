"""One side of a comparison that is of specs, with all that the other side may take over from it."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.catalogue import NamedByTypes
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import TypeDef
from apigen.dataclass import dataclass
from apigen.ir.model import Api, Group, Struct, Version
from apigen.ir.shared_types import SharedTypes
from apigen.ir.types import TypeId
from apigen.spec.shared_files import SharedFiles


@dataclass(frozen=True, slots=True)
class SpecsSide:
    """What was read of the specs, what that was resolved to, and the surface of it."""

    files: SharedFiles
    types: SharedTypes
    names: NamedByTypes
    api: Api
    surface: Surface

    def has_names_of(self, api: Api) -> bool:
        """Whether the groups that both have are called the same on the wire, and so are their types."""
        mine, theirs = ({group.folder: group.name for group in each.groups} for each in (self.api, api))
        return all(mine[folder] == theirs[folder] for folder in mine.keys() & theirs.keys())

    def taken(self, group: Group, version: Version, api: Api) -> Mapping[TypeId, TypeDef]:
        """The types of a version of the other side, `api`, that are the very types of this side.

        Those with defaults by path are not among them: these lead through other types.
        """
        known = self.surface.version(group.name, version.name)
        if known is None or self._is_defaulted(version) is not version.defaulted:
            return {}
        return {id_: known.types[id_.name] for id_ in version.types if self._is_same(id_, api)}

    def _is_same(self, id_: TypeId, api: Api) -> bool:
        type_ = api.types[id_]
        return self.api.types.get(id_) is type_ and not (isinstance(type_, Struct) and type_.defaults)

    def _is_defaulted(self, version: Version) -> bool | None:
        groups = (group for group in self.api.groups if group.folder == version.group)
        found = (each.defaulted for group in groups for each in group.versions if each.name == version.name)
        return next(found, None)
