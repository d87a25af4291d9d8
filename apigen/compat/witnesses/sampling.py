"""Values that places of one side accept, each made up once, and how much work a search may do for them."""

from __future__ import annotations

from apigen.compat.inclusion.samples import samples
from apigen.compat.surface.elements import TypeName
from apigen.compat.surface.surface import Surface
from apigen.compat.surface.types import Slot
from apigen.compat.verdict.example import JsonValue
from apigen.dataclass import dataclass

VALUES = 500_000
"""Values that are made up for objects."""

FIELDS = 16_000
"""Fields of types that are compiled, on both sides together. All of Kubernetes' API has 4,350."""

TOO_MUCH = "not tried: to compile the types around it, or to make objects of them, is more work than a search may do"


@dataclass
class Allowance:
    """What is left of it."""

    values: int = VALUES
    fields: int = FIELDS

    @property
    def is_spent(self) -> bool:
        """Whether no more objects are made."""
        return self.values <= 0

    def takes_fields(self, count: int) -> bool:
        """Take so many fields, if that many are left."""
        if count > self.fields:
            return False
        self.fields -= count
        return True


@dataclass(frozen=True, slots=True)
class Filled:
    """The members of a struct that was filled in, and how many structs and values that took."""

    members: dict[str, JsonValue]
    structs: int
    values: int


class Sampling:
    """Makes up values for the places of a surface, and keeps them; `allowance` is how many values may be made at all."""

    def __init__(self, surface: Surface, allowance: Allowance | None = None) -> None:
        self.surface = surface
        self.allowance = allowance or Allowance()
        self.filled: dict[tuple[int, TypeName, int], Filled] = {}
        self._made: dict[tuple[int, int], tuple[Slot, list[JsonValue]]] = {}

    def values(self, slot: Slot, number: int) -> list[JsonValue]:
        """So many different values that a place accepts; none where they cannot be made up."""
        key = id(slot), number
        if key not in self._made:  # the slot is kept with its values, so that no other one gets its id
            self._made[key] = slot, samples(slot, self.surface, number) or []
        return self._made[key][1]
