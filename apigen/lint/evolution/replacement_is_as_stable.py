"""Nothing is deprecated in favour of something less stable."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place
from apigen.ir.stability import stability
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.version_steps import kinds_now
from apigen.lint.rule import finding


class ReplacementIsAsStable(EvolutionRule):
    """What takes the place of a version is at least as stable. (Deprecation policy, rule 3)"""

    code = "AG1343"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        told: set[tuple[Place, str]] = set()
        for version, struct in kinds_now(evolution):
            replacement = struct.lifecycle.replacement
            if replacement is None or stability(replacement.version) >= stability(version.name):
                continue
            is_of_version = version.lifecycle.replacement is not None
            place = version.place if is_of_version else struct.place
            if (place, replacement.version) not in told:
                told.add((place, replacement.version))
                yield finding(
                    place,
                    f"`{struct.id.name}` of {version.name} is replaced by {replacement.version}, which is"
                    f" {stability(replacement.version)}: nobody is sent from {stability(version.name)} to that",
                    "name a version that is as stable, or deprecate it when there is one",
                )
