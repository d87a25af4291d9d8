"""What strategies leave to the server: with hooks for it, every record of these kinds agrees in full."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kubernetes.checking import JSON, NOW, RELEASE
from tests.kubernetes.emulating import features_at
from tests.kubernetes.records import Preparation, canonical, preparations
from tests.kubernetes.whole.building import load_anew
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.hooks_resources import HOOKS, Request
from tests.kubernetes.whole.releases import REFERENCE
from tests.kubernetes.whole.strategies import groups
from tests.kubernetes.whole.strategy_causes import causes

RECORDS = {
    "CertificateSigningRequest": 118,
    "PersistentVolume": 116,
    "PersistentVolumeClaim": 171,
    "EndpointSlice": 49,
    "ResourceClaim": 634,
    "DeviceTaintRule": 104,
    "Service": 115,
    "Job": 327,
}


@pytest.mark.parametrize("kind", HOOKS)
def test_hooks_match_the_results_of_kubernetes(built: Built, kind: str) -> None:
    package = load_anew(built(REFERENCE)[0])
    module, hooks = HOOKS[kind]
    now = package.module("runtime").Time.parse(NOW)
    records = [record for file in groups() for record in preparations(*file) if record.kind == kind]
    made = {subresource: _strategy(package.scheme, kind, subresource, hooks) for subresource in _subresources(records)}
    for record in records:
        features = features_at(package.scheme, RELEASE)
        features.set_map(record.gates)
        types, meta = package.module(f"{module}.hub.types"), package.module("meta.v1.types")
        same = package.module("runtime.equality").semantic_equal
        request = Request(now, record.version, features, types, meta, same)
        obj = _prepared(package.scheme, made[record.subresource], record, request)
        ours = json.loads(package.scheme.encode(package.scheme.convert(obj, record.version), JSON))
        assert canonical(ours) == canonical(record.after), str(record)
    assert len(records) == RECORDS[kind]


def test_every_resource_with_a_cause_has_hooks() -> None:
    kinds = {record.resource: record.kind for file in groups() for record in preparations(*file)}
    assert {kinds[row.resource] for row in causes()} == {*HOOKS, "Pod"}


def _strategy(scheme: Any, kind: str, subresource: str, hooks: Any) -> Any:
    strategy = scheme.strategy(kind, subresource)
    for operation, hook in hooks.items():
        if operation in ((subresource,) if subresource else ("create", "update")):
            strategy.hook(operation)(hook)
    return strategy


def _subresources(records: list[Preparation]) -> set[str]:
    return {record.subresource for record in records}


def _prepared(scheme: Any, strategy: Any, record: Preparation, request: Request) -> Any:
    obj = _hub(scheme, record.before)
    if record.old is None:
        strategy.prepare_for_create(obj, features=request.features, context=request)
    else:
        strategy.prepare_for_update(obj, _hub(scheme, record.old), features=request.features, context=request)
    return obj


def _hub(scheme: Any, document: Any) -> Any:
    return scheme.convert(scheme.decode(json.dumps(document), JSON, default=False), "hub")
