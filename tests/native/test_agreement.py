"""Random objects of all kinds of this project, and their documents modified at random, by the extension and by Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generated import scheme
from generated.runtime.errors import ApiError
from generated.runtime.json_reader import parse_json
from generated.runtime.json_writer import json_bytes
from generated.runtime.kinds import KindVersion
from generated.runtime.native import NativeCodec
from generated.runtime.wire import wrap
from tests.native.building import extension
from tests.native.kinds import JSON, KINDS, PROTOBUF, class_of, function, layouts
from tests.native.making import objects
from tests.share import share

SEVERAL = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
ANY_KIND = pytest.mark.parametrize("entry", share(KINDS, 2), ids=lambda entry: f"{entry.api_version}.{entry.kind}")


@cache
def native() -> NativeCodec:
    codec = NativeCodec("generated", extension().Codec())
    for entry in KINDS:
        codec.learn(entry)
    return codec


def python_json(entry: KindVersion, data: bytes) -> Any:
    names = import_module(f"generated.{entry.package}.json_codec").RAW_NAMES.get(entry.kind, frozenset())
    return function(entry, "json_codec", "decode")(parse_json(data, names))


def changeable(value: Any) -> Iterator[int]:
    """The identities of all that can change in an object."""
    if is_dataclass(value) and not isinstance(value, type) and not value.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        yield id(value)
        for field in fields(value):
            yield from changeable(getattr(value, field.name))
    elif isinstance(value, list):
        yield id(value)
        for item in value:
            yield from changeable(item)
    elif isinstance(value, dict):
        yield id(value)
        for item in value.values():
            yield from changeable(item)


@ANY_KIND
@SEVERAL
@given(data=st.data())
def test_extension_agrees_with_python_on_valid_objects(entry: KindVersion, data: st.DataObject) -> None:
    cls = class_of(entry)
    obj = data.draw(objects(layouts(), cls))
    text = json_bytes(function(entry, "json_codec", "encode")(obj), floats_encoded=True)
    assert native().encode(obj, JSON) in (text, None)
    assert native().decode(text, JSON, cls) in (python_json(entry, text), None)
    assert native().decode(text.decode(), JSON, cls) == native().decode(text, JSON, cls)
    message = function(entry, "protobuf_codec", "encode")(obj)
    said = (entry.api_version, entry.kind) if entry.type_meta else ("", "")
    assert native().encode(obj, PROTOBUF) in (wrap(*said, message), None)
    enveloped = wrap(entry.api_version, entry.kind, message)
    by_python = function(entry, "protobuf_codec", "decode")(message)
    if entry.type_meta:
        by_python.api_version, by_python.kind = entry.api_version, entry.kind
    assert native().decode(enveloped, PROTOBUF, None) in (by_python, None)
    copy = native().copy(obj)
    assert copy == obj
    assert not set(changeable(copy)) & set(changeable(obj))


@pytest.mark.slow
@ANY_KIND
@SEVERAL
@given(data=st.data())
def test_extension_agrees_or_defers_on_damaged_documents(entry: KindVersion, data: st.DataObject) -> None:
    cls = class_of(entry)
    obj = data.draw(objects(layouts(), cls))
    text = json_bytes(function(entry, "json_codec", "encode")(obj), floats_encoded=True)
    message = function(entry, "protobuf_codec", "encode")(obj)
    decode = function(entry, "protobuf_codec", "decode")
    for _ in range(8):
        bent = data.draw(bendings(text))
        agrees_or_left(native().decode(bent, JSON, cls), partial(python_json, entry, bent))
        bent = data.draw(bendings(message))
        found = native().decode(wrap("", "", bent), PROTOBUF, cls)
        if found is not None and entry.type_meta:
            found.api_version = found.kind = ""
        agrees_or_left(found, partial(decode, bent))
        agrees_or_left(native().decode(bent, PROTOBUF, None), partial(scheme.decode, bent, PROTOBUF, default=False))


def agrees_or_left(found: object, by_python: Callable[[], object]) -> None:
    """The extension never takes what Python rejects, and never reads it in another way."""
    try:
        expected = by_python()
    except ApiError:
        assert found is None
    else:
        assert found is None or found == expected


@st.composite
def bendings(draw: st.DrawFn, data: bytes) -> bytes:
    """The data with a piece gone, doubled, moved or replaced."""
    start = draw(st.integers(0, len(data)))
    end = min(len(data), start + draw(st.integers(0, 12)))
    piece, target = data[start:end], draw(st.integers(0, len(data)))
    new = draw(
        st.sampled_from([b"", b"null", b"0", b"-", b"1.5", b'"', b"{}", b"[]", b"\\ud800", b"\xff", b" ", b"\x80"])
    )
    match draw(st.sampled_from(["gone", "doubled", "moved", "replaced", "random"])):
        case "gone":
            return data[:start] + data[end:]
        case "doubled":
            return data[:end] + piece + data[end:]
        case "moved":
            return data[:target] + piece + data[target:]
        case "random":
            return data[:start] + draw(st.binary(max_size=4)) + data[end:]
    return data[:start] + new + data[end:]


def test_extension_rarely_defers_to_python() -> None:
    """Of usual objects it leaves those alone that have floats or times of another form."""
    left: Counter[str] = Counter()
    for entry in KINDS:
        cls = class_of(entry)
        obj = cls()
        text = json_bytes(function(entry, "json_codec", "encode")(obj), floats_encoded=True)
        message = wrap(entry.api_version, entry.kind, function(entry, "protobuf_codec", "encode")(obj))
        left["json written"] += native().encode(obj, JSON) is None
        left["json read"] += native().decode(text, JSON, cls) is None
        left["wire written"] += native().encode(obj, PROTOBUF) is None
        left["wire read"] += native().decode(message, PROTOBUF, None) is None
    assert left.total() <= 4, left
