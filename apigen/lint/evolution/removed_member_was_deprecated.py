"""What goes was said to go."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.stability import Stability, releases_later
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.removals import removals
from apigen.lint.rule import finding


class RemovedMemberWasDeprecated(EvolutionRule):
    """A field or value of a beta version that was on by default is deprecated before it goes. (Deprecation policy, rule 4a)"""

    code = "AG1321"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for removal in removals(evolution):
            if removal.stability is Stability.BETA and removal.deprecated is None:
                edit = ""
                if evolution.release is not None:
                    edit = f': `deprecated: "{evolution.release}", removed: "{releases_later(evolution.release)}"`'
                yield finding(
                    removal.place,
                    f"{removal.what} `{removal.name}` of {removal.version} goes, and no release said that it is deprecated",
                    f"{removal.way_back}, and deprecate it first{edit}",
                    removal.related,
                )
