"""A field stays behind its gate until nobody can switch that off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.features import stage_at
from apigen.ir.model import Feature, Release
from apigen.language.model import GateJoin
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import FieldStep, field_steps, gates_by_name, is_locked_on, marks, state
from apigen.lint.rule import finding


class GateMarkStays(EvolutionRule):
    """With the gate off, all is as if the field did not exist, for as long as a gate can be off. (feature-gates.md)"""

    code = "AG1316"
    can_be_acknowledged = True

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        if evolution.before is None:
            return
        known = {**gates_by_name(evolution.before), **gates_by_name(evolution.now)}
        release = evolution.in_the_making
        for step in field_steps(evolution):
            lost = [known[name] for name in sorted(_lost(step)) if name in known]
            open_ = [feature for feature in lost if not is_locked_on(feature, release)]
            if _one_is_enough(step) and len(open_) < len(lost):
                continue
            for feature in open_:
                if not _is_gone(feature, evolution):
                    yield _finding(step, feature, release, evolution)
                    break


def _lost(step: FieldStep) -> frozenset[str]:
    """The gates that let the field be there, and do so no longer."""
    if _one_is_enough(step) and marks(step.now):
        return frozenset()
    return marks(step.before) - marks(step.now)


def _one_is_enough(step: FieldStep) -> bool:
    gate = step.before.gate if step.before else None
    return gate is not None and gate.join is GateJoin.ANY


def _is_gone(feature: Feature, evolution: Evolution) -> bool:
    """Whether the gate is gone too, and it is for AG1313 to say that it goes too early."""
    last = feature.stages[-1]
    return feature.name not in gates_by_name(evolution.now) and (last.locked or last.default)


def _finding(step: FieldStep, feature: Feature, release: Release, evolution: Evolution) -> Diagnostic:
    stage = stage_at(feature, release)
    now = state(stage) if stage is not None else "not there yet"
    assert step.before is not None
    return finding(
        step.now.place,
        f"`{step.name}` no longer stands behind `{feature.name}`, which is {now} in {release}: where it is off, the field "
        "has to be left out as ever",
        f"put the mark back, until the gate is GA and locked: `featureGate: {feature.name}`",
        (
            Related(step.before.place, f"as {evolution.history.newest} was released"),
            Related(feature.place, f"the stages of `{feature.name}`"),
        ),
    )
