"""The stages of a gate on both sides of a review."""

from __future__ import annotations

from apigen.compat.surface.lifecycle import Gate, GateStage
from apigen.ir.model import Release
from apigen.ir.stability import Stability
from apigen.spec.model import Stage

ORDER = {Stage.ALPHA: 1, Stage.BETA: 2, Stage.GA: 3, Stage.DEPRECATED: 4}
"""The order in which a gate goes through its stages."""

PROMISE = {
    Stage.ALPHA: Stability.ALPHA,
    Stage.BETA: Stability.BETA,
    Stage.GA: Stability.STABLE,
    Stage.DEPRECATED: Stability.STABLE,
}
"""What a stage promises. What was on until it was deprecated was stable."""


def words(stage: GateStage) -> str:
    """A stage as it is said."""
    name = "GA" if stage.stage is Stage.GA else stage.stage.value
    least = f" where all servers are of {stage.min_compatibility} or newer" if stage.min_compatibility else ""
    return f"{name} and {'on' if stage.default else 'off'}{', locked' if stage.locked else ''}{least}"


def as_yaml(stage: GateStage) -> str:
    """A stage as features.yaml has it."""
    said = [f'release: "{stage.release}"', f"stage: {stage.stage.value}"]
    said += ["default: true"] if stage.default else []
    said += ["locked: true"] if stage.locked else []
    said += [f'minCompatibility: "{stage.min_compatibility}"'] if stage.min_compatibility else []
    return f"{{{', '.join(said)}}}"


def history(gate: Gate, until: Release | None) -> tuple[GateStage, ...]:
    """The stages that came to pass until a release; without one, none is known to have."""
    return () if until is None else tuple(stage for stage in gate.stages if stage.release <= until)


def current(gate: Gate, release: Release | None) -> GateStage | None:
    """The stage at a release; without one the last. None before the first, and after the gate went."""
    if release is None:
        return gate.stages[-1] if gate.stages and gate.removed is None else None
    return gate.at(release)
