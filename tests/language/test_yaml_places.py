"""Every node knows its place, and a scalar that of each of its characters."""

from __future__ import annotations

import pytest

from apigen.diagnostics import Place
from apigen.language.nodes import Mapping, Scalar
from tests.language.reading import nodes_of


def scalar_of(text: str) -> Scalar:
    root = nodes_of(text)
    assert isinstance(root, Mapping)
    value = root.entries[-1].value
    assert isinstance(value, Scalar)
    return value


def test_keys_and_values() -> None:
    root = nodes_of("ä:\n  - {b: c}\n")
    assert isinstance(root, Mapping)
    assert root.entries[0].key.place == Place("x.yaml", 1, 1)
    assert root.entries[0].value.place == Place("x.yaml", 2, 3)


@pytest.mark.parametrize(
    ("text", "column"),
    [("a: bcd", 6), ("a: 'bcd'", 7), ('a: "bcd"', 7), ("ä: '€cd'", 7), ("😀: [x]\na: bcd", 6)],
)
def test_location_of_a_character_in_a_scalar(text: str, column: int) -> None:
    assert scalar_of(text).place_at(2).column == column


@pytest.mark.parametrize("text", ["a: 'b''d'", 'a: "\\x62cd"', "a: |\n  bcd", "a: b\n  cd", "a: &x bcd"])
def test_escaped_scalars_have_the_location_of_their_start(text: str) -> None:
    scalar = scalar_of(text)
    assert scalar.place_at(2) == scalar.place


def test_carriage_returns_are_ignored() -> None:
    assert scalar_of("a: 1\r\nb: 2\r\n").place == Place("x.yaml", 2, 4)
