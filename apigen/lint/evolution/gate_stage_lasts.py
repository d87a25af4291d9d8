"""Each stage of a gate lasts as many releases as its users need."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related, Severity
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.ir.stability import releases_later
from apigen.language.model import Stage
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import open_stages, own_gates, word, writes
from apigen.lint.rule import finding

BETA_LASTS = 2
"""Releases from beta to GA: 6 months or 2 releases. (deprecation policy, rules on feature gates)"""

NOTICE = {Stage.BETA: 1, Stage.GA: 3}
"""Releases in which what was on can still be had after it is deprecated: of beta 3 months or 1 release, of GA a year.
(deprecation policy, rules on feature gates and on behavior)
"""


class GateStageLasts(EvolutionRule):
    """How long beta and deprecated last: of the stages that are being made, where a history tells them from the others."""

    code = "AG1312"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.before is not None:
            yield from _short_stages(evolution)


class GateStageLasted(EvolutionRule):
    """The same without history, where nobody knows what was released: 12 of the 72 gates of Kubernetes 1.36 that went from
    beta to GA did so after one release, so this is a warning; of the deprecated ones none is faster.
    """

    code = "AG1312"
    severity = Severity.WARNING
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.before is None:
            yield from _short_stages(evolution)


def _short_stages(evolution: Evolution) -> Iterator[Diagnostic]:
    for feature in own_gates(evolution):
        for _, stage in open_stages(feature, evolution):
            yield from _short_beta(feature, stage)
            yield from _short_notice(feature, stage)


def _short_beta(feature: Feature, stage: FeatureStage) -> Iterator[Diagnostic]:
    beta = _first(feature, Stage.BETA)
    if stage.stage is not Stage.GA or beta is None or stage is not _first(feature, Stage.GA):
        return
    due = releases_later(beta.release, BETA_LASTS)
    if stage.release < due:
        yield _too_early(
            feature,
            stage,
            beta,
            due,
            f"`{feature.name}` is GA in {stage.release}, beta only since {beta.release}: beta lasts 6 months or 2 releases",
        )


def _short_notice(feature: Feature, stage: FeatureStage) -> Iterator[Diagnostic]:
    before = [s for s in feature.stages if s.stage is not Stage.DEPRECATED and s.release <= stage.release]
    last = before[-1] if before else None
    deprecated = _first(feature, Stage.DEPRECATED)
    if last is None or deprecated is None or not stage.locked or stage.stage is not Stage.DEPRECATED:
        return
    already_locked = any(s.locked for s in feature.stages if s.release < stage.release)
    if already_locked or not last.default or stage.default or last.stage not in NOTICE:
        return
    due = releases_later(deprecated.release, NOTICE[last.stage])
    if stage.release < due:
        words = "3 months or 1 release" if last.stage is Stage.BETA else "a year, or 3 releases,"
        message = (
            f"`{feature.name}` was {word(last.stage)} and on, is deprecated since {deprecated.release}, and cannot be had "
            f"from {stage.release} on: what people rely on goes on for {words} after it is deprecated"
        )
        yield _too_early(feature, stage, deprecated, due, message)


def _first(feature: Feature, stage: Stage) -> FeatureStage | None:
    return next((each for each in feature.stages if each.stage is stage), None)


def _too_early(feature: Feature, stage: FeatureStage, since: FeatureStage, due: Release, message: str) -> Diagnostic:
    moved = FeatureStage(due, stage.stage, stage.default, stage.locked, stage.min_compatibility)
    hint = f"let that be {due} or later: `{writes(moved)}`"
    return finding(stage.place, message, hint, (Related(since.place, f"{word(since.stage)} since {since.release}"),))
