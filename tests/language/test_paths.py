"""Paths: what they mean, and that printing and parsing are inverse. Errors are in the diagnostic cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.diagnostics import Place
from apigen.language.grammars import parse_path, path_text
from apigen.language.model import Comparison, Each, Index, Key, Name, Prefix, Select, Step
from apigen.language.nodes import TextError

PLACE = Place("v1.yaml", 1, 1)

WORDS = st.text(st.sampled_from('ab0$./[]=!,"\\ \n'), min_size=1, max_size=5) | st.text(min_size=1, max_size=5)
FIELDS = st.builds(Name, WORDS)
COMPARISONS = st.builds(
    Comparison, st.lists(FIELDS, min_size=1, max_size=3).map(tuple), st.booleans(), st.just("") | WORDS
)
BRACKETS = st.one_of(
    st.just(Each()),
    st.builds(Index, st.integers(0, 999_999_999)),
    st.builds(Key, st.just("") | WORDS | st.just("0") | st.sampled_from(["*", "a*", "a*b*", "**"])),
    st.builds(Prefix, st.text(st.sampled_from("ab0./-"), min_size=1, max_size=5)),
    st.builds(Select, st.lists(COMPARISONS, min_size=1, max_size=3).map(tuple)),
)
SEGMENTS = st.tuples(FIELDS, st.lists(BRACKETS, max_size=3)).map(lambda segment: (segment[0], *segment[1]))
PATHS = st.lists(SEGMENTS, min_size=1, max_size=4).map(lambda segments: tuple(step for one in segments for step in one))


@given(PATHS, st.booleans())
def test_print_parse_round_trip(steps: tuple[Step, ...], from_type: bool) -> None:
    path = parse_path(path_text(steps, from_type), PLACE)
    assert (path.steps, path.from_type) == (steps, from_type)


def problem_of(text: str) -> TextError | None:
    try:
        parse_path(text, PLACE)
    except TextError as error:
        return error
    return None


@given(st.text(st.sampled_from('ab0$./[]=!,"*\\ ')) | st.text())
def test_any_string_is_a_path_or_an_error_with_offset(text: str) -> None:
    problem = problem_of(text)
    if problem is None:
        path = parse_path(text, PLACE)
        assert parse_path(path_text(path.steps, path.from_type), PLACE).steps == path.steps
    else:
        assert 0 <= problem.offset <= len(text)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (".", ()),
        ("a.b", (Name("a"), Name("b"))),
        ("./set", (Name("set"),)),
        ("rules[].host", (Name("rules"), Each(), Name("host"))),
        ("podIPs[0].ip", (Name("podIPs"), Index(0), Name("ip"))),
        ("data[00]", (Name("data"), Key("00"))),
        ('data["0"]', (Name("data"), Key("0"))),
        ("annotations[a.b/c-d]", (Name("annotations"), Key("a.b/c-d"))),
        ("annotations[a.b/*]", (Name("annotations"), Prefix("a.b/"))),
        ('annotations["a.b/*"]', (Name("annotations"), Key("a.b/*"))),
        ("annotations[*]", (Name("annotations"), Key("*"))),
        ('labels["a]b=\\"c"].x', (Name("labels"), Key('a]b="c'), Name("x"))),
        ("$ref", (Name("$ref"),)),
        ("list[][]", (Name("list"), Each(), Each())),
        (
            'm[type=Resource, resource.name!=cpu,x=""]',
            (
                Name("m"),
                Select(
                    (
                        Comparison((Name("type"),), True, "Resource"),
                        Comparison((Name("resource"), Name("name")), False, "cpu"),
                        Comparison((Name("x"),), True, ""),
                    )
                ),
            ),
        ),
    ],
)
def test_meaning(text: str, steps: tuple[Step, ...]) -> None:
    path = parse_path(text, PLACE)
    assert (path.steps, path.from_type, str(path)) == (steps, False, text)


def test_from_the_type() -> None:
    path = parse_path("$.spec.x", PLACE)
    assert (path.steps, path.from_type) == ((Name("spec"), Name("x")), True)
