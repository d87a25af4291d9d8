"""Ranges of protobuf numbers."""

from __future__ import annotations

from apigen.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from `first` to `last`, which is one of them."""

    first: int
    last: int

    def __contains__(self, number: int) -> bool:
        return self.first <= number <= self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
