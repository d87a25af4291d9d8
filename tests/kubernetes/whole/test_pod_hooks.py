"""What the strategies of Pod leave to the server: with hooks for it, every record of a new pod agrees in full."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kubernetes.checking import JSON, NOW, RELEASE
from tests.kubernetes.emulating import features_at
from tests.kubernetes.records import DATA, Preparation, canonical, preparations
from tests.kubernetes.whole.building import load, load_anew
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.hooks_pods import PodHooks, Request
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.strategies import Strategies


@pytest.fixture(scope="module")
def pods() -> list[Preparation]:
    return [record for record in preparations(DATA / "all-vectors", "core") if record.kind == "Pod"]


@pytest.mark.slow
def test_hooks_create_the_same_pods_as_kubernetes(built: Built, pods: list[Preparation]) -> None:
    package = load_anew(built(REFERENCE)[0])
    scheme: Any = package.scheme
    strategy = scheme.strategy("Pod")
    PodHooks(package.module("core.hub.types"), package.module("meta.v1.types")).register(strategy)
    now = package.module("runtime").Time.parse(NOW)
    created = [record for record in pods if record.old is None]
    for record in created:
        features = features_at(scheme, RELEASE)
        features.set_map(record.gates)
        pod = scheme.convert(scheme.decode(json.dumps(record.before), JSON, default=False), "hub")
        strategy.prepare_for_create(pod, features=features, context=Request(features, now))
        ours = json.loads(scheme.encode(scheme.convert(pod, record.version), JSON))
        assert canonical(ours) == canonical(record.after), str(record)
    assert len(created) == 141


def test_resize_differs_only_for_added_or_removed_containers(built: Built, pods: list[Preparation]) -> None:
    """The only difference that a hook cannot fix, because it does not receive the submitted object."""
    resized = [record for record in pods if record.operation == "resize-update"]
    outcomes = Strategies(load(built(REFERENCE)[0])).checked(resized)
    for record, outcome in zip(resized, outcomes, strict=True):
        assert not outcome.problem
        assert outcome.agrees or any(
            _count(record.before, name) != _count(record.old, name) for name in ("containers", "initContainers")
        )
    assert len(resized) == 149


def _count(pod: Any, containers: str) -> int:
    return len(pod["spec"].get(containers) or ())
