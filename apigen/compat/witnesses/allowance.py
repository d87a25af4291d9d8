"""How much work a search may do, in values and fields: a slow machine finds what a quick one does."""

from __future__ import annotations

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
