"""The statements of generated functions whose number and nesting depend on the API: texts of expressions, and blocks
within blocks. `templates/blocks.jinja` shows them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from apigen.codegen.python.walking import Level
from apigen.dataclass import dataclass

Block: TypeAlias = "Assigned | Called | Cleared | Within | Attempted"
Blocks: TypeAlias = "tuple[Block, ...]"


@dataclass(frozen=True, slots=True)
class Assigned:
    """A place or variable gets a value."""

    kind = "assigned"
    place: str
    value: str


@dataclass(frozen=True, slots=True)
class Called:
    """The call of a function or method."""

    kind = "called"
    function: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Cleared:
    """A note of dropped data, after its place gets another value, or is deleted if there is no value.

    The place is empty for data that is removed together with other data.
    """

    kind = "cleared"
    path: str
    reason: str
    place: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Within:
    """Blocks within levels, from the outside in; `otherwise` if there is one level, whose test is false."""

    kind = "within"
    levels: tuple[Level, ...]
    blocks: Blocks
    otherwise: Blocks = ()


@dataclass(frozen=True, slots=True)
class Attempted:
    """Blocks that may fail: with an error of the conversion, or with errors that are ignored."""

    kind = "attempted"
    blocks: Blocks
    errors_ignored: bool


def within(levels: tuple[Level, ...], blocks: Blocks) -> Blocks:
    """Return blocks within levels; without levels, the blocks as they are."""
    return (Within(levels, blocks),) if levels else blocks


def loop_variables(blocks: Blocks) -> Iterator[str]:
    """Yield the variables of all loops in blocks."""
    for block in blocks:
        if isinstance(block, Within):
            yield from (level.variable for level in block.levels)
            yield from loop_variables((*block.blocks, *block.otherwise))
        elif isinstance(block, Attempted):
            yield from loop_variables(block.blocks)
