"""All of Kubernetes' API: every vector of 1.36, and every fixture of five releases.

Doing nothing agrees with three quarters of the conversions, so the numbers that it reaches are asserted too.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kubernetes.records import conversions, defaultings, encoded
from tests.kubernetes.whole import checking_all
from tests.kubernetes.whole.checking_all import KINDS_OF_VECTORS, Piece, check, differences, unused_differences
from tests.kubernetes.whole.conftest import Built
from tests.kubernetes.whole.outcomes import Outcome, count
from tests.kubernetes.whole.packing import packed_releases
from tests.kubernetes.whole.releases import NEWEST, REFERENCE, SETS
from tests.kubernetes.whole.shared import ABSENT, SHARED, VECTORS

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=ABSENT)

GROUPS = [
    (what, file.name.removesuffix(".jsonl.gz"))
    for what in KINDS_OF_VECTORS
    for file in sorted((VECTORS / what).glob("*.jsonl.gz"))
    if not file.name.startswith(("wellknown", "decoding"))
]
TOTALS = {"conversions": 10200, "defaults": 1100, "codec": 1455}


@pytest.mark.parametrize(("what", "group"), GROUPS)
def test_vectors(built: Built, what: str, group: str, record_property: Callable[[str, object], None]) -> None:
    outcomes = check(Piece(what, group, *built(REFERENCE)))
    found = count(outcomes)
    record_property("vectors", [what, group, found.total, found.agree, found.by_nothing])
    wrong = [f"{outcome.name}: {outcome.problem}" for outcome in outcomes if outcome.problem]
    assert outcomes
    assert not wrong, f"{len(wrong)} of {len(outcomes)} records\n" + "\n".join(wrong[:20])


@pytest.mark.slow
@pytest.mark.parametrize("release", SETS)
def test_release_round_trips_its_own_fixtures(built: Built, release: str) -> None:
    _assert_all(check_fixtures(built, "own fixtures", release, release))


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for release, name in SETS.items() if release != NEWEST])
def test_newest_release_decodes_earlier_fixtures(built: Built, name: str) -> None:
    _assert_all(check_fixtures(built, "fixtures", name, NEWEST))


def check_fixtures(built: Built, what: str, which: str, release: str) -> list[str]:
    outcomes = check(Piece(what, which, *built(release)))
    assert len(outcomes) > 300
    return [f"{outcome.name}: {outcome.problem}" for outcome in outcomes if outcome.problem]


def _assert_all(wrong: list[str]) -> None:
    assert not wrong, f"{len(wrong)} files\n" + "\n".join(wrong[:20])


@pytest.mark.slow
def test_number_of_records() -> None:
    """Exact numbers, so that a missing record fails the test."""
    found = {
        "conversions": len(conversions(VECTORS)),
        "defaults": len(defaultings(VECTORS)),
        "codec": sum(1 for _ in encoded(VECTORS)),
    }
    assert found == TOTALS


def test_intended_differences_are_records() -> None:
    names = {f"conversions {r.group or 'core'} {r}" for r in conversions(VECTORS)}
    names |= {f"defaults {r.group or 'core'} {r}" for r in defaultings(VECTORS)}
    names |= {f"codec {r.group or 'core'} {r}" for r in encoded(VECTORS)}
    assert differences().keys() <= names


def test_every_other_release_has_an_archive() -> None:
    assert {*packed_releases(), REFERENCE} == set(SETS)


def test_listed_differences_are_counted_only_if_present(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = {"codec core Pod v1 1": "on purpose", "codec core Pod v1 2": "on purpose", "codec core Pod v1 3": "gone"}
    monkeypatch.setattr(checking_all, "differences", lambda: listed)
    differs, agrees = Outcome("codec", "core", "Pod v1 1", "other bytes"), Outcome("codec", "core", "Pod v1 2", "")
    monkeypatch.setattr(checking_all, "_evaluated", lambda _: iter((differs, agrees)))
    checked = check(Piece("codec", "core", VECTORS, VECTORS))
    assert [outcome.problem for outcome in checked] == ["", "is listed as a difference, but agrees"]
    assert unused_differences(checked) == ["differences.json lists 'codec core Pod v1 3', which nothing is called"]
