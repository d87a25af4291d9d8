"""The estimated cost of CEL rules is that of kube-apiserver, which says how far above its limit a rule is."""

from __future__ import annotations

import re
from math import ceil
from pathlib import Path

import pytest

from apigen.codegen.crd.cel_cost import COST_LIMIT, estimated, parse, sizes_of
from apigen.codegen.json_schema.backend import Schema
from apigen.language.json_values import JsonValue
from apigen.runtime.cel import find_cel
from tests.cluster.api_server import ApiServer
from tests.yaml_files import read_yaml

pytestmark = pytest.mark.skipif(find_cel() is None, reason="there is no library for CEL")

DATA = read_yaml((Path(__file__).parent / "costs.yaml").read_text(encoding="utf-8"))
SCHEMA: Schema = DATA["schema"]
COSTS: dict[str, int] = DATA["costs"]


def cost(rule: str) -> int:
    """The estimate for a rule about an object of the schema."""
    cel, sizes = find_cel(), sizes_of(SCHEMA)
    assert cel is not None
    assert sizes is not None
    return estimated(parse(cel.compile(rule, variables=("self", "oldSelf")).serialized()), sizes).cost


@pytest.mark.parametrize("rule", COSTS)
def test_cost(rule: str) -> None:
    assert cost(rule) == COSTS[rule]


def within_list(rule: str, items: int) -> JsonValue:
    """A CustomResourceDefinition that has the rule in a list of so many items."""
    node: Schema = {**SCHEMA, "required": ["e"], "x-kubernetes-validations": [{"rule": rule}]}
    words: Schema = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["e"]}
    found: Schema = {"type": "array", "maxItems": items, "items": node, **words}
    spec: Schema = {"type": "object", "properties": {"list": found}}
    schema: Schema = {"type": "object", "properties": {"spec": spec}}
    version: Schema = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [version],
        },
    }


@pytest.mark.parametrize("rule", COSTS)
def test_agrees_with_the_api_server(rule: str, server: ApiServer) -> None:
    """For a list that multiplies the cost to five times the limit, the API server reports a factor of 5.0."""
    items = max(1, ceil(5 * COST_LIMIT / cost(rule)))
    rejection = server.rejection(within_list(rule, items))
    assert rejection is not None
    factor = re.search(r"estimated rule cost exceeds budget by factor of (more than 100|[0-9.]+)x", rejection)
    assert factor is not None, rejection
    expected = cost(rule) * items / COST_LIMIT
    assert factor[1] == ("more than 100" if expected > 100 else f"{expected:.1f}")
