"""The options of an import."""

from __future__ import annotations

from apigen.dataclass import dataclass, field
from apigen.inputs.not_imported import NotImported


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """`docs`: import doc comments. `gates`: all known feature gates. `release` determines which validation is enforced.
    `listed` has the elements that are omitted, with reasons.
    """

    docs: bool = False
    gates: frozenset[str] = frozenset()
    release: tuple[int, int] | None = None
    listed: NotImported = field(default_factory=NotImported)
