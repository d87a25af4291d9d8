"""The parts of ratcheting: the old element for a new one, and the unions that are validated again."""

from __future__ import annotations

import pytest

from apigen.runtime.field_paths import ROOT
from apigen.runtime.validation import (
    discriminated_union_errors,
    first_by,
    repeated,
    repeated_values,
    shown,
    union_errors,
    unpaired,
)

Item = tuple[str, int]
X = ROOT.child("x")


def name(item: Item) -> str:
    return item[0]


def test_first_element_of_a_key_is_used() -> None:
    assert first_by([("a", 1), ("b", 2), ("a", 3)], name) == {"a": ("a", 1), "b": ("b", 2)}
    assert first_by(None, name) == {}


def test_elements_in_one_list_only() -> None:
    items, others = [("a", 1), ("b", 2), ("c", 3)], [("b", 9), ("d", 9)]
    assert list(unpaired(items, others, name)) == [(0, ("a", 1)), (2, ("c", 3))]
    assert list(unpaired(items, None, name)) == list(enumerate(items))
    assert list(unpaired(None, others, name)) == []


def test_all_but_the_first_of_a_key_are_repeated() -> None:
    assert list(repeated([("a", 1), ("b", 2), ("a", 3), ("a", 4)], name)) == [(2, ("a", 3)), (3, ("a", 4))]


def test_unhashable_values_are_compared_semantically() -> None:
    values: list[dict[str, list[int] | None]] = [{"a": []}, {"b": [1]}, {"a": []}, {"b": [1]}, {"b": [2]}]
    assert list(repeated_values(values)) == [(2, {"a": []}), (3, {"b": [1]})]


BOTH = {"a": True, "b": True}
NONE = {"a": False, "b": False}
TOO_MANY = 'x: Invalid value: "{a, b}": must specify exactly one of: `a`, `b`'
TOO_FEW = 'x: Invalid value: "": must specify one of: `a`, `b`'


@pytest.mark.parametrize(
    ("now", "before", "optional", "texts"),
    [
        (BOTH, None, False, [TOO_MANY]),
        (BOTH, None, True, [TOO_MANY.replace("exactly", "at most")]),
        (BOTH, BOTH, False, []),
        (BOTH, NONE, False, [TOO_MANY]),
        (NONE, None, False, [TOO_FEW]),
        (NONE, None, True, []),
        (NONE, NONE, False, []),
        (NONE, BOTH, False, [TOO_FEW]),
        ({"a": True, "b": False}, BOTH, False, []),
    ],
)
def test_union_with_the_same_members_is_not_validated(
    now: dict[str, bool], before: dict[str, bool] | None, optional: bool, texts: list[str]
) -> None:
    assert [str(error) for error in union_errors(X, now, before, optional=optional)] == texts


MEMBERS = {"a": "A", "b": "B"}
NEEDS_A = 'x.a: Invalid value: "": must be specified when `type` is "A"'
NO_B = 'x.b: Invalid value: "": may only be specified when `type` is "B"'


@pytest.mark.parametrize(
    ("now", "before", "optional", "texts"),
    [
        (("A", {"a": True, "b": False}), None, False, []),
        (("A", NONE), None, False, [NEEDS_A]),
        (("A", NONE), None, True, []),
        (("A", BOTH), None, False, [NO_B]),
        (("A", {"a": False, "b": True}), None, False, [NEEDS_A, NO_B]),
        (("A", {"a": False, "b": True}), None, True, [NO_B]),
        (("A", NONE), ("A", NONE), False, []),
        (("A", NONE), ("B", NONE), False, [NEEDS_A]),
        ((None, NONE), None, False, []),
        (("C", NONE), None, False, []),
    ],
)
def test_a_union_with_discriminator(
    now: tuple[str | None, dict[str, bool]],
    before: tuple[str | None, dict[str, bool]] | None,
    optional: bool,
    texts: list[str],
) -> None:
    found = discriminated_union_errors(X, "type", MEMBERS, now, before, optional=optional)
    assert [str(error) for error in found] == texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        ("\x1f\x80\uffff\U00010000\U000e0001", '"\\x1f\\u0080\\uffff\U00010000\\U000e0001"'),
        ("\a\b\f\r\v", '"\\a\\b\\f\\r\\v"'),
        (1e-4, "0.0001"),
        (0.0, "0"),
        (-2.5, "-2.5"),
        ({"name": "é", "port": 1}, '{"name":"é","port":1}'),
    ],
)
def test_values_are_formatted_as_by_go(value: bool | float | str | dict[str, object], text: str) -> None:
    assert shown(value) == text
