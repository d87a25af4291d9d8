"""An object shows a finding only if its outcome concerns the element of the finding."""

from __future__ import annotations

import pytest

from apigen.review.counterexamples.outcome import concerns, path_of


def test_paths_omit_items_keys_and_values() -> None:
    assert path_of(("spec", "ports", "[]", "name")) == "spec.ports.name"
    assert path_of(("labels", "{}")) == "labels"
    assert path_of(()) == ""


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("spec.color", True),
        ("spec.color.shade", True),
        ("spec", True),
        ("spec.paused", False),
        ("spec.colors", False),
        ("", False),
    ],
)
def test_outcome_is_attributed_to_its_path(path: str, expected: bool) -> None:
    assert concerns(path, ("spec.color",)) is expected


def test_indexes_are_ignored() -> None:
    assert concerns("spec.ports[3].name", ("spec.ports.name",))


def test_empty_place_matches_any_outcome() -> None:
    assert concerns("", ())
    assert concerns("spec.a", ("",))
