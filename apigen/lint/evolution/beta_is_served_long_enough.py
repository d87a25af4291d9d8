"""What is deprecated is served for some releases still."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Place
from apigen.ir.stability import WINDOW, Stability, is_before, releases_later, stability
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.version_steps import kinds_now
from apigen.lint.rule import finding


class BetaIsServedLongEnough(EvolutionRule):
    """Beta is served nine months or three releases after it was deprecated. (Deprecation policy, rule 4a)"""

    code = "AG1342"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        told: set[Place] = set()
        for version, struct in kinds_now(evolution):
            life = struct.lifecycle
            if stability(version.name) is not Stability.BETA or life.removed is None:
                continue
            is_of_version = (
                version.lifecycle.removed == life.removed and version.lifecycle.deprecated == life.deprecated
            )
            place = version.place if is_of_version else struct.place
            what = f"version {version.name}" if is_of_version else f"`{struct.id.name}` of {version.name}"
            if place in told:
                continue
            if life.deprecated is None:
                told.add(place)
                yield finding(
                    place,
                    f"{what} is to be removed in {life.removed}, and is deprecated in no release before",
                    f"say when it is: `deprecated:`, {WINDOW} releases before `removed:` at the latest",
                )
            elif is_before(life.removed, life.deprecated, WINDOW):
                told.add(place)
                yield finding(
                    place,
                    f"{what} is deprecated in {life.deprecated}, and is to be removed in {life.removed}: beta is served for"
                    f" {WINDOW} releases after that",
                    f'say `removed: "{releases_later(life.deprecated)}"`',
                )
