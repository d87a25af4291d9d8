"""Types of one version that another one has, too, in other lines of the same file."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, TypeVar

from apigen.compat.surface.constraints import CelRule, Constraint
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Unread
from apigen.compat.surface.types import (
    Alias,
    Branch,
    Default,
    Enum,
    EnumValue,
    Field,
    ListOf,
    MapOf,
    Named,
    Several,
    Slot,
    Struct,
    Tombstone,
    Union,
)
from apigen.dataclass import dataclass
from apigen.diagnostics import Place

T = TypeVar("T")


def _values(class_: type) -> Callable[[Any], tuple[object, ...]]:
    names: tuple[str, ...] = vars(class_)["__match_args__"]
    if len(names) == 1:
        only = attrgetter(names[0])
        return lambda part: (only(part),)
    return attrgetter(*names)


_PARTS = {
    class_: _values(class_)
    for class_ in (
        *(Struct, Enum, EnumValue, Alias, Field, Slot, Branch, Default, Constraint, CelRule, Union, Tombstone),
        *(Named, ListOf, MapOf, Several, Unread),
    )
}
"""What has a place or a type's name in it, or may have; anything else is the same in both versions."""

_MOVED = frozenset({*_PARTS, Place, TypeName, dict, list, tuple})


@dataclass(frozen=True, slots=True)
class Move:
    """From a version to another one of its group, `by` lines further down. What has the place `of` itself gets the place `to`."""

    group: str
    version: str
    to_version: str
    by: int
    of: Place
    to: Place

    def moved(self, part: T) -> T:
        """A part of a version, or a mapping, list or tuple of parts, as the other version has it."""
        found: Any = self._moved(part)
        made: T = found
        return made

    def _moved(self, part: Any) -> Any:
        class_ = part.__class__
        if class_ is Place:
            return self.to if part is self.of else Place(part.file, part.line + self.by, part.column)
        if class_ is TypeName:
            is_own = part.group == self.group and part.version == self.version
            return TypeName(self.group, self.to_version, part.name) if is_own else part
        if class_ is dict:
            return {name: self._moved(each) for name, each in part.items()}
        moved = self._moved
        values = _PARTS.get(class_)
        if values is not None:
            return class_(*[moved(each) if each and each.__class__ in _MOVED else each for each in values(part)])
        return class_([moved(each) for each in part]) if class_ in (list, tuple) else part
