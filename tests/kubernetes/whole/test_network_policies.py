"""Lists of extensions' NetworkPolicy: absent and empty look the same on the wire, so only objects can tell.

Convert_v1beta1_NetworkPolicySpec_To_networking_NetworkPolicySpec and its like, in `pkg/apis/extensions/v1beta1`.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kubernetes.whole.building import load
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.releases import REFERENCE

OLD = "extensions/v1beta1"
NEW = "networking.k8s.io/v1"
RULES = {"podSelector": {}, "ingress": [{}], "egress": [{}, {"to": [{"ipBlock": {"cidr": "c"}}]}]}


@pytest.fixture(scope="module")
def scheme(built: Built) -> Any:
    return load(built(REFERENCE)[0]).scheme


def policy(scheme: Any, version: str, spec: dict[str, Any]) -> Any:
    document = {"apiVersion": version, "kind": "NetworkPolicy", "metadata": {}, "spec": spec}
    return scheme.decode(json.dumps(document), "application/json", default=False, unknown="error")


@pytest.mark.parametrize(("source", "target"), [(OLD, "hub"), (OLD, NEW), (NEW, OLD)])
def test_unset_lists_become_empty_lists(scheme: Any, source: str, target: str) -> None:
    spec = scheme.convert(policy(scheme, source, {"podSelector": {}}), target).spec
    assert (spec.ingress, spec.egress) == ([], [])
    assert spec.policy_types is None
    spec = scheme.convert(policy(scheme, source, RULES), target).spec
    assert spec.ingress[0].ports == []
    assert spec.ingress[0].from_ is None
    assert (spec.egress[0].ports, spec.egress[0].to) == ([], [])
    assert spec.egress[1].to[0].ip_block.except_ == []


def test_new_group_preserves_unset_lists(scheme: Any) -> None:
    spec = scheme.convert(policy(scheme, NEW, RULES), "hub").spec
    assert spec.ingress[0].ports is None
    assert (spec.egress[0].ports, spec.egress[0].to) == (None, None)
    assert spec.egress[1].to[0].ip_block.except_ is None
    assert scheme.convert(policy(scheme, NEW, {"podSelector": {}}), NEW).spec.ingress is None
