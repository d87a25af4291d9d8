"""What tombstones of types keep, and whether it is in use."""

from __future__ import annotations

from apigen.compat.changes.change import Altered, AnyChange, Removed
from apigen.compat.surface.elements import Element
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Enum, EnumValue, Field, Struct, Tombstone
from apigen.dataclass import dataclass
from apigen.spec.model import NumberRange


@dataclass(frozen=True, slots=True)
class Freed:
    """What a tombstone kept, and the new side does not keep any more; `user` is what has it there."""

    name: str
    numbers: NumberRange | None
    user: Field | EnumValue | None

    @property
    def words(self) -> str:
        """What is free now."""
        number = "" if self.numbers is None else f"number {self.numbers}"
        return " and ".join(part for part in (self.name, number) if part)


def freed_by(change: AnyChange, new: Surface) -> Freed | None:
    """What a change of a tombstone gives free; None if nothing."""
    match change:
        case Removed(part=Tombstone() as stone):
            pass
        case Altered(old=Tombstone() as stone, new=Tombstone() as now):
            if stone.numbers is None or (now.numbers is not None and _is_within(stone.numbers, now.numbers)):
                return None
            stone = Tombstone("", stone.numbers, stone.place)
        case _:
            return None
    kept = _kept(change.element, new)
    name = "" if any(each.name == stone.name for each in kept) else stone.name
    numbers = None if stone.numbers is None or _is_kept(stone.numbers, kept) else stone.numbers
    if not name and numbers is None:
        return None
    return Freed(name, numbers, _user(change.element, name, numbers, new))


def _kept(element: Element, new: Surface) -> tuple[Tombstone, ...]:
    type_ = new.type(element.type_name)
    if isinstance(type_, Struct | Enum):
        return type_.tombstones
    group = new.groups.get(element.group)
    return group.gone if group is not None and not element.type else ()


def _is_kept(numbers: NumberRange, kept: tuple[Tombstone, ...]) -> bool:
    """Whether every number of a range is kept by what is left."""
    free = numbers.first
    for stone in sorted((each.numbers for each in kept if each.numbers is not None), key=lambda each: each.first):
        if stone.first <= free <= stone.last:
            free = stone.last + 1
    return free > numbers.last


def _is_within(numbers: NumberRange, other: NumberRange) -> bool:
    return other.first <= numbers.first and numbers.last <= other.last


def _user(element: Element, name: str, numbers: NumberRange | None, new: Surface) -> Field | EnumValue | None:
    type_ = new.type(element.type_name)
    members: list[Field | EnumValue] = []
    if isinstance(type_, Struct):
        members = list(type_.fields.values())
    elif isinstance(type_, Enum):
        members = list(type_.values.values())
    for member in members:
        if name and name in (_name(member), _wire_name(member)):
            return member
        if numbers is not None and member.number is not None and member.number in numbers:
            return member
    return None


def _name(member: Field | EnumValue) -> str:
    return member.name if isinstance(member, Field) else member.value


def _wire_name(member: Field | EnumValue) -> str:
    return member.wire_name if isinstance(member, Field) else ""
