"""Beta is not for ever."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Severity
from apigen.ir.model import Struct
from apigen.ir.stability import WINDOW, Stability, releases_later, stability
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.version_steps import kinds_now
from apigen.lint.rule import finding


class BetaIsDeprecatedInTime(EvolutionRule):
    """Beta is deprecated nine months or three releases after it came, at the latest. (Deprecation policy, rule 4a)

    What is past, or was released with another plan, is left alone: facts are not changed after the fact.
    """

    code = "AG1341"
    severity = Severity.WARNING
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for version, struct in kinds_now(evolution):
            life = struct.lifecycle
            was = evolution.before.types.get(struct.id) if evolution.before is not None else None
            is_decided = isinstance(was, Struct) and was.lifecycle == life
            if evolution.release is None or is_decided or stability(version.name) is not Stability.BETA:
                continue
            if life.introduced is None or life.deprecated is None or life.deprecated < evolution.release:
                continue
            latest = releases_later(life.introduced)
            if life.deprecated > latest and life.deprecated.major == latest.major:
                yield finding(
                    struct.place,
                    f"`{struct.id.name}` of {version.name} came in {life.introduced}, and is deprecated only in"
                    f" {life.deprecated}: in beta nothing stays longer than {WINDOW} releases without a next step",
                    f'say `deprecated: "{latest}", removed: "{releases_later(latest)}"`',
                )
