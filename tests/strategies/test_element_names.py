"""The loop variables of generated strategies and validation."""

from __future__ import annotations

import pytest

from apigen.codegen.strategies.values import element_name


@pytest.mark.parametrize(
    ("plural", "expected"),
    [
        ("containers", "container"),
        ("policies", "policy"),
        ("boxes", "box"),
        ("cpus", "cpu"),
        ("status", "status_item"),
        ("basis", "basis_item"),
        ("classes", "classes_item"),  # `class` is a keyword
        ("args", "arg"),
    ],
)
def test_element_is_named_after_its_list(plural: str, expected: str) -> None:
    assert element_name(plural) == expected
    assert element_name(plural, 1) == f"{expected}2"
