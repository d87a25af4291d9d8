"""What the rules on feature gates share: which gates are judged, what was recorded of them, how they are written."""

from __future__ import annotations

from collections.abc import Iterator

from apigen.dataclass import dataclass
from apigen.ir.features import stage_at
from apigen.ir.model import Api, Feature, FeatureStage, Field, Release, Struct
from apigen.language.model import Stage
from apigen.lint.evolution.enum_steps import struct_steps
from apigen.lint.evolution.evolution import Evolution


@dataclass(frozen=True, slots=True)
class FieldStep:
    """A field of a type that the last release had too; `before` is None where that release did not have the field."""

    struct: Struct
    before: Field | None
    now: Field

    @property
    def name(self) -> str:
        """The field with its type, as messages say it."""
        return f"{self.struct.id.name}.{self.now.json_name}"


def field_steps(evolution: Evolution) -> Iterator[FieldStep]:
    """The fields, as they are now, of the types that the last release had too, in versions that promise anything."""
    for before, now in struct_steps(evolution):
        for field in now.own_fields:
            yield FieldStep(now, before.field(field.json_name), field)


def own_gates(evolution: Evolution) -> Iterator[Feature]:
    """The gates that this project is to be judged for."""
    return (f for f in evolution.now.features if evolution.judges_gate(f.name))


def gates_by_name(api: Api | None) -> dict[str, Feature]:
    """All gates of an API; none without one."""
    return {} if api is None else {feature.name: feature for feature in api.features}


def open_stages(feature: Feature, evolution: Evolution) -> Iterator[tuple[FeatureStage | None, FeatureStage]]:
    """The stages that can still be changed, each with the one before it: a recorded one of the past is history."""
    newest = evolution.history.newest
    is_recorded = feature.name in gates_by_name(evolution.before)
    earlier: FeatureStage | None = None
    for stage in feature.stages:
        if not is_recorded or newest is None or stage.release > newest:
            yield earlier, stage
        earlier = stage


def locked_since(feature: Feature) -> Release | None:
    """The release that locks a gate; None for one that nothing locks."""
    return next((stage.release for stage in feature.stages if stage.locked), None)


def is_locked_on(feature: Feature, release: Release) -> bool:
    """Whether a gate is GA at a release, and nobody can switch it off."""
    stage = stage_at(feature, release)
    return stage is not None and stage.stage is Stage.GA and stage.default and stage.locked


def marks(field: Field | None) -> frozenset[str]:
    """The gates on which a field depends; none where its mark drops nothing."""
    if field is None or field.gate is None or field.gate.during == ():
        return frozenset()
    return frozenset(gate.value for gate in field.gate.gates)


def writes(stage: FeatureStage) -> str:
    """A stage as features.yaml has it."""
    words = [f'release: "{stage.release}"', f"stage: {stage.stage.value}"]
    words += ["default: true"] if stage.default else []
    words += ["locked: true"] if stage.locked else []
    words += [f'minCompatibility: "{stage.min_compatibility}"'] if stage.min_compatibility else []
    return f"{{{', '.join(words)}}}"


def writes_gate(feature: Feature) -> str:
    """A gate as features.yaml has it, in a line."""
    needs = f", dependsOn: [{', '.join(feature.depends_on)}]" if feature.depends_on else ""
    return f"{feature.name}: {{stages: [{', '.join(map(writes, feature.stages))}]{needs}}}"


def state(stage: FeatureStage) -> str:
    """A stage in words."""
    return f"{word(stage.stage)}, {'on' if stage.default else 'off'}{' and locked' if stage.locked else ''}"


def word(stage: Stage) -> str:
    """A stage as it is said."""
    return "GA" if stage is Stage.GA else stage.value
