"""Objects as plain dicts: `to_dict`, `from_dict` and `decode` of a mapping, with the checks of `encode` and `decode`."""

from __future__ import annotations

import enum
import json
from collections import ChainMap, UserDict
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType
from typing import Any

import pytest

from tests.scheme.compiled import FLOWCONTROL, PROTOBUF, THINGS, Compiled, Document, flow_schema, ingress

FROBBER: Document = {"apiVersion": f"{THINGS}/v6", "kind": "Frobber", "height": 3}
CONFIG_MAP: Document = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}}
SCALER: Document = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"managedFields": [{"fieldsV1": {"f:a": {"n": 1.5, "m": [1, None, True]}}}]},
    "spec": {"maxReplicas": 3, "metrics": [{"type": "Pods", "pods": {"target": {"type": "Value", "value": "1500m"}}}]},
}
DOCUMENTS: list[Document] = [FROBBER, CONFIG_MAP, flow_schema(), ingress(), SCALER]


def is_plain(value: object) -> bool:
    if type(value) is dict:
        return all(type(key) is str and is_plain(item) for key, item in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document["kind"])
def test_plain_data_round_trip(compiled: Compiled, document: Document) -> None:
    scheme, obj = compiled.scheme, compiled.read(document)
    tree = scheme.to_dict(obj)
    assert is_plain(tree)
    assert tree == json.loads(scheme.encode(obj))
    assert scheme.from_dict(tree) == scheme.decode(tree) == scheme.decode(tree, PROTOBUF) == obj


def test_nothing_is_shared(compiled: Compiled) -> None:
    document = flow_schema()
    before = json.dumps(document)
    obj = compiled.scheme.from_dict(document)
    assert json.dumps(document) == before
    obj.metadata.annotations["c"] = "3"
    obj.spec.rules[0].resource_rules[0].verbs.append("get")
    assert json.dumps(document) == before
    tree = compiled.scheme.to_dict(obj)
    tree["metadata"]["annotations"].clear()
    assert obj.metadata.annotations["c"] == "3"


@pytest.mark.parametrize("make", [UserDict, MappingProxyType, ChainMap, lambda d: ChainMap({}, d)])
def test_any_mapping_is_accepted(compiled: Compiled, make: Any) -> None:
    document = make({**FROBBER, "metadata": make({"labels": make({"a": "b"})})})
    assert isinstance(document, Mapping)
    assert compiled.scheme.from_dict(document).metadata.labels == {"a": "b"}
    assert compiled.scheme.decode(document, unknown="error").metadata.labels == {"a": "b"}


class Level(enum.IntEnum):
    THREE = 3


class Policy(enum.StrEnum):
    ALWAYS = "Always"


class Text(str):
    """Not a plain string."""


def test_subclasses_become_plain_values(compiled: Compiled) -> None:
    document = {**FROBBER, "height": Level.THREE, "restartPolicy": Policy.ALWAYS, "param": Text("x")}
    obj = compiled.scheme.from_dict({Text(key): value for key, value in document.items()})
    assert (type(obj.height), type(obj.restart_policy), type(obj.param)) == (int, str, str)
    assert (obj.height, obj.restart_policy, obj.param) == (3, "Always", "x")


def test_tuples_are_lists(compiled: Compiled) -> None:
    obj = compiled.scheme.from_dict({**FROBBER, "knobs": ({"name": "a"}, {"name": "b"})})
    assert [knob.name for knob in obj.knobs] == ["a", "b"]


def test_lone_surrogates_are_replaced_as_in_json(compiled: Compiled) -> None:
    document = {**CONFIG_MAP, "data": {"a\ud800": "\udc00b"}}
    obj = compiled.scheme.from_dict(document)
    assert obj.data == {"a\ufffd": "\ufffdb"}
    assert obj == compiled.scheme.decode(json.dumps(document))


def test_raw_json_is_accepted_as_plain_values(compiled: Compiled) -> None:
    fields = {"f:a": [1, 2.50, 1e21, None, {"x": "<"}, (1, 2)]}
    document = {**CONFIG_MAP, "metadata": {"managedFields": [{"fieldsV1": fields}]}}
    obj = compiled.scheme.from_dict(document)
    raw = obj.metadata.managed_fields[0].fields_v1.raw
    assert raw == b'{"f:a":[1,2.5,1e+21,null,{"x":"\\u003c"},[1,2]]}'
    tree = compiled.scheme.to_dict(obj)
    assert is_plain(tree)
    assert tree["metadata"]["managedFields"][0]["fieldsV1"] == json.loads(raw)


def test_raw_json_can_be_deeply_nested(compiled: Compiled) -> None:
    raw = b'{"a":[1.5,"\xc3\xa9"],"b":' + b"[" * 5_000 + b"1.25" + b"]" * 5_000 + b"}"
    text = b'{"apiVersion":"v1","kind":"ConfigMap","metadata":{"managedFields":[{"fieldsV1":%s}]}}' % raw
    obj = compiled.scheme.decode(text)
    tree = compiled.scheme.to_dict(obj)
    inner = tree["metadata"]["managedFields"][0]["fieldsV1"]
    assert inner["a"] == [1.5, "é"]
    value, depth = inner["b"], 0
    while type(value) is list:
        value, depth = value[0], depth + 1
    assert (type(value), value, depth) == (float, 1.25, 5_000)
    again = compiled.scheme.from_dict(tree)
    assert again.metadata.managed_fields[0].fields_v1.raw == raw


def test_invalid_utf8_in_raw_json_is_replaced(compiled: Compiled) -> None:
    raw = compiled.module("runtime").FieldsV1(b'{"a":"\\ud800","b":"\\ud83d\\ude00"}')
    obj = compiled.read({**CONFIG_MAP, "metadata": {"managedFields": [{}]}})
    obj.metadata.managed_fields[0].fields_v1 = raw
    assert compiled.scheme.to_dict(obj)["metadata"]["managedFields"][0]["fieldsV1"] == {"a": "\ufffd", "b": "😀"}


def test_numbers_of_many_digits_are_an_encode_error(compiled: Compiled) -> None:
    obj = compiled.read({**CONFIG_MAP, "metadata": {"managedFields": [{}]}})
    obj.metadata.managed_fields[0].fields_v1 = compiled.module("runtime").FieldsV1(b'{"a":' + b"1" * 5_000 + b"}")
    with pytest.raises(compiled.errors.EncodeError):
        compiled.scheme.to_dict(obj)


def quantity(value: object) -> Document:
    target = {"type": "Value", "value": value}
    return {**SCALER, "spec": {"maxReplicas": 1, "metrics": [{"type": "Pods", "pods": {"target": target}}]}}


@pytest.mark.parametrize(
    ("value", "text"), [("1500m", "1500m"), (5, "5"), (0.1, "100m"), (1.5, "1500m"), (1e21, "1e+21")]
)
def test_numbers_are_quantities(compiled: Compiled, value: object, text: str) -> None:
    obj = compiled.scheme.from_dict(quantity(value))
    assert str(obj.spec.metrics[0].pods.target.value) == text
    assert obj == compiled.scheme.decode(json.dumps(quantity(value)))


REJECTED: dict[str, tuple[Any, str]] = {
    "integer as a key": ({**CONFIG_MAP, "data": {1: "a"}}, "data: expected strings as keys, found a number (1)"),
    "null as a key": ({None: 1, **CONFIG_MAP}, "expected strings as keys, found null"),
    "key in a list": ({**FROBBER, "knobs": [{}, {b"a": 1}]}, "knobs[1]: expected strings as keys, found a bytes"),
    "key in raw JSON": (
        {**CONFIG_MAP, "metadata": {"managedFields": [{"fieldsV1": {"a": {2: 3}}}]}},
        "metadata.managedFields[0].fieldsV1.a: expected strings as keys, found a number (2)",
    ),
    "float": ({**FROBBER, "height": 3.0}, "height: expected an integer, found a number (3.0)"),
    "boolean": ({**FROBBER, "height": True}, "height: expected an integer, found a boolean (true)"),
    "bytes": ({**FROBBER, "param": b"x"}, "param: expected a string, found a bytes"),
    "date": ({**FROBBER, "status": {"lastFrobTime": date(2020, 1, 1)}}, "status.lastFrobTime: expected a time in a "),
    "set": ({**FROBBER, "knobs": {1}}, "knobs: expected a list, found a set"),
    "NaN": (quantity(float("nan")), "spec.metrics[0].pods.target.value: expected a quantity, found a number (nan)"),
    "NaN in raw JSON": (
        {**CONFIG_MAP, "metadata": {"managedFields": [{"fieldsV1": {"a": float("inf")}}]}},
        "metadata.managedFields[0].fieldsV1: JSON cannot hold inf",
    ),
    "object in raw JSON": (
        {**CONFIG_MAP, "metadata": {"managedFields": [{"fieldsV1": {"a": [b""]}}]}},
        "metadata.managedFields[0].fieldsV1: JSON cannot hold a bytes",
    ),
    "attributes": ({**FROBBER, "api_version": "x", "apiVersion": ""}, "`apiVersion` is missing"),
    "empty": ({}, "`kind` is missing"),
}


@pytest.mark.parametrize("what", REJECTED)
@pytest.mark.parametrize("errors", ["first", "all"])
def test_wrong_values_are_rejected(compiled: Compiled, what: str, errors: str) -> None:
    document, words = REJECTED[what]
    for read in (compiled.scheme.from_dict, compiled.scheme.decode):
        with pytest.raises(compiled.errors.DecodeError) as raised:
            read(document, errors=errors)
        assert str(raised.value).startswith(words)
        assert (type(raised.value) is compiled.errors.DecodeErrors) == (errors == "all")


def test_recursive_mapping(compiled: Compiled) -> None:
    document: Document = {**CONFIG_MAP}
    document["metadata"] = document
    items: list[Any] = []
    items.append(items)
    for each in (document, {**CONFIG_MAP, "metadata": items}):
        with pytest.raises(compiled.errors.DecodeError, match="nested more than 10000 levels deep"):
            compiled.scheme.from_dict(each)


def test_the_options_of_decode(compiled: Compiled) -> None:
    scheme = compiled.scheme
    assert scheme.from_dict(FROBBER).restart_policy == "Always"
    assert scheme.from_dict(FROBBER, default=False).restart_policy == ""
    assert scheme.from_dict(FROBBER, features=scheme.features(), expect="Frobber").height == 3
    unknown = {**FROBBER, "color": "red"}
    assert scheme.from_dict(unknown) == scheme.from_dict(FROBBER)
    with pytest.raises(compiled.errors.DecodeError, match=r'^unknown field "color"$'):
        scheme.from_dict(unknown, unknown="error")
    with pytest.warns(compiled.module("runtime.scheme").UnknownFieldWarning) as found:
        scheme.from_dict(unknown, unknown="warn")
    assert [each.filename for each in found] == [__file__]
    with pytest.raises(compiled.errors.DecodeError, match=r"^expected ConfigMap, found"):
        scheme.from_dict(FROBBER, expect="ConfigMap")


@pytest.mark.parametrize("data", [b"{}", "{}", None, 5, [], [("kind", "Frobber")]])
def test_from_dict_accepts_only_mappings(compiled: Compiled, data: Any) -> None:
    with pytest.raises(compiled.errors.DecodeError, match=r"^expected a mapping, found "):
        compiled.scheme.from_dict(data)


@pytest.mark.parametrize("data", [None, 5, [FROBBER], object()], ids=["null", "number", "list", "object"])
@pytest.mark.parametrize("errors", ["first", "all"])
def test_decode_accepts_bytes_strings_and_mappings(compiled: Compiled, data: Any, errors: str) -> None:
    with pytest.raises(compiled.errors.DecodeError, match=r"^expected bytes, text or a mapping, found "):
        compiled.scheme.decode(data, errors=errors)


def test_bytes_like_objects_are_accepted(compiled: Compiled) -> None:
    data = json.dumps(FROBBER).encode()
    for each in (bytearray(data), memoryview(data)):
        assert compiled.scheme.decode(each) == compiled.scheme.decode(data)
    assert compiled.scheme.convert(compiled.scheme.decode(flow_schema()), f"{FLOWCONTROL}/v1").kind == "FlowSchema"
