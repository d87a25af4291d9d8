"""The strategies of Kubernetes: every record of its own Prepare hooks for the kinds of these specs."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generated import scheme

RECORDS = Path(__file__).parents[1] / "data/kubernetes/vectors/strategies"
GROUPS = ("autoscaling", "core", "flowcontrol.apiserver.k8s.io", "networking.k8s.io")
NAMES = {"Ingress": "Ingress.networking.k8s.io"}
"""Kinds whose name two groups share."""


def records(group: str) -> list[dict[str, Any]]:
    with gzip.open(RECORDS / f"{group}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def prepared(record: dict[str, Any]) -> object:
    """What our strategy makes of the input of a record, as JSON of its version; the old object must not change."""
    subresource = record["op"].removesuffix("update").removesuffix("-") if record["op"] != "create" else ""
    strategy = scheme.strategy(NAMES.get(record["kind"], record["kind"]), subresource)
    features = scheme.features(release="1.36")
    features.set_map(record["gates"])
    obj = hub(record["in"])
    if record["old"] is None:
        strategy.prepare_for_create(obj, features=features)
    else:
        old = hub(record["old"])
        before = scheme.copy(old)
        strategy.prepare_for_update(obj, old, features=features)
        assert old == before
    version = f"{record['group']}/{record['version']}".removeprefix("/")
    return json.loads(scheme.encode(scheme.convert(obj, version), "application/json"))


def hub(document: object) -> Any:
    return scheme.convert(scheme.decode(json.dumps(document), "application/json", default=False), "hub")


@pytest.mark.parametrize("group", GROUPS)
def test_every_record_comes_out_as_kubernetes_has_it(group: str) -> None:
    differ = Counter[str]()
    for record in records(group):
        if prepared(record) != record["out"]:
            differ[f"{record['kind']} {record['version']} {record['op']} {record['case']} {record['gates']}"] += 1
    assert not differ


def test_all_469_records_are_there() -> None:
    assert sum(len(records(group)) for group in GROUPS) == 469
