"""What a stage of the past was cannot be changed afterwards."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.model import Feature, FeatureStage, Release
from apigen.language.model import Stage
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import gates_by_name, own_gates, state, writes
from apigen.lint.rule import finding

_Key = tuple[Release, Release | None]


class ReleasedStagesStay(EvolutionRule):
    """A server that emulates a release does what that release did, so its stages are as they were shipped."""

    code = "AG1314"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        newest = evolution.history.newest
        if newest is None:
            return
        recorded = gates_by_name(evolution.before)
        for feature in own_gates(evolution):
            known = recorded.get(feature.name)
            if known is not None:
                yield from _changed(feature, known, newest, evolution.in_the_making)
            else:
                yield from _invented(feature, newest, evolution.in_the_making)


def _changed(feature: Feature, known: Feature, newest: Release, making: Release) -> Iterator[Diagnostic]:
    before, now = _past(known, newest), _past(feature, newest)
    for key, stage in before.items():
        mine = now.get(key)
        as_it_was = f"`{writes(stage)}`"
        related = (Related(stage.place, f"released as {state(stage)}"),)
        if mine is None:
            message = f"the stage of `{feature.name}` that {stage.release} was released with is gone: {state(stage)}"
            yield finding(feature.place, message, f"put it back: {as_it_was}", related)
        elif (mine.stage, mine.default, mine.locked) != (stage.stage, stage.default, stage.locked):
            message = f"{stage.release} was released with `{feature.name}` {state(stage)}, not {state(mine)}"
            hint = f'leave that as it was, {as_it_was}, and let what is new begin in a stage of its own: `release: "{making}"`'
            yield finding(mine.place, message, hint, related)
    for key, stage in now.items():
        if key not in before:
            message = f"{stage.release} was released without this stage of `{feature.name}`: {state(stage)}"
            hint = (
                f"let it begin in {making}: `{writes(FeatureStage(making, stage.stage, stage.default, stage.locked))}`"
            )
            yield finding(stage.place, message, hint, (Related(known.place, f"as {newest} was released"),))


def _invented(feature: Feature, newest: Release, making: Release) -> Iterator[Diagnostic]:
    for number, stage in enumerate(feature.stages):
        tells_what_was = number == 0 and stage.stage is Stage.GA
        if stage.release <= newest and not tells_what_was:
            message = f"`{feature.name}` is new, and {stage.release} was released without it"
            hint = (
                f"let it begin in {making}: `{writes(FeatureStage(making, stage.stage, stage.default, stage.locked))}`"
            )
            yield finding(stage.place, message, hint)
            return


def _past(feature: Feature, newest: Release) -> dict[_Key, FeatureStage]:
    """The stages up to a release."""
    return {(s.release, s.min_compatibility): s for s in feature.stages if s.release <= newest}
