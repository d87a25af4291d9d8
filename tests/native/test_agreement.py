"""Made-up objects of all kinds of this project, and their documents bent at random, by the extension and by Python."""

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
from generated.runtime.envelope import wrap
from generated.runtime.errors import ApiError
from generated.runtime.json_reader import parse_json
from generated.runtime.json_writer import json_bytes
from generated.runtime.kinds import KindVersion
from generated.runtime.native import Members, NativeCodec
from tests.native.building import extension
from tests.native.making import objects

KINDS: tuple[KindVersion, ...] = scheme._VERSIONS  # type: ignore[attr-defined]
SEVERAL = settings(max_examples=12, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
ANY_KIND = pytest.mark.parametrize("entry", KINDS, ids=lambda entry: f"{entry.api_version}.{entry.kind}")


@cache
def native() -> NativeCodec:
    return NativeCodec("generated", extension().Codec())


@cache
def layouts() -> dict[type, Members]:
    """Those of all versions."""
    found: dict[type, Members] = {}
    waiting, seen = [entry.package for entry in KINDS], set[str]()
    while waiting:
        package = waiting.pop()
        if package not in seen:
            seen.add(package)
            module = import_module(f"generated.{package}.layouts")
            found.update(module.LAYOUTS)
            waiting += module.NEEDS
    return found


def class_of(entry: KindVersion) -> type:
    found: type = getattr(import_module(f"generated.{entry.package}.types"), entry.kind)
    return found


def function(entry: KindVersion, module: str, verb: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(
        import_module(f"generated.{entry.package}.{module}"), f"{verb}_{entry.functions}"
    )
    return found


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
def test_what_it_writes_reads_and_copies(entry: KindVersion, data: st.DataObject) -> None:
    obj = data.draw(objects(layouts(), class_of(entry)))
    text = json_bytes(function(entry, "json_codec", "encode")(obj), floats_encoded=True)
    assert native().write_json(entry.package, obj) in (text, None)
    assert native().read_json(entry.package, entry.kind, text) in (python_json(entry, text), None)
    message = function(entry, "protobuf_codec", "encode")(obj)
    assert native().write_wire(entry.package, obj) in (message, None)
    assert native().read_wire(entry.package, entry.kind, message) in (
        function(entry, "protobuf_codec", "decode")(message),
        None,
    )
    enveloped = wrap(entry.api_version, entry.kind, message)
    assert native().write_message(entry.package, obj, entry.api_version, entry.kind) in (enveloped, None)
    found = native().read_message(enveloped, {(entry.api_version, entry.kind): entry}, None)
    if found is not None:
        assert found[0] is entry
        assert (found[1].api_version, found[1].kind) == (entry.api_version, entry.kind)
    copy = native().copy(entry.package, obj)
    assert copy == obj
    assert not set(changeable(copy)) & set(changeable(obj))


@ANY_KIND
@SEVERAL
@given(data=st.data())
def test_what_is_bent_is_read_alike_or_left(entry: KindVersion, data: st.DataObject) -> None:
    obj = data.draw(objects(layouts(), class_of(entry)))
    text = json_bytes(function(entry, "json_codec", "encode")(obj), floats_encoded=True)
    message = function(entry, "protobuf_codec", "encode")(obj)
    decode = function(entry, "protobuf_codec", "decode")
    for _ in range(8):
        bent = data.draw(bendings(text))
        agrees_or_left(native().read_json(entry.package, entry.kind, bent), partial(python_json, entry, bent))
        bent = data.draw(bendings(message))
        agrees_or_left(native().read_wire(entry.package, entry.kind, bent), partial(decode, bent))


def agrees_or_left(found: object, by_python: Callable[[], object]) -> None:
    """The extension never takes what Python refuses, and never reads it in another way."""
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


def test_it_leaves_little_to_python() -> None:
    """Of usual objects it leaves those alone that have floats or times of another form."""
    left: Counter[str] = Counter()
    for entry in KINDS:
        obj = class_of(entry)()
        text = json_bytes(function(entry, "json_codec", "encode")(obj), floats_encoded=True)
        message = function(entry, "protobuf_codec", "encode")(obj)
        left["json written"] += native().write_json(entry.package, obj) is None
        left["json read"] += native().read_json(entry.package, entry.kind, text) is None
        left["wire written"] += native().write_wire(entry.package, obj) is None
        left["wire read"] += native().read_wire(entry.package, entry.kind, message) is None
    assert left.total() <= 4, left
