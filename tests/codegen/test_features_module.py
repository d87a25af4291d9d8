"""The generated table of gates, and that it behaves as the gates of Kubernetes do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.gated_packages import build, specs

GATES = Path(__file__).parents[1] / "data/kubernetes/vectors/strategies/gates.json"
TYPES = """
    Frobber:
      fields:
        metadata: {type: meta/v1.ObjectMeta, required: false, protobuf: 1}
        status: {type: FrobberStatus, required: false, protobuf: 2}
    FrobberStatus: {fields: {a: {type: int32, protobuf: 1}}}
    """


def kubernetes_gates() -> dict[str, Any]:
    gates: dict[str, Any] = json.loads(GATES.read_text(encoding="utf-8"))["gates"]
    return {name: gate for name, gate in gates.items() if name not in ("AllAlpha", "AllBeta")}


def as_specs(gates: dict[str, Any]) -> str:
    lines = []
    for name, gate in gates.items():
        lines += [f"{name}:", "  owner: sig-x", f"  dependsOn: {json.dumps(gate['dependsOn'])}", "  stages:"]
        for spec in gate["specs"]:
            stage = spec["stage"].lower() or "ga"
            default, locked = str(spec["default"]).lower(), str(spec["locked"]).lower()
            lines.append(
                f'    - {{release: "{spec["version"]}", stage: {stage}, default: {default}, locked: {locked}}}'
            )
    return "\n".join(lines) + "\n"


def test_kubernetes_gates_have_upstream_default_and_settability(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gates = kubernetes_gates()
    package = build(specs(TYPES, as_specs(gates)), tmp_path, monkeypatch)
    features = package.features("1.36")
    assert {name: features.enabled(name) for name in gates} == {name: gate["default"] for name, gate in gates.items()}
    assert {name: features.settable(name) for name in gates} == {name: gate["settable"] for name, gate in gates.items()}
    for name, gate in gates.items():
        for spec in gate["specs"]:
            assert package.features(spec["version"]).enabled(name) in {
                other["default"] for other in gate["specs"] if other["version"] == spec["version"]
            }


def test_the_table_is_readable_and_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = build(specs(TYPES), tmp_path, monkeypatch)
    text = package.text("features")
    assert 'FeatureGate("GateC", (FeatureStage("1.12", "alpha"),)),' in text
    assert "FeatureName: TypeAlias = Literal[" in text
    features = package.module("scheme").features()
    assert features.release == package.module("features").RELEASE
