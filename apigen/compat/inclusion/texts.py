"""Sets of texts, and whether one holds the other."""

from __future__ import annotations

from collections.abc import Callable

from apigen.compat.inclusion.regex.dialect import Dialect
from apigen.compat.inclusion.regex.machine import Machine, literal
from apigen.compat.inclusion.regex.nodes import Choice
from apigen.compat.inclusion.regex.parser import parse
from apigen.compat.inclusion.regex.undecidable import Undecidable
from apigen.compat.inclusion.regex.work import kept
from apigen.dataclass import dataclass

_SHORT = 64
"""Characters of a text of which is kept what it has."""


@dataclass(frozen=True, slots=True)
class Texts:
    """Texts that have all patterns and none of `without`, so many characters and bytes, and are among `allowed` (None: any) and
    not `excluded`.

    `formats` are known by name alone; `dialect` reads the patterns.
    """

    patterns: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    least_bytes: int = 0
    most_bytes: int | None = None
    allowed: frozenset[str] | None = None
    excluded: frozenset[str] = frozenset()
    formats: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    dialect: Dialect = Dialect.RE2

    def refuses(self, text: str) -> str:
        """What of it a text does not have, formats aside; empty if it has everything. Raises Undecidable."""
        if self.allowed is not None and text not in self.allowed:
            return "allowed"
        if text in self.excluded:
            return "excluded"
        if len(text) < self.least or (self.most is not None and len(text) > self.most):
            return "length"
        if self.least_bytes or self.most_bytes is not None:
            size = len(text.encode("utf-8", "surrogatepass"))
            if size < self.least_bytes or (self.most_bytes is not None and size > self.most_bytes):
                return "bytes"
        finds = _kept_finds if len(text) <= _SHORT else _finds
        missing = next((pattern for pattern in self.patterns if not finds(pattern, self.dialect, text)), "")
        return missing or next((pattern for pattern in self.without if finds(pattern, self.dialect, text)), "")

    def unwanted(self) -> tuple[Machine, ...]:
        """What machines judge of what a text must not be. Raises Undecidable."""
        excluded = (machine_of(self.excluded),) if self.excluded else ()
        return (*excluded, *(machine(pattern, self.dialect) for pattern in self.without))

    def machines(self) -> tuple[Machine, ...]:
        """What of it machines judge: patterns, and the texts that are allowed. Raises Undecidable."""
        finite = () if self.allowed is None else (machine_of(self.allowed),)
        return (*(machine(pattern, self.dialect) for pattern in self.patterns), *finite)


def machine(pattern: str, dialect: Dialect = Dialect.RE2) -> Machine:
    """The machine of a pattern. Raises Undecidable."""
    found = _machine(pattern, dialect)
    if isinstance(found, str):
        raise Undecidable(found)
    return found


def _finds(pattern: str, dialect: Dialect, text: str) -> bool:
    """Whether a text has a pattern: the same few texts are tried on all fields that have it. Raises Undecidable."""
    return machine(pattern, dialect).finds(text)


_kept_finds: Callable[[str, Dialect, str], bool] = kept(65_536)(_finds)


@kept(256)
def _machine(pattern: str, dialect: Dialect) -> Machine | str:
    """The machine, or why there is none: to find that out takes as long as to build one."""
    try:
        return Machine(parse(pattern, dialect))
    except Undecidable as error:
        return str(error)


@kept(32)
def machine_of(texts: frozenset[str]) -> Machine:
    """A machine for some texts. Raises Undecidable where they are too many."""
    if sum(map(len, texts)) > 4_000:
        raise Undecidable("there are too many values to compare them with a pattern")
    return Machine(Choice(tuple(literal(text) for text in sorted(texts))))
