"""Whatever the bytes, decoding gives an object or a DecodeError with a path, never anything else."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scheme.compiled import (
    JSON,
    MEDIA_TYPES,
    PROTOBUF,
    YAML,
    Compiled,
    Document,
    flow_schema,
    ingress,
    priority_level,
)

QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

FROBBER: Document = {
    "apiVersion": "things.example.com/v6",
    "kind": "Frobber",
    "metadata": {"name": "a", "labels": {"a": "b"}, "creationTimestamp": "2024-05-06T07:08:09Z", "generation": 3},
    "height": 3,
    "width": 4,
    "knobs": [{"name": "a", "position": 2}, {"name": "b", "width": 1}],
    "template": {"labels": {"x": "y"}},
    "status": {"frobs": 2**40, "lastFrobTime": "2024-05-06T07:08:09Z"},
}
CONFIG_MAP: Document = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}, "binaryData": {"c": "AAEC"}}
DOCUMENTS: list[Document] = [
    FROBBER,
    CONFIG_MAP,
    flow_schema(),
    ingress("v1"),
    ingress("v1beta1"),
    priority_level("v1beta3", "nominalConcurrencyShares"),
    {"apiVersion": "things.example.com/v6", "kind": "FrobberList", "metadata": {}, "items": [FROBBER]},
]


def decodes_or_rejects(compiled: Compiled, data: bytes, media_type: str) -> Any:
    """The object, which can be written again; None where it was rejected."""
    errors = compiled.errors
    try:
        obj = compiled.scheme.decode(data, media_type, unknown="ignore")
    except errors.DecodeError as error:
        rejected = error
    else:
        check_writing(compiled, obj)
        return obj
    assert isinstance(rejected.path, str) and rejected.problem
    assert str(rejected) == (f"{rejected.path}: {rejected.problem}" if rejected.path else rejected.problem)
    assert len(str(rejected)) < 10_000, "a message is for people"
    return None


def check_writing(compiled: Compiled, obj: Any) -> None:
    """Whatever was read can be written, or is rejected with the error for that."""
    for other in MEDIA_TYPES:
        try:
            assert isinstance(compiled.scheme.encode(obj, other), bytes)
        except compiled.errors.EncodeError:
            continue


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@QUICK
@given(data=st.binary())
def test_any_bytes(compiled: Compiled, media_type: str, data: bytes) -> None:
    assert decodes_or_rejects(compiled, data, media_type) is None


@pytest.mark.parametrize("kind", ["Frobber", "FlowSchema", "ConfigMap"])
@QUICK
@given(data=st.binary())
def test_any_message_in_a_valid_envelope(compiled: Compiled, kind: str, data: bytes) -> None:
    version = {"Frobber": "things.example.com/v6", "FlowSchema": "flowcontrol.apiserver.k8s.io/v1", "ConfigMap": "v1"}
    decodes_or_rejects(compiled, compiled.module("runtime.wire").wrap(version[kind], kind, data), PROTOBUF)


CHUNKS = st.sampled_from(
    [b"\x00", b"\xff", b"\x80", b"{", b"}", b"[", b'"', b":", b"\n", b"&a ", b"*a ", b"1e999", b"-", b"null"]
)


@pytest.mark.slow
@pytest.mark.parametrize("media_type", MEDIA_TYPES)
@QUICK
@given(data=st.data())
def test_documents_with_some_bytes_changed(compiled: Compiled, media_type: str, data: st.DataObject) -> None:
    document = data.draw(st.sampled_from(DOCUMENTS))
    good = compiled.scheme.encode(compiled.read(document), media_type)
    bad = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(bad)))
        end = min(len(bad), start + data.draw(st.integers(0, 3)))
        bad[start:end] = data.draw(CHUNKS | st.binary(max_size=3))
    decodes_or_rejects(compiled, bytes(bad), media_type)


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_truncated_documents(compiled: Compiled, media_type: str) -> None:
    for document in (FROBBER, CONFIG_MAP):
        good = compiled.scheme.encode(compiled.read(document), media_type)
        for end in range(len(good)):
            obj = decodes_or_rejects(compiled, good[:end], media_type)
            assert obj is None or media_type != JSON, "a protobuf message may end after any field, YAML after any line"


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1.5, -0.0, 1e308]),
    st.text(max_size=5),
    st.sampled_from(["2024-13-45T99:99:99Z", "0001-01-01T00:00:00Z", "1Gi", "-", "====", "\ud800", "\0"]),
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with every key or index in it."""
    entries = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [(value, key) for key, _ in entries] + [place for _, inner in entries for place in places(inner)]


@pytest.mark.slow
@pytest.mark.parametrize("media_type", [JSON, YAML])
@QUICK
@given(data=st.data())
def test_documents_with_other_values(compiled: Compiled, media_type: str, data: st.DataObject) -> None:
    document = copy.deepcopy(data.draw(st.sampled_from(DOCUMENTS)))
    for _ in range(data.draw(st.integers(1, 3))):
        container, key = data.draw(st.sampled_from(places(document)))
        container[key] = data.draw(VALUES)
    text = json.dumps(document) if media_type == JSON else yaml.safe_dump(document)
    decodes_or_rejects(compiled, text.encode("utf-8", "surrogatepass"), media_type)


@pytest.mark.slow
@QUICK
@given(document=st.dictionaries(st.sampled_from(["apiVersion", "kind", "ApiVersion", "KIND", "", "a"]), VALUES))
def test_any_header(compiled: Compiled, document: Document) -> None:
    decodes_or_rejects(compiled, json.dumps(document).encode(), JSON)


@QUICK
@given(text=st.text())
def test_any_text(compiled: Compiled, text: str) -> None:
    for media_type in MEDIA_TYPES:
        with pytest.raises(compiled.errors.DecodeError):
            compiled.scheme.decode(text, media_type)


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: ConfigMap\ndata: &a\n  x: &b [*b]\n",
        "a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\n" * 3,
        "? {a: b}\n: c\n",
        "? [a]\n: c\n",
        "apiVersion: v1\nkind: ConfigMap\n1: 2\n",
        "apiVersion: v1\nkind: ConfigMap\nnull: 2\n",
        "apiVersion: v1\nkind: ConfigMap\n---\napiVersion: v1\n",
        "%YAML 9.9\n---\na: b\n",
        "apiVersion: !!binary AAAA\nkind: ConfigMap\n",
        "<<: {apiVersion: v1}\nkind: ConfigMap\n",
        "\ufeff",
        "\t",
        "{" * 5000,
        "- " * 5000,
    ],
)
def test_yaml_with_hostile_constructs(compiled: Compiled, text: str) -> None:
    decodes_or_rejects(compiled, text.encode(), YAML)


def test_nesting_is_limited(compiled: Compiled) -> None:
    for opened, closed in (("[", "]"), ('{"a":', "}")):
        for depth in (100, 1_000, 10_000, 200_000):
            text = '{"apiVersion":"v1","kind":"ConfigMap","x":' + opened * depth + "1" + closed * depth + "}"
            decodes_or_rejects(compiled, text.encode(), JSON)
    deep = b""
    for _ in range(2000):
        deep = b"\x0a" + compiled.module("runtime.wire").delimited(deep)
    wrap = compiled.module("runtime.wire").wrap
    decodes_or_rejects(compiled, wrap("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", deep), PROTOBUF)


def test_numbers_of_many_digits(compiled: Compiled) -> None:
    digits = "9" * 100_000
    for media_type in (JSON, YAML):
        text = f'{{"apiVersion":"things.example.com/v6","kind":"Frobber","height":{digits}}}'
        assert decodes_or_rejects(compiled, text.encode(), media_type) is None
