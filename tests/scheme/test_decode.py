"""`scheme.decode`: formats, media types, defaults, unknown fields, gates, the class expected, and what is rejected."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest

from tests.scheme.compiled import FLOWCONTROL, JSON, MEDIA_TYPES, PROTOBUF, THINGS, YAML, Compiled, flow_schema

FROBBER: dict[str, Any] = {"apiVersion": f"{THINGS}/v6", "kind": "Frobber", "height": 3}


def test_json_is_the_default(compiled: Compiled) -> None:
    data = json.dumps(flow_schema())
    obj = compiled.scheme.decode(data)
    assert type(obj).__module__ == f"{compiled.name}.flowcontrol_apiserver_k8s_io.v1beta2.types"
    assert type(obj).__name__ == "FlowSchema"
    assert obj == compiled.scheme.decode(data.encode()) == compiled.scheme.decode(data, JSON)
    assert (obj.api_version, obj.kind) == (f"{FLOWCONTROL}/v1beta2", "FlowSchema")
    assert obj.spec.rules[0].subjects[1].service_account.namespace == "kube-system"


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json; charset=utf-8",
        "application/json;charset=utf-8",
        "Application/JSON",
        " application/json ",
        "application/json;",
        "application/json;stream=watch;as=Table",
    ],
)
def test_media_types_have_parameters(compiled: Compiled, media_type: str) -> None:
    assert compiled.scheme.decode(json.dumps(FROBBER), media_type).height == 3


@pytest.mark.parametrize(
    "media_type", ["", "application/cbor", "json", "application/json,application/yaml", "text/plain"]
)
def test_other_media_types_are_rejected(compiled: Compiled, media_type: str) -> None:
    with pytest.raises(compiled.SchemeError, match=r"no media type .*; there are application/json, application/yaml"):
        compiled.scheme.decode(json.dumps(FROBBER), media_type)
    with pytest.raises(compiled.SchemeError, match="no media type"):
        compiled.scheme.encode(compiled.read(FROBBER), media_type)


@pytest.mark.parametrize("media_type", MEDIA_TYPES)
def test_every_format_decodes_to_the_same_object(compiled: Compiled, media_type: str) -> None:
    obj = compiled.read(flow_schema())
    data = compiled.scheme.encode(obj, f"{media_type}; charset=utf-8")
    assert isinstance(data, bytes)
    assert compiled.scheme.decode(data, media_type) == obj
    if media_type != PROTOBUF:
        assert compiled.scheme.decode(data.decode(), media_type) == obj


def test_defaults(compiled: Compiled) -> None:
    assert compiled.read(FROBBER).restart_policy == "Always"
    assert compiled.read(FROBBER, default=True).restart_policy == "Always"
    obj = compiled.read(FROBBER, default=False)
    assert obj.restart_policy == ""
    compiled.scheme.default(obj)
    assert obj == compiled.read(FROBBER)
    compiled.scheme.default(obj)
    assert obj == compiled.read(FROBBER), "defaults are idempotent"


def test_defaults_reach_every_format(compiled: Compiled) -> None:
    bare = compiled.read(FROBBER, default=False)
    for media_type in MEDIA_TYPES:
        data = compiled.scheme.encode(bare, media_type)
        assert compiled.scheme.decode(data, media_type).restart_policy == "Always"
        assert compiled.scheme.decode(data, media_type, default=False) == bare


def test_version_without_defaults_is_not_defaulted(compiled: Compiled) -> None:
    obj = compiled.read({"apiVersion": "v1", "kind": "ConfigMap"}, default=False)
    before = compiled.scheme.copy(obj)
    compiled.scheme.default(obj)
    assert obj == before


UNKNOWN = {**FROBBER, "color": "red", "knobs": [{"name": "a"}, {"name": "b", "color": "blue"}]}


def test_unknown_fields_are_ignored_by_default(compiled: Compiled) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled.read(UNKNOWN) == compiled.read(UNKNOWN, unknown="ignore")


@pytest.mark.parametrize("media_type", [JSON, YAML])
def test_unknown_fields_cause_warnings(compiled: Compiled, media_type: str) -> None:
    category = compiled.module("runtime.scheme").UnknownFieldWarning
    with pytest.warns(category) as found:
        obj = compiled.scheme.decode(json.dumps(UNKNOWN), media_type, unknown="warn")
    assert sorted(str(warning.message) for warning in found) == [
        'unknown field "color"',
        'unknown field "knobs[1].color"',
    ]
    assert all(warning.filename == __file__ for warning in found), "a warning points at the caller"
    assert obj == compiled.read(UNKNOWN)


@pytest.mark.parametrize("media_type", [JSON, YAML])
def test_unknown_fields_are_rejected(compiled: Compiled, media_type: str) -> None:
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(json.dumps(UNKNOWN), media_type, unknown="error")
    for path in ("color", "knobs[1].color"):
        assert f'unknown field "{path}"' in str(raised.value)


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        (
            JSON,
            f'{{"apiVersion":"{THINGS}/v6","kind":"Frobber","height":1,"knobs":[{{"name":"a","name":"b"}}],"height":2}}',
        ),
        (YAML, f"apiVersion: {THINGS}/v6\nkind: Frobber\nheight: 1\nknobs: [{{name: a, name: b}}]\nheight: 2\n"),
    ],
)
def test_repeated_fields(compiled: Compiled, media_type: str, data: str) -> None:
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(data, media_type, unknown="error")
    assert 'duplicate field "height"' in str(raised.value) and 'duplicate field "knobs[0].name"' in str(raised.value)
    if media_type == JSON:
        assert compiled.scheme.decode(data, media_type).height == 2, "the last one counts"


def test_known_fields_are_accepted(compiled: Compiled) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        strict = compiled.read(flow_schema(), unknown="error")
        assert strict == compiled.read(flow_schema(), unknown="warn")


def test_features_reach_the_defaults(compiled: Compiled) -> None:
    """No default of these specs asks for a gate; whatever is passed must be taken."""
    features = compiled.scheme.features(release="1.11")
    assert compiled.read(FROBBER, features=features) == compiled.read(FROBBER)
    obj = compiled.read(FROBBER, default=False)
    compiled.scheme.default(obj, features=features)
    assert obj == compiled.read(FROBBER)


def test_expect(compiled: Compiled) -> None:
    v6, v7 = (compiled.module(f"things_example_com.{version}.types").Frobber for version in ("v6", "v7alpha1"))
    assert isinstance(compiled.read(FROBBER, expect=v6), v6)
    with pytest.raises(
        compiled.errors.DecodeError, match=rf"expected {THINGS}/v7alpha1 Frobber, found {THINGS}/v6 Frobber"
    ):
        compiled.read(FROBBER, expect=v7)


REJECTED = {
    # document: (path, words)
    "no kind": ({"apiVersion": f"{THINGS}/v6"}, "", "`kind` is missing"),
    "empty kind": ({"apiVersion": f"{THINGS}/v6", "kind": ""}, "", "`kind` is missing"),
    "no version": ({"kind": "Frobber"}, "", "`apiVersion` is missing"),
    "unknown kind": ({**FROBBER, "kind": "Frob"}, "", "there is no kind 'Frob' in version 'things.example.com/v6'"),
    "unknown version": ({**FROBBER, "apiVersion": f"{THINGS}/v9"}, "", "there is no kind 'Frobber' in version"),
    "kind of another group": ({**FROBBER, "kind": "Ingress"}, "", "there is no kind 'Ingress' in version"),
    "too many slashes": ({**FROBBER, "apiVersion": "a/b/c"}, "apiVersion", "expected group/version, found 'a/b/c'"),
    "hub": ({**FROBBER, "apiVersion": f"{THINGS}/hub"}, "", "there is no kind"),
    "kind is a number": ({**FROBBER, "kind": 3}, "kind", "expected a string"),
    "version is a list": ({**FROBBER, "apiVersion": []}, "apiVersion", "expected a string"),
    "a number for text": ({**FROBBER, "param": 3}, "param", "expected a string, found a number (3)"),
    "text for a number": ({**FROBBER, "height": "3"}, "height", "found a string ('3')"),
    "a fraction": ({**FROBBER, "height": 1.5}, "height", "1.5"),
    "out of range": ({**FROBBER, "height": 2**31}, "height", ""),
    "a list for an object": ({**FROBBER, "status": []}, "status", "expected an object, found a list (0 elements)"),
    "an object for a list": ({**FROBBER, "knobs": {}}, "knobs", "expected a list, found an object (0 members)"),
    "wrong in a list": ({**FROBBER, "knobs": [{}, {"width": True}]}, "knobs[1].width", "found a boolean (true)"),
    "wrong in a map": ({**FROBBER, "template": {"labels": {"a/b": 1}}}, "template.labels[a/b]", "found a number (1)"),
    "no time": ({**FROBBER, "status": {"lastFrobTime": "noon"}}, "status.lastFrobTime", ""),
}


@pytest.mark.parametrize("media_type", [JSON, YAML])
@pytest.mark.parametrize("what", REJECTED)
def test_rejected(compiled: Compiled, media_type: str, what: str) -> None:
    document, path, words = REJECTED[what]
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(json.dumps(document), media_type)
    assert raised.value.path == path and words in raised.value.problem
    assert str(raised.value) == (f"{path}: {raised.value.problem}" if path else raised.value.problem)


def test_the_path_of_the_issue(compiled: Compiled) -> None:
    document = flow_schema()
    document["spec"]["rules"] = [{"subjects": []}, {"subjects": []}, {"subjects": [{"kind": 7}]}]
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.read(document)
    assert str(raised.value) == "spec.rules[2].subjects[0].kind: expected a string, found a number (7)"


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        (JSON, b""),
        (JSON, b"{"),
        (JSON, b"[]"),
        (JSON, b"null"),
        (JSON, b"\xff\xfe"),
        (JSON, b'{"a":NaN}'),
        (JSON, b"[" * 100_000),
        (YAML, b""),
        (YAML, b"a: [b"),
        (YAML, b"- a"),
        (YAML, b"a: &a [*a]"),
        (YAML, b"\x00"),
        (YAML, b"!!python/object/apply:os.system [true]"),
        (PROTOBUF, b""),
        (PROTOBUF, b"k8s"),
        (PROTOBUF, b"k8s\0"),
        (PROTOBUF, b"k8s\0\x0a\xff"),
        (PROTOBUF, b"not protobuf"),
    ],
)
def test_invalid_documents(compiled: Compiled, media_type: str, data: bytes) -> None:
    with pytest.raises(compiled.errors.DecodeError):
        compiled.scheme.decode(data, media_type)


def test_protobuf_error_has_a_path(compiled: Compiled) -> None:
    wrap = compiled.module("runtime.wire").wrap
    data = wrap(f"{FLOWCONTROL}/v1", "FlowSchema", b"\x12\x05\x22\x03\x0a\x01\x08")
    with pytest.raises(compiled.errors.DecodeError) as raised:
        compiled.scheme.decode(data, PROTOBUF)
    assert raised.value.path.startswith("spec.rules[0]")


def test_protobuf_of_an_unknown_kind(compiled: Compiled) -> None:
    wrap = compiled.module("runtime.wire").wrap
    with pytest.raises(compiled.errors.DecodeError, match="there is no kind 'Frob' in version 'a/v1'"):
        compiled.scheme.decode(wrap("a/v1", "Frob", b""), PROTOBUF)
