"""What both sides say of an enum and of one value of it."""

from __future__ import annotations

from apigen.compat.changes.change import Added, AnyChange, Removed
from apigen.compat.context import Context
from apigen.compat.gating import is_on
from apigen.compat.surface.elements import Element, ElementKind
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, EnumValue
from apigen.compat.values.enum_json import in_json
from apigen.compat.verdict.example import JsonValue
from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ValueChange:
    """A value that came or went; `old` and `new` are its enum on both sides, None where that is not known."""

    value: EnumValue
    old: Enum | None
    new: Enum | None

    @property
    def name(self) -> str:
        """The value as messages show it."""
        return shown(self.value.value)

    @property
    def json(self) -> JsonValue:
        """The value as objects have it."""
        return in_json(self.value.value, self.new or self.old)


def shown(value: str) -> str:
    """A value as messages show it."""
    return f"`{value}`" if value else '`""`'


def value_change(change: AnyChange, context: Context) -> ValueChange | None:
    """A value that came or went; None for all else."""
    if change.element.kind is not ElementKind.ENUM_VALUE or not isinstance(change, Added | Removed):
        return None
    if not isinstance(change.part, EnumValue):
        return None
    new = change.holder if isinstance(change.holder, Enum) else enum_at(context.new, change.element)
    return ValueChange(change.part, enum_at(context.old, change.element), new)


def enum_at(surface: Surface, element: Element) -> Enum | None:
    """The enum that an element is, or is a value of."""
    found = surface.type(element.type_name)
    return found if isinstance(found, Enum) else None


def is_open(enum: Enum | None) -> bool:
    """Whether an enum accepts values that nobody knows."""
    return enum is not None and enum.open


def may_grow(enum: Enum | None) -> bool:
    """Whether it said that it may get values: its clients were told what to make of one that they do not know."""
    return enum is not None and not enum.closed and (enum.open or enum.unknown is not None)


def is_accepted(value: EnumValue, surface: Surface, group: str) -> bool:
    """Whether every object may have a value of a group at the release of a side, with gates as they are by default."""
    if value.gate is not None:
        return is_on(value.gate, surface)
    introduced, release = value.lifecycle.introduced, surface.release_in(group)
    if value.tolerated is None:
        return True
    return introduced is not None and (release is None or introduced <= release)
