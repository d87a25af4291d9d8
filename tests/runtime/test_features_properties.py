"""Random gates, compared with a simple model of how Kubernetes resolves them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.runtime.features import FeatureError, FeatureGate, Features, FeatureStage, StageName

NAMES = ("A", "B", "C", "D")
STAGES: tuple[StageName, ...] = ("alpha", "beta", "ga", "deprecated")
MINORS = st.integers(1, 12)


@dataclass
class Model:
    """A minimal implementation of the rules of component-base, as in docs/reference/feature-gates.md."""

    gates: tuple[FeatureGate, ...]
    minor: int
    least: int

    def stage(self, name: str) -> FeatureStage | None:
        gate = next(gate for gate in self.gates if gate.name == name)
        needed = 0
        needs = []
        for stage in gate.stages:
            if stage.min_compatibility:
                needed = int(stage.min_compatibility[2:])
            needs.append((stage, needed))
        for stage, needed in reversed(needs):
            if int(stage.release[2:]) <= self.minor and needed <= self.least:
                return stage
        return None

    def values(self, chosen: dict[str, bool]) -> dict[str, bool]:
        found = {}
        for gate in self.gates:
            stage = self.stage(gate.name)
            found[gate.name] = stage is not None and stage.default
            if gate.name in chosen:
                found[gate.name] = chosen[gate.name]
            elif stage and not stage.locked and stage.stage == "alpha":
                found[gate.name] = chosen.get("AllAlpha", found[gate.name])
            elif stage and not stage.locked and stage.stage == "beta":
                found[gate.name] = chosen.get("AllBeta", found[gate.name])
        return found

    def rejects(self, chosen: dict[str, bool]) -> bool:
        for name, value in chosen.items():
            if name not in ("AllAlpha", "AllBeta"):
                stage = self.stage(name)
                if stage is None or (stage.locked and stage.default != value):
                    return True
        values = self.values(chosen)
        return any(values[g.name] and not all(values[other] for other in g.depends_on) for g in self.gates)


@st.composite
def stage_lists(draw: st.DrawFn) -> tuple[FeatureStage, ...]:
    """Stages in order; some releases have two, of which the second asks for a minimum compatibility version."""
    stages: list[FeatureStage] = []
    at, is_locked, is_enabled, needed = 0, False, False, 0
    for minor in sorted(draw(st.sets(MINORS, max_size=4))):
        at = draw(st.integers(at, len(STAGES) - 1))
        is_enabled = is_enabled if is_locked else draw(st.booleans())
        is_locked = is_locked or draw(st.integers(0, 3)) == 0
        stages.append(FeatureStage(f"1.{minor}", STAGES[at], is_enabled, is_locked))
        if not is_locked and draw(st.booleans()):
            needed = draw(st.integers(needed, minor))
            is_enabled = not is_enabled
            stages.append(FeatureStage(f"1.{minor}", STAGES[at], is_enabled, False, f"1.{needed}"))
    return tuple(stages)


@st.composite
def gate_sets(draw: st.DrawFn) -> tuple[FeatureGate, ...]:
    """Gates that depend on those after them."""
    return tuple(
        FeatureGate(name, draw(stage_lists()), tuple(sorted(draw(st.sets(st.sampled_from(NAMES[number + 1 :]), max_size=2))))
                    if NAMES[number + 1 :] else ())
        for number, name in enumerate(NAMES)
    )  # fmt: skip


CHOICES = st.dictionaries(st.sampled_from([*NAMES, "AllAlpha", "AllBeta"]), st.booleans(), max_size=5)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(gate_sets(), st.integers(0, 13), st.integers(0, 13), st.lists(CHOICES, max_size=3), st.integers(0, 13))
def test_values_and_errors_match_the_model(
    gates: tuple[FeatureGate, ...], minor: int, least: int, changes: list[dict[str, bool]], then: int
) -> None:
    least = min(least, minor)
    features = Features(gates, f"1.{minor}", min_compatibility=f"1.{least}")
    model = Model(gates, minor, least)
    chosen: dict[str, bool] = {}
    for change in changes:
        together = {**chosen, **change}
        if any(model.values(together)[n] != v for n, v in together.items() if n in NAMES):
            raise AssertionError("the model minds what was chosen")
        is_rejected = bool(together) and model.rejects(together)
        try:
            features.set_map(change)
        except FeatureError:
            assert is_rejected
        else:
            assert not is_rejected
            chosen = together
        assert dict(features) == model.values(chosen)
    for name in NAMES:
        stage = model.stage(name)
        assert features.stage(name) == (stage and stage.stage)
        assert features.settable(name) == (stage is not None and not stage.locked)
    other = Model(gates, then, max(then - 1, 0))
    try:
        features.emulate(f"1.{then}")
    except FeatureError:
        assert other.rejects(chosen)
        assert dict(features) == model.values(chosen)
    else:
        assert not (chosen and other.rejects(chosen))
        assert dict(features) == other.values(chosen)


@settings(deadline=None)
@given(gate_sets(), st.integers(0, 13), st.text(alphabet="ABCD=,truefals01 \n", max_size=40))
def test_text_is_applied_or_rejected_atomically(gates: tuple[FeatureGate, ...], minor: int, text: str) -> None:
    features = Features(gates, f"1.{minor}")
    before = dict(features)
    try:
        features.set_text(text)
    except FeatureError:
        assert dict(features) == before
        return
    said = dict(part.split("=") for part in text.replace(" ", "").replace("\n", "").split(",") if part)
    assert {name: features.enabled(name) for name in said} == {
        name: value in ("1", "t", "true") for name, value in said.items()
    }
