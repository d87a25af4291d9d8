"""Which fields and values the release in the making has: those whose gates it enables by default."""

from __future__ import annotations

from apigen.codegen.backend_input import Compilation
from apigen.codegen.features import emulated_releases, runtime_gate
from apigen.language.model import GateJoin, GateSpec
from apigen.runtime.features import Features


def features_of(compilation: Compilation) -> Features:
    """The gates as the release in the making has them, with their defaults."""
    releases = {name: str(release) for name, release in emulated_releases(compilation).items()}
    own = releases.pop("")
    return Features(map(runtime_gate, compilation.api.features), own, series=releases)


def is_off(gate: GateSpec | None, features: Features) -> bool:
    """Whether what a gate marks is disabled; never for what has no gate."""
    if gate is None or not gate.gates:
        return False
    enabled = [features.enabled(name.value) for name in gate.gates]
    return not (any(enabled) if gate.join is GateJoin.ANY else all(enabled))


def names_of(gate: GateSpec) -> str:
    """The gates of a mark, in words."""
    word = " or " if gate.join is GateJoin.ANY else " and "
    return word.join(name.value for name in gate.gates)
