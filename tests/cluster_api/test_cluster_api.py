"""The conversions of cluster-api between v1beta1 and v1beta2, declared in specs, against results of its Go code."""

from __future__ import annotations

import pytest

from tests.cluster_api.agreement import Tallies, compare, hand_written_lines, loaded, share

KINDS = 12


@pytest.fixture(scope="module")
def tallies(tmp_path_factory: pytest.TempPathFactory) -> Tallies:
    with loaded(tmp_path_factory.mktemp("cluster_api")) as scheme:
        return compare(scheme, share())


@pytest.mark.parametrize("direction", ["up", "down", "complete", "restored", "annotation"])
def test_conversions_agree_with_cluster_api(tallies: Tallies, direction: str) -> None:
    found = {kind: tally for (kind, way), tally in tallies.items() if way == direction}
    assert len(found) == (KINDS - 2 if direction == "annotation" else KINDS)
    assert {kind: tally.differences for kind, tally in found.items() if tally.agree < tally.checked} == {}


def test_records_need_conversions(tallies: Tallies) -> None:
    copied = sum(tally.copied for (_, way), tally in tallies.items() if way in ("up", "down"))
    assert copied < sum(tally.checked for (_, way), tally in tallies.items() if way in ("up", "down")) / 10


def test_hand_written_code_is_short() -> None:
    assert hand_written_lines() <= 150
