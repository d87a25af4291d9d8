"""Values that a spec holds: each as it was written, with its place."""

from __future__ import annotations

from typing import Generic, TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics import Place
from apigen.spec.paths import Literal

T = TypeVar("T")


Value = None | bool | int | float | str | tuple["Value", ...] | tuple[tuple[str, "Value"], ...]


@dataclass(frozen=True, slots=True)
class Located(Generic[T]):
    """A value and where it stands."""

    value: T
    place: Place


@dataclass(frozen=True, slots=True)
class Object:
    """A YAML mapping used as a literal value (a structured default), in written order."""

    members: tuple[tuple[Located[str], LiteralNode], ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Items:
    """A YAML sequence used as a literal value."""

    items: tuple[LiteralNode, ...]
    place: Place


LiteralNode = Located[Literal] | Object | Items


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from `first` to `last`, which is one of them."""

    first: int
    last: int

    def __contains__(self, number: int) -> bool:
        return self.first <= number <= self.last

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"
