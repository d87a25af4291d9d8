"""The options of an import, besides the sources."""

from __future__ import annotations

from collections.abc import Callable

from apigen.dataclass import dataclass, field
from apigen.inputs.go.specs.findings import What

LeavesOut = Callable[[What, str, str], bool]
Instead = Callable[[str, str], str]


def _nothing(what: What, element: str, name: str) -> bool:
    return False


def _same(element: str, name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class Asked:
    """`docs`: take over doc comments. `gates`: all that there are. `release` decides which validation is in force.

    `leaves_out`, `explains` (why something that cannot be imported is omitted) and `instead_of_gate` are what the list of things that are not imported says.
    """

    docs: bool = False
    gates: frozenset[str] = frozenset()
    release: tuple[int, int] | None = None
    leaves_out: LeavesOut = field(default=_nothing)
    explains: LeavesOut = field(default=_nothing)
    instead_of_gate: Instead = field(default=_same)
