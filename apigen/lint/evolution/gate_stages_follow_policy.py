"""A stage has the default and the lock that its name promises."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic
from apigen.ir.model import Feature, FeatureStage
from apigen.language.model import Stage
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import open_stages, own_gates, writes
from apigen.lint.rule import finding


class GateStagesFollowPolicy(EvolutionRule):
    """Alpha is off by default, GA is on, and only GA and deprecated can be locked. (feature-gates.md). Of the 236 gates of
    Kubernetes 1.36 none does otherwise.
    """

    code = "AG1310"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        for feature in own_gates(evolution):
            for earlier, stage in open_stages(feature, evolution):
                yield from _of_stage(feature, earlier, stage)


def _of_stage(feature: Feature, earlier: FeatureStage | None, stage: FeatureStage) -> Iterator[Diagnostic]:
    name, release = feature.name, stage.release
    if stage.stage is Stage.ALPHA and stage.default:
        message = f"`{name}` is alpha in {release} and on by default: alpha is for those who ask for it"
        hint = f'leave the default away: `{{release: "{release}", stage: alpha}}`'
        yield finding(stage.place, message, hint)
    elif stage.stage in (Stage.ALPHA, Stage.BETA) and stage.locked:
        message = f"`{name}` is {stage.stage.value} in {release} and locked: until it is GA, people have to be able to switch it"
        yield finding(stage.place, message, "leave `locked` away, and lock it with GA: " + _as_ga(stage))
    elif stage.stage is Stage.GA and not stage.default and not _tells_what_was(feature, earlier):
        message = f"`{name}` is GA in {release} and off by default: GA is for everybody"
        yield finding(stage.place, message, f"switch it on: {_as_ga(stage)}")


def _tells_what_was(feature: Feature, earlier: FeatureStage | None) -> bool:
    """Whether a stage only tells how things were before a gate for their end came: it is the first, and deprecation follows."""
    return earlier is None and len(feature.stages) > 1 and feature.stages[1].stage is Stage.DEPRECATED


def _as_ga(stage: FeatureStage) -> str:
    return f"`{writes(FeatureStage(stage.release, Stage.GA, True, True))}`"
