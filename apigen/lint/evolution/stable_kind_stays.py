"""A stable kind has no end."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place
from apigen.ir.stability import Stability, stability
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.version_steps import kinds_now
from apigen.lint.rule import finding


class StableKindStays(EvolutionRule):
    """GA may be deprecated, and is never removed within a major version. (Deprecation policy, rule 4a)"""

    code = "AG1340"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        told: set[Place] = set()
        for version, struct in kinds_now(evolution):
            life = struct.lifecycle
            if stability(version.name) is not Stability.STABLE or life.removed is None:
                continue
            since = life.introduced or life.deprecated or evolution.release or life.removed
            is_of_version = version.lifecycle.removed == life.removed
            place = version.place if is_of_version else struct.place
            if life.removed.major == since.major and place not in told:
                told.add(place)
                what = f"version {version.name}" if is_of_version else f"`{struct.id.name}` of {version.name}"
                yield finding(
                    place,
                    f"{what} is stable, and is to be removed in {life.removed}: it lives as long as {since.major}.x",
                    "take `removed:` away; `deprecated:` and `replacement:` may stay",
                )
