"""What is deprecated is there for some releases still."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.removals import removals
from apigen.lint.rule import finding


class RemovedMemberHadItsWindow(EvolutionRule):
    """Beta is there for nine months or three releases after it was deprecated, the longer of both. (Deprecation policy, rule 4a)"""

    code = "AG1322"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for removal in removals(evolution):
            if removal.stability is not Stability.BETA or removal.deprecated is None or removal.at is None:
                continue
            if is_before(removal.at, removal.deprecated, WINDOW):
                yield finding(
                    removal.place,
                    f"{removal.what} `{removal.name}` of {removal.version} goes in {removal.at}, and was deprecated in"
                    f" {removal.deprecated}: {WINDOW} releases lie between the two at least",
                    f'{removal.way_back}; it may go in {releases_later(removal.deprecated)}: `removed: "{releases_later(removal.deprecated)}"`',
                    removal.related,
                )
