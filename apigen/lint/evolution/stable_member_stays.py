"""A field or value of a stable version lives as long as the version."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.stability import Stability
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.removals import removals
from apigen.lint.rule import finding


class StableMemberStays(EvolutionRule):
    """An element goes only with a new version of its group. (Deprecation policy, rule 1)

    What was always off, and could only be had by asking for it, may go at once.
    """

    code = "AG1320"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for removal in removals(evolution):
            if removal.stability is Stability.STABLE:
                yield finding(
                    removal.place,
                    f"{removal.what} `{removal.name}` of {removal.version} is gone: it was on by default, and lives as long"
                    " as this version",
                    f"{removal.way_back}; say `deprecated:`, and leave it out of the next version",
                    removal.related,
                )
