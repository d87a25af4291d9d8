"""A singular next to its plural: the meaning of requests, by the rules of Kubernetes' API changes."""

from __future__ import annotations

import pytest

from apigen.runtime.field_paths import ROOT
from apigen.runtime.singulars import by_position, reconciled, singular_errors

BEFORE = ("a", ["a", "b"])
GONE = ("", ["a", "b"])


@pytest.mark.parametrize(
    ("singular", "plural", "before", "meant"),
    [
        ("", None, None, None),
        ("", [], None, []),
        ("a", None, None, ["A"]),
        ("a", [], None, ["A"]),
        ("a", ["a", "b"], None, ["a", "b"]),
        ("a", ["b"], None, ["b"]),
        ("a", None, BEFORE, ["a", "b"]),
        ("a", ["a", "c"], BEFORE, ["a", "c"]),
        ("c", ["a", "b"], BEFORE, ["C"]),
        ("", ["a", "b"], BEFORE, None),
        ("c", ["c", "d"], BEFORE, ["c", "d"]),
        ("", ["c"], BEFORE, ["c"]),
        ("", None, BEFORE, None),
        ("c", None, BEFORE, ["C"]),
        ("", None, GONE, ["a", "b"]),
        ("a", ["a", "b"], BEFORE, ["a", "b"]),
    ],
)
def test_reconciliation_of_singular_and_plural(
    singular: str, plural: list[str] | None, before: tuple[str, list[str] | None] | None, meant: list[str] | None
) -> None:
    assert reconciled(singular, plural, before, str.upper) == meant


@pytest.mark.parametrize(
    ("singular", "first", "text"),
    [
        ("", None, None),
        ("a", None, None),
        ("a", "a", None),
        ("a", "b", 'names: Invalid value: "b": first value must match `name`'),
        ("", "b", 'names: Invalid value: "b": must be empty when `name` is not specified'),
    ],
)
def test_contradicting_singular_and_plural(singular: str, first: str | None, text: str | None) -> None:
    errors = singular_errors(ROOT, "name", singular, "names", first)
    assert [str(error) for error in errors] == ([text] if text else [])


@pytest.mark.parametrize(
    ("items", "old", "paired"),
    [
        (None, None, []),
        (None, ["x"], []),
        (["a"], None, [None]),
        (["a", "b"], ["x"], [None, None]),
        (["a", "b"], ["x", "y"], ["x", "y"]),
        ([], [], []),
    ],
)
def test_elements_without_identity_are_paired_by_position(
    items: list[str] | None, old: list[str] | None, paired: list[str | None]
) -> None:
    assert by_position(items, old) == paired
