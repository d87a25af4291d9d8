"""Random objects of all kinds of this project, converted by the extension and by the generated Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated.runtime.errors import ApiError
from generated.runtime.kinds import HubKind, KindVersion
from generated.runtime.native import NativeCodec
from generated.runtime.scheme import Scheme
from tests.native.building import extension
from tests.native.kinds import PLACES, class_of, layouts, made_scheme, ways
from tests.native.making import objects
from tests.native.test_agreement import SEVERAL, changeable

ANY_PLACE = pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.package}.{place.kind}")


@cache
def codec() -> NativeCodec:
    return NativeCodec("generated", extension().Codec())


@cache
def compiled() -> Scheme:
    return made_scheme(codec())


@cache
def pure() -> Scheme:
    return made_scheme(None)


def outcome(made: Scheme, obj: object, to: str, *, share: bool) -> object:
    try:
        return made.convert(obj, to, share=share)
    except ApiError as error:
        return repr(error)


@ANY_PLACE
@SEVERAL
@given(data=st.data())
def test_extension_and_python_convert_identically(place: KindVersion | HubKind, data: st.DataObject) -> None:
    obj = data.draw(objects(layouts(), class_of(place)))
    before = pure().copy(obj)
    for to in ways(place):
        expected = outcome(pure(), obj, to, share=False)
        found = outcome(compiled(), obj, to, share=False)
        assert found == expected
        assert type(found) is type(expected)
        assert not set(changeable(found)) & set(changeable(obj))
        assert outcome(compiled(), obj, to, share=True) == expected
    assert obj == before


@contextmanager
def bent(obj: Any, attribute: str, value: object) -> Iterator[None]:
    before = getattr(obj, attribute)
    setattr(obj, attribute, value)
    yield
    setattr(obj, attribute, before)


@ANY_PLACE
def test_unusual_objects_are_converted_by_python(place: KindVersion | HubKind) -> None:
    """Missing attributes and values of other types: the extension never returns objects that Python rejects."""
    cls = class_of(place)
    obj = cls()
    for _, attribute, type_, _, _ in layouts()[cls]:
        if not isinstance(type_, str):
            for value in (5, "text", object.__new__(cls), [object()], {"a": 5}):
                with bent(obj, attribute, value):
                    for to in ways(place):
                        assert str(odd(compiled(), obj, to)) == str(odd(pure(), obj, to))
    delattr(obj, layouts()[cls][-1][1])
    for to in ways(place):
        assert str(odd(compiled(), obj, to)) == str(odd(pure(), obj, to))


def odd(made: Scheme, obj: object, to: str) -> object:
    try:
        return type(made.convert(obj, to))
    except (ApiError, AttributeError, TypeError, ValueError) as error:
        return type(error)


def test_extension_rarely_defers_to_python() -> None:
    """Of usual objects it leaves those alone that hand-written functions convert, and annotations that it does not read."""
    left: Counter[str] = Counter()
    done = 0
    for place in PLACES:
        obj = class_of(place)()
        for to in ways(place):
            compiled().convert(obj, to)
            is_left = codec().convert(obj, to, False) is None and to not in ("hub", place_name(place))
            left[f"{place.package}.{place.kind} -> {to}"] += is_left
            done += not is_left
    assert left.total() < done / 4, +left


def place_name(place: KindVersion | HubKind) -> str:
    return place.api_version if isinstance(place, KindVersion) else "hub"
