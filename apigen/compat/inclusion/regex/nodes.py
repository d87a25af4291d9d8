"""What a regular expression is made of."""

from __future__ import annotations

from enum import StrEnum

from apigen.compat.inclusion.regex.characters import CharacterSet
from apigen.dataclass import dataclass


class Anchor(StrEnum):
    """What holds at a place between characters."""

    BEGIN = "begin"
    END = "end"
    WORD = "word boundary"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One character of a set."""

    characters: CharacterSet


@dataclass(frozen=True, slots=True)
class At:
    """No character; something holds here."""

    anchor: Anchor


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other; none: the empty text."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Any of them."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """So many times; `most` None: without end."""

    part: Node
    least: int
    most: int | None


Node = OneOf | At | Sequence | Choice | Repeat
