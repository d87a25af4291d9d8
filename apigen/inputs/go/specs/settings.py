"""The options of an import."""

from __future__ import annotations

from collections.abc import Callable

from apigen.dataclass import dataclass, field
from apigen.inputs.go.specs.findings import OmittedKind

LeavesOut = Callable[[OmittedKind, str, str], bool]
Instead = Callable[[str, str], str]


def _never(kind: OmittedKind, element: str, name: str) -> bool:
    return False


def _same(element: str, name: str) -> str:
    return name


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """`docs`: import doc comments. `gates`: all known feature gates. `release` determines which validation is enforced.

    `leaves_out`, `explains` (the reason why an element is omitted) and `instead_of_gate` come from `not-imported.yaml`.
    """

    docs: bool = False
    gates: frozenset[str] = frozenset()
    release: tuple[int, int] | None = None
    leaves_out: LeavesOut = field(default=_never)
    explains: LeavesOut = field(default=_never)
    instead_of_gate: Instead = field(default=_same)
