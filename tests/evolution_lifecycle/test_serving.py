"""Which versions a server of a release serves, prefers and stores."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apigen.runtime.features import Features
from apigen.runtime.kinds import KindVersion
from apigen.runtime.lifecycle import by_priority, served, stored, version_priority

NAMES = ("v2", "v1", "v2beta1", "v1beta2", "v1beta1", "v2alpha1", "v1alpha1")
"""In the order in which Kubernetes prefers them."""


def version(name: str, introduced: str = "", removed: str = "", **more: bool) -> KindVersion:
    return KindVersion(
        group="things.example.com", version=name, kind="Frobber", package="", functions="", hub="",
        introduced=introduced, removed=removed, **more,
    )  # fmt: skip


def names(versions: list[KindVersion]) -> list[str]:
    return [each.version for each in versions]


def emulated(release: str, oldest: str) -> Features:
    return Features((), release, min_compatibility=oldest)


@given(st.permutations(NAMES))
def test_priority(shuffled: list[str]) -> None:
    assert names(by_priority(version(name) for name in shuffled)) == list(NAMES)


@pytest.mark.parametrize(
    ("lower", "higher"), [("v9", "v10"), ("v1beta9", "v1beta10"), ("v9beta1", "v1"), ("vx", "v1alpha1")]
)
def test_numbers_are_compared_as_numbers(lower: str, higher: str) -> None:
    assert version_priority(lower) < version_priority(higher)


def test_preferred_version_is_first() -> None:
    assert names(by_priority([version("v1"), version("v2"), version("v1beta1", preferred=True)])) == [
        "v1beta1",
        "v2",
        "v1",
    ]


def test_storage_version_is_first_without_preferred_version() -> None:
    prepared = [version("v2"), version("v1", storage=True), version("v1beta1")]
    assert names(by_priority(prepared)) == ["v1", "v2", "v1beta1"]
    assert names(by_priority([*prepared, version("v1beta2", preferred=True)]))[:2] == ["v1beta2", "v2"]


LIVES = (
    version("v1", introduced="1.12", storage=True),
    version("v1beta1", introduced="1.9", removed="1.15"),
    version("v1alpha1", introduced="1.8", removed="1.12"),
)


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.7", []),
        ("1.8", ["v1alpha1"]),
        ("1.9", ["v1beta1", "v1alpha1"]),
        ("1.11", ["v1beta1", "v1alpha1"]),
        ("1.12", ["v1", "v1beta1"]),
        ("1.14", ["v1", "v1beta1"]),
        ("1.15", ["v1"]),
    ],
)
def test_served(release: str, expected: list[str]) -> None:
    assert names(served(LIVES, release)) == expected


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.12", ["v1", "v1beta1", "v1alpha1"]),
        ("1.13", ["v1", "v1beta1"]),
        ("1.15", ["v1", "v1beta1"]),
        ("1.16", ["v1"]),
    ],
)
def test_removed_versions_are_kept_for_one_release(release: str, expected: list[str]) -> None:
    assert names(served(LIVES, release, keep_removed=True)) == expected


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("1.7", []),
        ("1.8", ["v1alpha1"]),  # alpha brings nothing with it
        ("1.9", ["v1", "v1beta1", "v1alpha1"]),
        ("1.11", ["v1", "v1beta1", "v1alpha1"]),
    ],
)
def test_later_versions_are_served_forward_compatibly(release: str, expected: list[str]) -> None:
    assert names(served(LIVES, release, forward_compatible=True)) == expected


@pytest.mark.parametrize(
    ("release", "enabled", "expected"),
    [
        ("1.11", "things.example.com/v1", ["v1", "v1beta1", "v1alpha1"]),
        ("1.11", "things.example.com/v2", ["v1beta1", "v1alpha1"]),
        ("1.15", "things.example.com/v1beta1", ["v1"]),  # removed versions stay removed
    ],
)
def test_later_versions_are_served_by_name(release: str, enabled: str, expected: list[str]) -> None:
    assert names(served(LIVES, release, enabled=[enabled])) == expected


def test_unserved_version_is_not_served() -> None:
    assert names(served([version("v1"), version("v2", served=False)], "1.9")) == ["v1"]


@pytest.mark.parametrize(
    ("release", "oldest", "expected"),
    [
        ("1.13", "1.12", "v1"),
        ("1.12", "1.11", "v1beta1"),  # 1.11 could not read v1
        ("1.12", "1.12", "v1"),
        ("1.10", "1.9", "v1beta1"),
        ("1.9", "1.8", "v1beta1"),  # alpha is nothing to go back to
        ("1.8", "1.7", "v1alpha1"),
        ("1.7", "1.6", "v1"),  # not served at all
    ],
)
def test_stored(release: str, oldest: str, expected: str) -> None:
    found = stored(LIVES, emulated(release, oldest))
    assert found is not None and found.version == expected


def test_storage_version_of_specs_is_not_exceeded() -> None:
    lives = (version("v2", introduced="1.9"), version("v1", introduced="1.8", storage=True))
    found = stored(lives, emulated("1.12", "1.11"))
    assert found is not None and found.version == "v1"


def test_storage_version_without_gates_follows_specs() -> None:
    found = stored(LIVES, None)
    assert found is not None and found.version == "v1"
    assert stored([version("v1")], None) is None
    assert stored([version("v1")], emulated("1.12", "1.11")) is None


def releases() -> st.SearchStrategy[int]:
    return st.integers(1, 20)


@st.composite
def lives(draw: st.DrawFn) -> list[KindVersion]:
    chosen = draw(st.lists(st.sampled_from(NAMES), min_size=1, unique=True))
    storage = draw(st.sampled_from(chosen))
    made = []
    for name in chosen:
        introduced = draw(releases())
        removed = draw(st.none() | st.integers(introduced + 1, 25))
        gone = "" if removed is None else f"1.{removed}"
        made.append(version(name, f"1.{introduced}", gone, storage=name == storage, served=draw(st.booleans())))
    return made


def known(versions: list[KindVersion], release: int) -> Iterator[KindVersion]:
    return (v for v in versions if int(v.introduced.partition(".")[2]) <= release)


@given(lives(), releases(), st.integers(0, 3))
def test_stored_objects_are_readable_by_oldest_release(versions: list[KindVersion], release: int, back: int) -> None:
    """Applies if the oldest release has a non-alpha version up to the storage version; else the emulated release."""
    oldest = max(release - back, 1)
    found = stored(versions, emulated(f"1.{release}", f"1.{oldest}"))
    assert found is not None
    own = version_priority(next(v.version for v in versions if v.storage))
    below = [v for v in versions if version_priority(v.version) <= own]
    if any("alpha" not in v.version for v in known(below, oldest)):
        assert found in list(known(below, oldest)) and "alpha" not in found.version
    elif list(known(below, release)):
        assert found in list(known(below, release))
    else:
        assert found.storage


@given(lives(), releases())
def test_switches_only_add(versions: list[KindVersion], release: int) -> None:
    plain = served(versions, f"1.{release}")
    for keep in (False, True):
        for forward in (False, True):
            more = served(versions, f"1.{release}", keep_removed=keep, forward_compatible=forward)
            assert set(plain) <= set(more)
            assert more == by_priority(more)
    assert all(v.served for v in plain)
