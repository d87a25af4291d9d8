"""The tour of the issue: one object, written as one version, read as all of them, stored as protobuf."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.scheme.compiled import (
    FLOWCONTROL,
    NETWORKING,
    PROTOBUF,
    YAML,
    Compiled,
    Document,
    flow_schema,
    ingress,
    priority_level,
)

VERSIONS = ("v1beta1", "v1beta2", "v1beta3", "v1")

DEPRECATIONS = {
    "v1beta1": f"{FLOWCONTROL}/v1beta1 FlowSchema is deprecated in v1.23+, unavailable in v1.26+; use {FLOWCONTROL}/v1beta3 FlowSchema",
    "v1beta2": f"{FLOWCONTROL}/v1beta2 FlowSchema is deprecated in v1.26+, unavailable in v1.29+; use {FLOWCONTROL}/v1beta3 FlowSchema",
    "v1beta3": f"{FLOWCONTROL}/v1beta3 FlowSchema is deprecated in v1.29+, unavailable in v1.32+; use {FLOWCONTROL}/v1 FlowSchema",
    "v1": None,
}
FIRST_RELEASE = {"v1beta1": "1.23", "v1beta2": "1.26", "v1beta3": "1.29"}
RELEASE_BEFORE = {"v1beta1": "1.22", "v1beta2": "1.25", "v1beta3": "1.28"}


@pytest.mark.parametrize("written", VERSIONS)
@pytest.mark.parametrize("read", VERSIONS)
def test_flow_schema_converts_to_every_version(compiled: Compiled, written: str, read: str) -> None:
    obj = compiled.read(flow_schema(written), unknown="error")
    converted = compiled.scheme.convert(obj, f"{FLOWCONTROL}/{read}")
    assert compiled.shown(converted) == flow_schema(read)


@pytest.mark.parametrize("version", VERSIONS)
def test_flow_schema_deprecation_warnings(compiled: Compiled, version: str) -> None:
    warning, obj = compiled.scheme.deprecation_warning, compiled.read(flow_schema(version))
    words = DEPRECATIONS[version]
    assert warning(obj) == words
    assert warning(obj, release="1.36") == words
    if words is not None:
        assert warning(obj, release=FIRST_RELEASE[version]) == words
        assert warning(obj, release=RELEASE_BEFORE[version]) is None
        assert warning(obj, release="1.9") is None, "releases are numbers, no text"


def test_flow_schema_is_stored_as_protobuf(compiled: Compiled) -> None:
    scheme = compiled.scheme
    obj = compiled.read(flow_schema("v1beta2"))
    storage = scheme.storage_version("FlowSchema")
    assert storage == f"{FLOWCONTROL}/v1"
    stored = scheme.encode(scheme.convert(obj, storage), PROTOBUF)
    assert stored[:4] == b"k8s\0"
    envelope = compiled.module("runtime.wire").unwrap(stored)
    assert (envelope.api_version, envelope.kind) == (storage, "FlowSchema")
    assert scheme.convert(scheme.decode(stored, PROTOBUF), f"{FLOWCONTROL}/v1beta2") == obj


def test_flow_schema_in_yaml(compiled: Compiled) -> None:
    scheme = compiled.scheme
    text = scheme.encode(compiled.read(flow_schema("v1beta2")), YAML)
    new = scheme.convert(scheme.decode(text, YAML, unknown="error"), f"{FLOWCONTROL}/v1")
    assert json.loads(scheme.encode(new)) == flow_schema("v1")
    assert scheme.encode(new, YAML) == text.replace(b"v1beta2", b"v1")


def test_an_unset_precedence_is_a_thousand_in_all_versions(compiled: Compiled) -> None:
    document = flow_schema("v1beta2")
    del document["spec"]["matchingPrecedence"]
    obj = compiled.read(document)
    assert compiled.scheme.convert(obj, f"{FLOWCONTROL}/v1").spec.matching_precedence == 1000
    assert compiled.read(document, default=False).spec.matching_precedence == 0


ASSURED, NOMINAL = "assuredConcurrencyShares", "nominalConcurrencyShares"
SHARES = {"v1beta1": ASSURED, "v1beta2": ASSURED, "v1beta3": NOMINAL, "v1": NOMINAL}


@pytest.mark.parametrize("written", VERSIONS)
@pytest.mark.parametrize("read", VERSIONS)
def test_priority_level_shares_are_renamed(compiled: Compiled, written: str, read: str) -> None:
    obj = compiled.read(priority_level(written, SHARES[written]), unknown="error")
    converted = compiled.scheme.convert(obj, f"{FLOWCONTROL}/{read}")
    assert compiled.shown(converted) == priority_level(read, SHARES[read])


ZERO = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"


def test_v1beta3_preserves_zero_shares(compiled: Compiled) -> None:
    """In v1 zero is explicit, in v1beta3 it means unset: the annotation distinguishes them."""
    scheme = compiled.scheme
    obj = compiled.read(priority_level("v1", NOMINAL, **{NOMINAL: 0}))
    old = scheme.convert(obj, f"{FLOWCONTROL}/v1beta3")
    assert old.metadata.annotations == {ZERO: ""}
    scheme.default(old)
    assert old.spec.limited.nominal_concurrency_shares == 0
    assert scheme.convert(old, f"{FLOWCONTROL}/v1") == obj
    unset = compiled.read(priority_level("v1beta3", NOMINAL, **{NOMINAL: 0}))
    assert unset.spec.limited.nominal_concurrency_shares == 30


def test_an_ingress(compiled: Compiled) -> None:
    scheme = compiled.scheme
    old = compiled.read(ingress("v1beta1"), unknown="error")
    new = scheme.convert(old, f"{NETWORKING}/v1")
    assert compiled.shown(new) == ingress("v1")
    assert new.spec.rules[0].http.paths[0].backend.service.port.name == "http"
    assert compiled.shown(scheme.convert(new, f"{NETWORKING}/v1beta1")) == ingress("v1beta1")


@pytest.mark.parametrize(
    ("port", "wanted"), [(80, {"number": 80}), ("http", {"name": "http"}), ("80", {"name": "80"}), (0, {})]
)
def test_ingress_port_is_split(compiled: Compiled, port: Any, wanted: Document) -> None:
    old, new = ingress("v1beta1"), ingress("v1")
    old["spec"]["rules"][0]["http"]["paths"][0]["backend"]["servicePort"] = port
    new["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]["port"] = wanted
    assert compiled.shown(compiled.scheme.convert(compiled.read(old), f"{NETWORKING}/v1")) == new
    assert compiled.shown(compiled.scheme.convert(compiled.read(new), f"{NETWORKING}/v1beta1")) == old


def test_an_ingress_of_extensions_has_the_same_hub(compiled: Compiled) -> None:
    scheme = compiled.scheme
    old = {**ingress("v1beta1"), "apiVersion": "extensions/v1beta1"}
    new = scheme.convert(compiled.read(old), f"{NETWORKING}/v1")
    assert compiled.shown(new) == ingress("v1")
    assert compiled.shown(scheme.convert(new, "extensions/v1beta1")) == old


def test_path_types_are_defaulted_before_they_are_converted(compiled: Compiled) -> None:
    document = ingress("v1beta1")
    del document["spec"]["rules"][0]["http"]["paths"][0]["pathType"]
    new = compiled.scheme.convert(compiled.read(document), f"{NETWORKING}/v1")
    assert new.spec.rules[0].http.paths[0].path_type == "ImplementationSpecific"


def test_lists_convert(compiled: Compiled) -> None:
    document = {
        "apiVersion": f"{FLOWCONTROL}/v1beta2",
        "kind": "FlowSchemaList",
        "metadata": {"resourceVersion": "7"},
        "items": [flow_schema("v1beta2")],
    }
    new = compiled.scheme.convert(compiled.read(document), f"{FLOWCONTROL}/v1")
    assert (new.kind, len(new.items), new.metadata.resource_version) == ("FlowSchemaList", 1, "7")
    assert new.items[0].spec == compiled.read(flow_schema("v1")).spec
