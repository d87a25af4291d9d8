"""Names of the IR as names of a surface: groups go by what they are called on the wire."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.types import Named
from apigen.ir.model import Api
from apigen.ir.types import TypeId


class Names:
    """Gives the names of types. No two groups of an API have one wire name, so two types never get the same."""

    def __init__(self, api: Api) -> None:
        self._wire: Mapping[str, str] = {group.folder: group.name for group in api.groups}
        self._known: dict[TypeId, TypeName] = {}
        self._types: dict[TypeId, Named] = {}

    def of(self, id_: TypeId) -> TypeName:
        """The name of a type."""
        found = self._known.get(id_)
        if found is None:
            found = TypeName(self._wire.get(id_.group, id_.group), id_.version, id_.name)
            self._known[id_] = found
        return found

    def named(self, id_: TypeId) -> Named:
        """The type of what has that name: one value for all places that have it."""
        found = self._types.get(id_)
        if found is None:
            found = self._types[id_] = Named(self.of(id_))
        return found
