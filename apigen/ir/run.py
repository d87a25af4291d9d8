"""State of all steps of resolving: the report, and the broken elements, whose errors must not cause further ones."""

from __future__ import annotations

from collections.abc import Iterable

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.suggest import nearest
from apigen.ir.model import TypeId
from apigen.language.model import Broken, FeatureSpec
from apigen.language.releases import Release

MOST_COMPARISONS = 100_000
"""Words that are compared with misspelt ones in a run; to look at more would make a large hostile spec slow."""


@dataclass(slots=True)
class Run:
    """One run: its report, the elements that the loader could not read, and those omitted from the IR later.

    `release` is the next release, if it is known. `left_gates` are those that the last release has, and the specs no longer
    declare.
    """

    report: Report
    broken: Broken = Broken()
    release: Release | None = None
    left_gates: tuple[FeatureSpec, ...] = ()
    _left_out: dict[TypeId, set[str]] = field(default_factory=dict)
    _comparisons: int = 0

    def error(
        self, code: str, place: Place, message: str, *, hint: str | None = None, related: Iterable[Related] = ()
    ) -> None:
        """Report an error."""
        self.report.error(code, place, message, hint=hint, related=related)

    def leave_out(self, owner: TypeId, name: str) -> None:
        """Record a field that is not in the IR because of an error: its name exists, and no further errors are
        reported.
        """
        self._left_out.setdefault(owner, set()).add(name)

    def left_out(self, owner: TypeId) -> frozenset[str]:
        """The fields of a type that were omitted."""
        return frozenset(self._left_out.get(owner, ()))

    def is_broken(self, owner: TypeId) -> bool:
        """Return whether the type was not read as a whole, so that its fields are not known."""
        return self.broken.type(owner.group, owner.version, owner.name)

    def is_broken_member(self, owner: TypeId, name: str) -> bool:
        """Return whether the type may have a field, value or tombstone of that name that is not in the IR."""
        if name in self._left_out.get(owner, ()):
            return True
        return self.broken.member(owner.group, owner.version, owner.name, name)

    def nearest(self, word: str, candidates: Iterable[str]) -> str | None:
        """The candidate that was probably meant."""
        words = tuple(candidates)
        self._comparisons += len(words)
        return nearest(word, words) if self._comparisons <= MOST_COMPARISONS else None

    def did_you_mean(self, word: str, candidates: Iterable[str]) -> str | None:
        """`nearest` as a hint."""
        found = self.nearest(word, candidates)
        return None if found is None else f"did you mean `{found}`?"
