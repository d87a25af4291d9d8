"""JSON read quickly is what the exact way makes of it: with orjson and without, whatever the text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scheme.compiled import Compiled, flow_schema

QUICK = settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

MANAGED = """{"kind":"ConfigMap","apiVersion":"v1","metadata":{"managedFields":[%s]}%s}"""
TEXTS = {
    "raw": MANAGED
    % ('{"manager":"a","fieldsV1": { "f:a" : {}, "f:a":{} } },{"fieldsV1":{"f:b":[1.50,"\\u0041"]}}', ""),
    "raw that is null": MANAGED % ('{"fieldsV1":null},{"fieldsV1":  "x"},{"fieldsV1":[["x"]]}', ""),
    "raw in raw": MANAGED % ('{"fieldsV1":{"fieldsV1":{"fieldsV1":1}}}', ""),
    "a key of a map": MANAGED % ('{"fieldsV1":{}}', ',"data":{"fieldsV1":"x"}'),
    "a key of a map alone": MANAGED % ("", ',"data":{"fieldsV1":"x"}'),
    "an unknown member": MANAGED % ('{"fieldsV1":{}}', ',"fieldsV1":{"a":1}'),
    "escaped names": MANAGED % (r'{"fields\u00561": {"a" :1}}', ""),
    "names in text": MANAGED % ('{"fieldsV1":{}}', r',"data":{"a":"{\"fieldsV1\": 5}","b\"fieldsV1":"x"}'),
    "repeated members": MANAGED % ('{"fieldsV1":1,"fieldsV1": 2}', ',"data":{"a":"1","a":"2"}'),
    "halves of pairs": MANAGED % (r'{"fieldsV1":"\ud800"}', r',"data":{"a":"\udc00\ud83d\ude00"}'),
    "broken raw": MANAGED % ('{"fieldsV1":{"a":}}', ""),
    "another kind behind": '{"kind":"ConfigMap","apiVersion":"v1","metadata":{},"Kind":"Secret","data":{"a":"AQ=="}}',
    "the kind at the end": '{"metadata":{"managedFields":[{"fieldsV1":{ }}]},"data":{},"apiVersion":"v1","kind":"ConfigMap"}',
    "a wrong type": MANAGED % ('{"fieldsV1":{ }}', ',"data":[]'),
    "space around": ' \n{"kind":"ConfigMap","apiVersion":"v1"}\t ',
    "more behind": '{"kind":"ConfigMap","apiVersion":"v1"} {}',
    "a byte order mark": '\ufeff{"kind":"ConfigMap","apiVersion":"v1"}',
    "no number": '{"kind":"ConfigMap","apiVersion":"v1","immutable":NaN}',
    "too deep": '{"kind":"ConfigMap","apiVersion":"v1","x":' + "[" * 9000 + "]" * 9000 + "}",
    "much too deep": '{"kind":"ConfigMap","apiVersion":"v1","x":' + "[" * 11000 + "]" * 11000 + "}",
    "no kind": '{"apiVersion":"v1"}',
    "no such kind": '{"kind":"Nothing","apiVersion":"v1"}',
    "no object": "[]",
    "nothing": "",
}
QUANTITIES = [
    "1",
    "0.5",
    "1.10",
    "1e3",
    "1E2",
    "-0.0",
    "0.10000000000000000000001",
    "100000000000000000000",
    '"1"',
    "null",
    "true",
]
SCALER = """{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","spec":{"metrics":[
    {"type":"Resource","resource":{"name":"cpu","target":{"type":"AverageValue","averageValue":%s}}}]}}"""


@pytest.fixture(params=["orjson", "json"])
def scheme(request: pytest.FixtureRequest, compiled: Compiled) -> Iterator[Any]:
    """The scheme with a decoder that has seen nothing yet."""
    quick = compiled.module("runtime.json_quick")
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "json":
            patch.setattr(quick, "orjson", None)
        elif quick.orjson is None:
            pytest.skip("orjson is not installed")
        compiled.module("scheme")._SCHEME.__dict__.pop("_quick_decoder", None)
        yield compiled.scheme


def exactly(compiled: Compiled, text: str | bytes) -> tuple[str, str]:
    quick = compiled.module("runtime.json_quick").QuickDecoder
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(quick, "decode", lambda *_: None)
        return outcome(compiled, text)


def outcome(compiled: Compiled, text: str | bytes) -> tuple[str, str]:
    """The text and what prints of the object, or the error."""
    try:
        obj = compiled.scheme.decode(text, default=False)
        return compiled.scheme.encode(obj).decode(), repr(obj)
    except compiled.errors.DecodeError as error:
        return "error", str(error)


@pytest.mark.parametrize("name", TEXTS)
def test_unusual_documents(scheme: Any, compiled: Compiled, name: str) -> None:
    expected = exactly(compiled, TEXTS[name])
    for _ in range(3):  # the first one may teach the decoder that there is raw JSON
        assert outcome(compiled, TEXTS[name]) == expected
        assert outcome(compiled, TEXTS[name].encode()) == expected
    scheme.decode(TEXTS["raw"])
    assert outcome(compiled, TEXTS[name]) == expected


@pytest.mark.parametrize("number", QUANTITIES)
def test_quantities_preserve_their_notation(scheme: Any, compiled: Compiled, number: str) -> None:
    assert outcome(compiled, SCALER % number) == exactly(compiled, SCALER % number)


def test_usual_documents_use_the_fast_path(scheme: Any, compiled: Compiled) -> None:
    text = json.dumps(flow_schema("v1"))
    decoder = compiled.module("scheme")._SCHEME._quick_decoder
    decoder.decode(TEXTS["raw"], None)  # teaches it that there is raw JSON
    for read in (text, text.encode(), TEXTS["raw in raw"], SCALER % '"1"'):
        assert decoder.decode(read, None) is not None


def test_invalid_utf8(scheme: Any, compiled: Compiled) -> None:
    data = b'{"kind":"ConfigMap","apiVersion":"v1","data":{"a":"\xff"}}'
    assert outcome(compiled, data) == exactly(compiled, data)


@pytest.mark.slow
@QUICK
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["fieldsV1", "a", "data"]), inner),
        max_leaves=8,
    ),
    st.sampled_from(["fieldsV1", "manager", "time", "subresource"]),
    st.sampled_from([None, 1]),
)
def test_any_json(scheme: Any, compiled: Compiled, value: object, name: str, indent: int | None) -> None:
    document = {
        **flow_schema("v1"),
        "metadata": {"managedFields": [{name: value, "operation": "x"}], "labels": {"a": "b"}},
    }
    text = json.dumps(document, indent=indent)
    assert outcome(compiled, text) == exactly(compiled, text)
