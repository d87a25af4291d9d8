"""Objects of classes that the extension knows end as all others do, and what they held ends with them."""

from __future__ import annotations

import gc
import sys
from itertools import pairwise
from typing import Any
from weakref import ref

import pytest

from generated import scheme
from generated.runtime.kinds import KindVersion
from generated.runtime.native import NativeCodec
from generated.runtime.scheme import Scheme
from generated.things_example_com.v7alpha1.types import Frobber, FrobberLimits, FrobberList
from tests.native.both import compiled, frobber, outcome, pure
from tests.native.kinds import JSON, KINDS, PROTOBUF, class_of, made_scheme
from tests.native.sanitized.bending import Bender, meet
from tests.native.test_agreement import ANY_KIND, native


class Held:
    """What an object holds, to see when that ends."""


def test_attributes_are_released_with_the_object() -> None:
    native()
    obj: Any = Frobber()
    obj.size = held = Held()
    seen = ref(held)
    del held
    assert seen() is not None
    del obj
    assert seen() is None


@pytest.mark.slow(one_in=16)
def test_cycles_are_found() -> None:
    native()
    obj: Any = Frobber()
    obj.size = obj
    obj.status = held = Held()
    seen = ref(held)
    del obj, held
    gc.collect()
    assert seen() is None


def test_subclasses_are_finalized() -> None:
    native()
    ended: list[object] = []

    class Derived(Frobber):
        """With attributes of its own, and a word to say at its end."""

        def __del__(self) -> None:
            ended.append(self.size)

    obj: Any = Derived()
    obj.more = held = Held()
    seen = ref(held)
    size = obj.size
    del obj, held
    assert seen() is None
    assert ended == [size]


def test_finalizer_added_to_a_class_is_called() -> None:
    native()
    saved: list[Any] = []
    cls: Any = FrobberLimits
    cls.__del__ = lambda self: saved.append(self)
    try:
        cls(max_per_hour=5)
    finally:
        del cls.__del__
    assert saved == [FrobberLimits(max_per_hour=5)]


@pytest.mark.slow
def test_long_chain_of_objects_is_deallocated() -> None:
    native()
    chain: Any = None
    for _ in range(200_000):
        link: Any = Frobber()
        link.size = chain
        chain = [link]
    del chain, link


@ANY_KIND
def test_references_are_released(entry: KindVersion) -> None:
    codec, cls = native(), class_of(entry)
    text = scheme.encode(cls(api_version=entry.api_version, kind=entry.kind) if entry.type_meta else cls())
    before = sys.getrefcount(None), sys.getrefcount(cls)
    for _ in range(100):
        codec.copy(codec.decode(text, JSON, cls))
        codec.decode(text[:-1], JSON, cls)
    after = sys.getrefcount(None), sys.getrefcount(cls)
    assert abs(after[0] - before[0]) < 100
    assert after[1] == before[1]


@pytest.mark.slow(one_in=16)
def test_rejected_documents_do_not_leak_memory() -> None:
    """A repeated operation takes and frees the same memory each time, whether it is rejected half-way or left to Python.

    Garbage of other tests may be freed during a round, but not in all of them.
    """
    codec = native()
    made = made_scheme(codec)
    meet(codec, made)
    taken = [_taken(made, codec) for _ in range(5)]
    assert min(abs(after - before) for before, after in pairwise(taken)) < len(KINDS)


def _taken(made: Scheme, codec: NativeCodec) -> int:
    """The blocks of memory that are in use after a round of bending, which is always the same."""
    bender = Bender(made, codec, seed=7)
    for entry in KINDS * 5:
        bender.bend(entry)
    del bender
    gc.collect()
    return sys.getallocatedblocks()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "kind"), [("", ""), ("things.example.com/v6", "Frobber"), ("a/v1", "é"), (None, 5)]
)
def test_kind_and_version_are_written_from_the_class(version: Any, kind: Any) -> None:
    """The extension leaves objects whose attributes differ to Python, which writes those of the class."""
    compiled().encode(frobber())
    for media_type in (JSON, PROTOBUF):
        right = compiled().encode(frobber(), media_type)
        assert native().encode(frobber(), media_type) == right
        obj = frobber()
        obj.api_version, obj.kind = version, kind
        assert native().encode(obj, media_type) is None
        expected = outcome(pure().encode, obj, media_type)
        assert outcome(compiled().encode, obj, media_type) == expected
        if isinstance(kind, str):
            assert expected[1] == right


def test_list_items_are_encoded_unchanged() -> None:
    listed: Any = FrobberList(items=[frobber(), frobber()])
    listed.items[0].kind = listed.items[0].api_version = ""
    written = compiled().encode(listed)
    assert written == pure().encode(listed)
    assert written.count(b'"kind":"Frobber"') == 1
    assert native().encode(listed, JSON) == written
