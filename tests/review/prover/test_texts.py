"""Inclusion of texts by lengths, bytes, values and formats."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apigen.ir.formats import FORMATS
from apigen.review.prover import texts
from apigen.review.prover.regex import Undecidable, one_account
from apigen.review.prover.result import INCLUDED, Included, NotIncluded, NotProven
from apigen.review.prover.texts import KNOWN, Texts, accepted, text_of, texts_included

SHORT = tuple("".join(each) for length in range(5) for each in product("aé😀", repeat=length))
_VALUES = st.none() | st.frozensets(st.sampled_from(["", "a", "aa", "é", "aé", "b"]), max_size=3)
_BOUND = st.none() | st.integers(0, 4)


@st.composite
def sets(draw: st.DrawFn) -> Texts:
    """Texts with a few limits."""
    return Texts(
        patterns=draw(st.sampled_from([(), (), ("^a*$",), ("é",), ("^[aé]+$", "a$")])),
        least=draw(st.integers(0, 2)),
        most=draw(_BOUND),
        least_bytes=draw(st.integers(0, 3)),
        most_bytes=draw(st.none() | st.integers(0, 8)),
        allowed=draw(_VALUES),
        excluded=draw(st.frozensets(st.sampled_from(["", "a", "é"]), max_size=2)),
        without=draw(st.sampled_from([(), (), ("^a",), ("é", "aa"), ("^a*$",)])),
    )


@pytest.mark.slow
@settings(max_examples=500, deadline=None)
@given(sets(), sets())
def test_result_is_correct_for_all_short_strings(one: Texts, other: Texts) -> None:
    match texts_included(one, other):
        case Included():
            assert [text for text in SHORT if not one.rejects(text) and other.rejects(text)] == []
        case NotIncluded(example):
            assert isinstance(example, str) and not one.rejects(example) and other.rejects(example)
        case NotProven(reason):
            raise AssertionError(reason)


@given(st.integers(0, 40), st.integers(0, 160))
def test_strings_of_a_length(length: int, size: int) -> None:
    made = text_of(length, size)
    if not length <= size <= 4 * length:
        assert made is None
    else:
        assert made is not None and (len(made), len(made.encode())) == (length, size)


def test_large_bounds_are_arithmetic() -> None:
    assert texts_included(Texts(most=1_000_000), Texts(most=2_000_000)) == INCLUDED
    found = texts_included(Texts(most=50_000), Texts(most=40_000))
    assert isinstance(found, NotIncluded) and found.counter_example == "a" * 40_001
    assert texts_included(Texts(), Texts(most=1_000_000)) == NotIncluded()


def test_an_example_that_is_not_empty_is_preferred() -> None:
    assert texts_included(Texts(), Texts(least=2)) == NotIncluded("a")
    assert texts_included(Texts(), Texts(least=1)) == NotIncluded("")


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(sorted(KNOWN)), st.text("ab1-._A", max_size=70))
def test_format_patterns_agree_with_validation(name: str, text: str) -> None:
    assert (not KNOWN[name].rejects(text)) == FORMATS[name](text)


def test_formats() -> None:
    short, long, prefixed = (Texts(formats=(f"k8s-{name}",)) for name in ("short-name", "long-name", "label-key"))
    assert texts_included(short, long) == INCLUDED
    assert texts_included(short, Texts(most=63)) == INCLUDED
    assert texts_included(prefixed, prefixed) == INCLUDED
    found = texts_included(long, short)
    assert isinstance(found, NotIncluded) and isinstance(found.counter_example, str)
    assert accepted(long, found.counter_example) and not accepted(short, found.counter_example)
    assert isinstance(texts_included(Texts(), prefixed), NotIncluded)
    assert isinstance(texts_included(Texts(), Texts(formats=("e-mail",))), NotProven)
    assert isinstance(texts_included(Texts(formats=("e-mail",)), Texts(most=9)), NotProven)
    assert texts_included(Texts(most=5, formats=("e-mail",)), Texts(most=9)) == INCLUDED


def test_oversized_pattern_is_detected_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[object] = []

    def build(node: object) -> None:
        built.append(node)
        raise Undecidable("too large")

    monkeypatch.setattr(texts, "Machine", build)
    pattern = "(only of this test){1,1000}"
    with one_account():
        for _ in range(3):
            with pytest.raises(Undecidable, match="too large"):
                texts.machine(pattern)
    assert len(built) == 1
