"""The gates of Kubernetes are what its API server says, at every release."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from apigen.runtime.features import FeatureError, Features
from tests.kubernetes import gates


@pytest.mark.slow
def test_every_gate_agrees_at_every_release() -> None:
    outcomes = gates.compare()
    assert [f"{o.name}: {o.problem}" for o in outcomes if o.problem] == []
    counted = Counter(o.what for o in outcomes)
    before, after = "off and not there before the first stage", "default, stage and lock at each release"
    assert counted.pop(before) + counted[after] == 237 * 38
    assert counted == {
        "there": 237,
        after: 2301,
        "default, and settable or not, at 1.36": 237,
        "dependencies": 237,
    }


@pytest.mark.slow
def test_doing_nothing_disagrees_with_the_records() -> None:
    reached = Counter(o.what for o in gates.compare() if o.by_nothing)
    assert reached["default, stage and lock at each release"] < 2301 / 2
    assert reached["default, and settable or not, at 1.36"] < 237 / 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [{"default": True}, {"stage": "BETA"}, {"locked": True}, {"version": "1.12"}],
    ids=lambda change: next(iter(change)),
)
def test_difference_is_detected(monkeypatch: pytest.MonkeyPatch, change: dict[str, Any]) -> None:
    changed = {name: dict(gate) for name, gate in gates.records().items()}
    first, *others = changed["APIServerTracing"]["specs"]
    changed["APIServerTracing"]["specs"] = [{**first, **change}, *others]
    monkeypatch.setattr(gates, "records", lambda: changed)
    assert {o.name.partition(" ")[0] for o in gates.compare() if o.problem} == {"APIServerTracing"}
    assert gates.main() == 1


@pytest.mark.slow
def test_table_prints_totals(capsys: pytest.CaptureFixture[str]) -> None:
    assert gates.main() == 0
    printed = capsys.readouterr().out
    assert "237 of 237 agree" in printed
    assert "doing nothing reaches 66" in printed


def test_gates_have_the_dependencies_of_kubernetes() -> None:
    """As seen on real clusters: CompositePodGroup and ClusterTrustBundleProjection alone stop a server."""
    from apigen.codegen.features import runtime_gate

    features = Features(map(runtime_gate, gates.ours()), "1.36")
    dependents = [feature for feature in gates.ours() if feature.depends_on and features.settable(feature.name)]
    rejected = 0
    for feature in dependents:
        off = [name for name in feature.depends_on if not features.enabled(name)]
        fresh = features.copy()
        if off:
            rejected += 1
            with pytest.raises(FeatureError, match=f"{feature.name} is enabled, but depends on .*{off[0]}"):
                fresh.set(feature.name, True)
            assert fresh.enabled(feature.name) is features.enabled(feature.name)
        else:
            fresh.set(feature.name, True)
    assert rejected > 5
