"""Type expressions: what they mean, and that printing and parsing are inverse. Errors are in the diagnostic cases."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.diagnostics import Place
from apigen.language.grammars import MAX_NESTING, parse_type, type_text
from apigen.language.model import ListExpr, MapExpr, NamedExpr, TypeExpr
from apigen.language.nodes import TextError


def at(offset: int) -> Place:
    return Place("v1.yaml", 1, offset + 1)


GROUPS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9.-]{0,20}", fullmatch=True)
VERSIONS = st.from_regex(r"[a-z][a-z0-9]{0,9}", fullmatch=True)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}", fullmatch=True)
NAMED = st.one_of(
    st.builds(NamedExpr, NAMES, st.none(), st.none(), st.just(at(0))),
    st.builds(NamedExpr, NAMES, GROUPS, VERSIONS, st.just(at(0))),
)


def expressions(named: st.SearchStrategy[NamedExpr]) -> st.SearchStrategy[TypeExpr]:
    return st.recursive(
        named,
        lambda inner: st.one_of(
            inner.map(lambda item: ListExpr(item, at(0))), st.builds(MapExpr, named, inner, st.just(at(0)))
        ),
        max_leaves=6,
    )


@given(expressions(NAMED))
def test_print_parse_round_trip(expression: TypeExpr) -> None:
    assert parse_type(type_text(expression), lambda _: at(0)) == expression


def problem_of(text: str) -> TextError | None:
    try:
        parse_type(text, at)
    except TextError as error:
        return error
    return None


@given(st.text())
def test_any_string_is_a_type_or_an_error_with_offset(text: str) -> None:
    problem = problem_of(text)
    if problem is None:
        assert type_text(parse_type(text, at)) == text
    else:
        assert 0 <= problem.offset <= len(text)


def test_group_names_may_have_dots() -> None:
    assert parse_type("networking.k8s.io/v1.Ingress", at) == NamedExpr("Ingress", "networking.k8s.io", "v1", at(0))


def test_every_part_has_a_location() -> None:
    assert parse_type("[]map[string]meta/v1.Time", at) == ListExpr(
        MapExpr(NamedExpr("string", None, None, at(6)), NamedExpr("Time", "meta", "v1", at(13)), at(2)), at(0)
    )


@pytest.mark.parametrize("depth", [MAX_NESTING + 1, 1_000_000])
def test_nesting_is_bounded(depth: int) -> None:
    with pytest.raises(TextError):
        parse_type("[]" * depth + "string", at)
