"""An object shows a finding only if its outcome concerns the element of the finding."""

from __future__ import annotations

import pytest

from apigen.review.counterexamples.outcome import concerns, path_of


def test_paths_omit_items_keys_and_values() -> None:
    assert path_of(("spec", "ports", "[]", "name")) == "spec.ports.name"
    assert path_of(("labels", "{}")) == "labels"
    assert path_of(()) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('the request is rejected: spec.color: Unsupported value: "Green"', True),
        ("spec.color comes out as 1, and was 2", True),
        ("spec.color.shade is lost: it was true", True),
        ("spec comes out as {}, and was null", True),
        ('the request is rejected: unknown field "spec.paused"', False),
        ("spec.colors is lost: it was 1", False),
        ("the server does not serve v1", False),
    ],
)
def test_outcome_is_attributed_to_its_path(text: str, expected: bool) -> None:
    assert concerns(text, ("spec.color",)) is expected


def test_indexes_are_ignored() -> None:
    assert concerns("spec.ports[3].name is lost: it was 1", ("spec.ports.name",))


def test_empty_path_matches_any_outcome() -> None:
    assert concerns("the server does not serve v1", ())
    assert concerns("spec.a is lost: it was 1", ("",))
