"""Nothing is written that cannot be read back: a wrong value at a random place is an error with its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from hypothesis import given

from generated.runtime.equality import semantic_equal
from generated.runtime.errors import EncodeError
from generated.runtime.kinds import KindVersion
from generated.runtime.quantity import Quantity
from generated.runtime.raw import FieldsV1, RawExtension
from generated.runtime.scheme import Scheme
from generated.runtime.times import Duration, MicroTime, Time
from tests.native.both import SEEDS, compiled, outcome, pure
from tests.native.kinds import JSON, PROTOBUF, class_of, layouts
from tests.native.sanitized import making
from tests.native.sanitized.making import randomized
from tests.native.test_agreement import ANY_KIND, SEVERAL

YAML = "application/yaml"

Put = Callable[[Any], None]
Place = tuple[str, Any, Any, Put]
"""Path, type, value, and what puts another value there."""


class Text(str):
    """A string of a class of its own, as members of enums are."""


class Number(int):
    """An integer of a class of its own."""


MOMENT = datetime(2024, 2, 29, 12, 30, 15, 250_000, UTC)
WRONG: tuple[Callable[[], Any], ...] = tuple(
    (lambda value=value: value)
    for value in (
        *(None, True, False, 0, 1, -1, 7, 2**31, -(2**31) - 1, 2**40, 2**63, 2**64, 10**400, Number(3)),
        *(0.0, 1.0, 1.5, 12.5, float("nan"), float("inf"), 1e300),
        *("", "x", "1", "\ud800", "\udc80", Text("s"), Text(""), b"", b"x", bytearray(b"x")),
        *(Time(0), Time(10**15), Time(-62135596800), MicroTime(0), Duration(1), Duration(2**63), Quantity("1")),
        *(RawExtension(b"{}"), RawExtension(b"{"), FieldsV1(b"{}"), FieldsV1(b"nul")),
        *(MOMENT, datetime(2024, 1, 1), object(), (), (1,), {1, 2}),
    )
) + (list, dict, lambda: [None], lambda: [1], lambda: ["a", 1], lambda: {"a": None}, lambda: {"a": 1}, lambda: {1: "a"})


@pytest.fixture(autouse=True)
def compact_raw_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raw JSON is written without spaces, so that only compact JSON is read back as the same text."""
    monkeypatch.setattr(making, "RAWS", (b"{}", b'{"a":[1,2.5,null]}', b'"x"'))


@ANY_KIND
@SEVERAL
@given(seed=SEEDS)
def test_wrong_values_are_errors_or_round_trip(entry: KindVersion, seed: int) -> None:
    random = Random(seed)
    obj = randomized(layouts(), class_of(entry), random)
    if entry.type_meta:
        obj.api_version, obj.kind = entry.api_version, entry.kind
    path, _, _, put = random.choice(list(places(obj)))
    wrong = random.choice(WRONG)()
    put(wrong)
    for media in (JSON, PROTOBUF, YAML):
        found = outcome(pure().encode, obj, media)
        assert outcome(compiled().encode, obj, media) == found
        try:
            data = pure().encode(obj, media)
        except EncodeError as error:
            assert leads_to(error.path, path), wrong  # noqa: PT017
        else:
            assert_reads_back(pure(), entry, obj, data, media, wrong)


def leads_to(path: str, place: str) -> bool:
    """Whether a path is that of a place, or of what was put there."""
    return path == place or path.startswith((f"{place}[", f"{place}."))


def assert_reads_back(scheme: Scheme, entry: KindVersion, obj: Any, data: bytes, media: str, wrong: object) -> None:
    expect = None if entry.type_meta else class_of(entry)
    back = scheme.decode(data, media, default=False, expect=expect)
    if wrong is MOMENT:  # which is written, and read back as the time that it is
        assert scheme.encode(back, media) == data
    else:
        assert semantic_equal(back, obj), wrong


def places(obj: Any, path: str = "") -> Iterator[Place]:
    """All values in an object, but what it says of itself, which objects in others do not say in protobuf."""
    for name, attribute, type_, _, numbers in layouts()[type(obj)]:
        if not numbers:
            setattr(obj, attribute, getattr(obj, attribute) if not path else "")
        else:
            put = lambda value, attribute=attribute: setattr(obj, attribute, value)  # noqa: E731
            yield from below(f"{path}.{name}" if path else name, type_, getattr(obj, attribute), put)


def below(path: str, type_: Any, value: Any, put: Put) -> Iterator[Place]:
    yield path, type_, value, put
    word, inner = type_ if isinstance(type_, tuple) else ("", None)
    if word in ("nullable", "message"):
        yield from list(below(path, inner, value, put))[1:]
    elif isinstance(type_, type) and value is not None:
        yield from places(value, path)
    elif value and word:
        for key, item in enumerate(value) if word == "list" else value.items():
            put = lambda new, key=key: value.__setitem__(key, new)  # noqa: E731
            yield from below(f"{path}[{key}]", inner, item, put)


def test_every_kind_of_invalid_value_is_covered() -> None:
    """Guards against a property that never puts anything wrong."""
    random, errors = Random(1), 0
    for _ in range(200):
        obj = randomized(layouts(), class_of(pure()._kinds.versions["things.example.com/v6", "Frobber"]), random)
        _, _, _, put = random.choice(list(places(obj)))
        put(random.choice(WRONG)())
        errors += outcome(pure().encode, obj, JSON)[1] is None
    assert errors > 100
