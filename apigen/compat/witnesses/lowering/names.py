"""Names of types, fields and values in specs that are thrown away: inputs name them by path, or have no Python name for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from apigen.compat.surface.elements import TypeName
from apigen.ir.names import given_name_problem

OBJECT_META = "meta/v1.ObjectMeta"


class Names:
    """Gives every type of a version a name of its own; those of other groups and versions come into it, too."""

    def __init__(self, group: str, version: str) -> None:
        self._home = group, version
        self._given: dict[TypeName, str] = {}

    def of(self, name: TypeName) -> str:
        """The name of a type."""
        if name not in self._given:
            parts = [part[:1].upper() + part[1:] for part in re.split(r"[^A-Za-z0-9]+", name.name) if part]
            wanted = "".join(parts) or "Type"
            wanted = wanted if wanted[0].isalpha() else f"Type{wanted}"
            taken = set(self._given.values())
            number, given = 2, wanted
            while given in taken or (self.is_foreign(name) and given == wanted):
                given, number = f"{wanted}{number}", number + 1
            self._given[name] = given
        return self._given[name]

    def is_foreign(self, name: TypeName) -> bool:
        """Whether a type is of another version or group."""
        return (name.group, name.version) != self._home


def given_names(names: Iterable[str], derived: Callable[[str], str | None], otherwise: str) -> dict[str, str]:
    """The `pyName`s of those that cannot have the derived one, or not alone: `otherwise` with a number."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for number, name in enumerate(names):
        own = derived(name)
        if own is None or own in taken or given_name_problem(own) is not None:
            own = found[name] = f"{otherwise}{number}"
        taken.add(own)
    return found
