"""What the names of versions promise, how they rank, and how releases are counted."""

from __future__ import annotations

import pytest

from apigen.ir.api_names import version_problem
from apigen.ir.stability import (
    Stability,
    is_before,
    next_release,
    releases_later,
    stability,
    version_rank,
)
from apigen.language.releases import Release


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("v1", Stability.STABLE),
        ("v2beta3", Stability.BETA),
        ("v1alpha1", Stability.ALPHA),
        ("v0alpha0", Stability.ALPHA),
        ("alpha1", Stability.STABLE),
        ("v1gamma1", Stability.STABLE),
        ("v1beta", Stability.STABLE),
        ("V1beta1", Stability.STABLE),
        ("v1beta1\n", Stability.STABLE),
        ("", Stability.STABLE),
    ],
)
def test_version_name_determines_stability(name: str, expected: Stability) -> None:
    assert stability(name) is expected


def test_stabilities_are_ordered() -> None:
    assert Stability.ALPHA < Stability.BETA < Stability.STABLE
    assert str(Stability.BETA) == "beta"


def test_versions_rank_by_stability_then_by_number() -> None:
    names = ["v2", "v1alpha10", "v1", "v1beta10", "v2alpha2", "v10", "v1alpha1", "v2beta1", "v1beta2"]
    ranks = {name: rank for name in names if (rank := version_rank(name)) is not None}
    expected = "v1alpha1 v1alpha10 v2alpha2 v1beta2 v1beta10 v2beta1 v1 v2 v10"
    assert sorted(names, key=ranks.__getitem__) == expected.split()


@pytest.mark.parametrize("name", ["hub", "v", "v1beta", "v" + "1" * 5000, "v1.2"])
def test_other_names_have_no_rank(name: str) -> None:
    assert version_rank(name) is None
    assert stability(name) is Stability.STABLE


def test_specs_are_stricter_than_kubernetes() -> None:
    assert not any(map(version_problem, ("v1", "v2beta3", "v1alpha1", "v10")))
    assert all(map(version_problem, ("v0", "v01", "v1beta0", "v1alpha", "beta1", "v1beta1\n", f"v{'1' * 63}")))
    assert version_rank("v01") is not None


def test_release_distance_is_counted_in_minors() -> None:
    assert next_release(Release(1, 9)) == Release(1, 10)
    assert releases_later(Release(1, 9)) == Release(1, 12)
    assert releases_later(Release(1, 9), 0) == Release(1, 9)


@pytest.mark.parametrize(
    ("release", "expected"), [(Release(1, 11), True), (Release(1, 12), False), (Release(2, 0), False)]
)
def test_too_early_applies_within_a_major_version_only(release: Release, expected: bool) -> None:
    assert is_before(release, Release(1, 9), 3) is expected
