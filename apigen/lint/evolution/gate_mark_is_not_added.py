"""A field that everybody had is not put behind a gate that is off."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.diagnostics import Diagnostic, Related
from apigen.ir.features import stage_at
from apigen.ir.model import Feature, Release, Struct
from apigen.language.model import GateJoin
from apigen.lint.evolution.evolution import Evolution, EvolutionRule
from apigen.lint.evolution.gate_steps import FieldStep, field_steps, gates_by_name, marks
from apigen.lint.rule import finding


class GateMarkIsNotAdded(EvolutionRule):
    """What is dropped where a gate is off, and was not dropped before, is lost to those who set it. A gate for the end of
    a field tells that the field was there: it begins as GA and on. (api_changes.md: calls that succeeded still succeed)
    """

    code = "AG1317"

    def check(self, evolution: Evolution) -> Iterator[Diagnostic]:
        features = gates_by_name(evolution.now)
        for step in field_steps(evolution):
            if step.before is None:
                continue
            new = [features[name] for name in sorted(marks(step.now) - marks(step.before)) if name in features]
            off = [(feature, _off_in(feature, step, evolution)) for feature in new]
            narrowing = [(feature, release) for feature, release in off if release is not None]
            if narrowing and not (_one_is_enough(step) and (marks(step.before) or len(narrowing) < len(new))):
                yield _finding(step, *narrowing[0], evolution)


def _one_is_enough(step: FieldStep) -> bool:
    return step.now.gate is not None and step.now.gate.join is GateJoin.ANY


def _off_in(feature: Feature, step: FieldStep, evolution: Evolution) -> Release | None:
    """The newest release in which the gate is off though the field was, or is, there without it; None if it never is."""
    if not _is_on(feature, release := evolution.in_the_making):
        return release
    for release in reversed(evolution.history.releases):
        type_ = evolution.history.api(release).types.get(step.struct.id)
        field = type_.field(step.now.json_name) if isinstance(type_, Struct) else None
        if field is None or feature.name in marks(field):
            return None
        if not _is_on(feature, release):
            return release
    return None


def _is_on(feature: Feature, release: Release) -> bool:
    stage = stage_at(feature, release)
    return stage is not None and stage.default


def _finding(step: FieldStep, feature: Feature, off: Release, evolution: Evolution) -> Diagnostic:
    assert step.before is not None
    newest = evolution.history.newest
    return finding(
        step.now.place,
        f"`{step.name}` was released without `{feature.name}`, which is off in {off}: what people have set is dropped there",
        "leave the mark away; a field that is to end gets a gate that tells what was before: "
        f'`{feature.name}: {{stages: [{{release: "1.0", stage: ga, default: true}}, …]}}`',
        (
            Related(step.before.place, f"as {newest} was released"),
            Related(feature.place, f"the stages of `{feature.name}`"),
        ),
    )
