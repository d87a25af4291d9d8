"""Semantic equality, raw values, and the pause of the garbage collector."""

from __future__ import annotations

import gc
import threading
from dataclasses import dataclass, field

import pytest

from apigen.runtime import (
    DecodeError,
    Duration,
    EncodeError,
    FieldsV1,
    MicroTime,
    Quantity,
    RawExtension,
    Time,
    gc_paused,
    semantic_equal,
)


@dataclass(slots=True)
class Inner:
    cpu: Quantity = field(default_factory=Quantity)
    names: list[str] | None = None


@dataclass(slots=True)
class Outer:
    name: str = ""
    count: int | None = None
    data: bytes | None = None
    inner: Inner | None = None
    items: list[Inner] = field(default_factory=list)
    fields: FieldsV1 | None = None
    limits: dict[str, Quantity] | None = None


@dataclass(slots=True)
class Other:
    name: str = ""


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (None, []),
        ({}, None),
        (b"", None),
        (1, 1.0),
        ([1, [2]], [1, [2]]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        (Outer(), Outer(limits={}, data=b"")),
        (Outer(items=[Inner(names=[])]), Outer(items=[Inner()])),
        (Outer(inner=Inner(cpu=Quantity("1000m"))), Outer(inner=Inner(cpu=Quantity("1")))),
        (Outer(limits={"cpu": Quantity("1Ki")}), Outer(limits={"cpu": Quantity("1024")})),
        (FieldsV1(b'{"b":1,"a":[1]}'), FieldsV1(b'{ "a": [1.0], "b": 1 }')),
        (RawExtension(b"{}"), RawExtension(b"{}")),
        (RawExtension(b""), None),
        (Time(1), Time(1)),
    ],
)
def test_equal(a: object, b: object) -> None:
    assert semantic_equal(a, b)
    assert semantic_equal(b, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (None, ""),
        (None, 0),
        (None, False),
        (True, 1),
        ([True], [1]),
        ([], {}),
        ([], b""),
        (None, [None]),
        (None, Outer()),
        (Outer(), Other()),
        (Outer(name="a"), Outer(name="b")),
        (Outer(count=0), Outer()),
        (Outer(items=[Inner()]), Outer()),
        ({"a": None}, {"b": None}),
        ({"a": None}, {}),
        (Quantity("1"), Quantity("2")),
        (Quantity("1"), "1"),
        (Time(1), MicroTime(1)),
        (Duration(1), Time(1)),
        (RawExtension(b"{ }"), RawExtension(b"{}")),
        (RawExtension(b"{}"), FieldsV1(b"{}")),
        (FieldsV1(b"[true]"), FieldsV1(b"[1]")),
        (FieldsV1(b"{"), FieldsV1(b"{ ")),
        ("1", 1),
    ],
)
def test_different(a: object, b: object) -> None:
    assert not semantic_equal(a, b)
    assert not semantic_equal(b, a)


def test_fields_with_equal_content_have_equal_hashes() -> None:
    for one, other in ((b'{"a":{},"b":1}', b'{"b":1.0, "a":{}}'), (b"1", b"1.0"), (b"[1, 2]", b"[1,2]"), (b"{", b"{")):
        assert FieldsV1(one) == FieldsV1(other)
        assert hash(FieldsV1(one)) == hash(FieldsV1(other))
    assert FieldsV1(b"{}") != b"{}"
    deep = b"[" * 10_000 + b"]" * 10_000
    assert FieldsV1(deep) == FieldsV1(deep + b" ")
    assert FieldsV1(deep) != FieldsV1(deep.replace(b"[]", b"[1]"))


def test_raw_values_contain_json() -> None:
    assert RawExtension(b'{"a": [1.0]}').value() == {"a": [1.0]}
    assert FieldsV1(b'{"a": [1.0]}').value() == {"a": [1.0]}
    assert RawExtension.of({"b": "<", "a": None}) == RawExtension(b'{"b":"\\u003c","a":null}')
    assert FieldsV1.of({}) == FieldsV1(b"{}")
    for raw in (RawExtension(b"k8s\0"), FieldsV1(b"")):
        with pytest.raises(DecodeError):
            raw.value()
    with pytest.raises(EncodeError):
        RawExtension.of(object())


def test_the_collector_is_paused_and_resumed() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
        with pytest.raises(RuntimeError), gc_paused():
            raise RuntimeError
        assert not gc.isenabled()
    assert gc.isenabled()


def test_disabled_collector_stays_disabled() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_last_thread_resumes_the_collector() -> None:
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with gc_paused():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=hold)
    with gc_paused():
        thread.start()
        assert inside.wait(10)
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()
