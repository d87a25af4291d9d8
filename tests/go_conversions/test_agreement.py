"""The conversions of Go projects between v1beta1 and v1beta2, declared in specs, against results of their Go code."""

from __future__ import annotations

import pytest

from tests.go_conversions.agreement import PROJECTS, Project, Tallies, compare, loaded

pytestmark = pytest.mark.slow(as_file=True, one_in=4)

KINDS = {"cluster-api": 12, "kueue": 5}
DIRECTIONS = {
    "cluster-api": ["up", "down", "complete", "restored", "annotation"],
    "kueue": ["up", "down", "back"],
}
WITHOUT_ANNOTATION = 2
"""Kinds of cluster-api of which v1beta1 holds everything."""
MOST_LINES = {"cluster-api": 150, "kueue": 100}


@pytest.fixture(scope="module", params=PROJECTS.values(), ids=PROJECTS)
def project(request: pytest.FixtureRequest) -> Project:
    found: Project = request.param
    return found


@pytest.fixture(scope="module")
def tallies(project: Project, tmp_path_factory: pytest.TempPathFactory) -> Tallies:
    with loaded(project, tmp_path_factory.mktemp(project.folder.name)) as scheme:
        return compare(project, scheme, project.shared())


def test_conversions_agree_with_those_of_the_project(project: Project, tallies: Tallies) -> None:
    found = dict.fromkeys(DIRECTIONS[project.name], 0)
    for _, direction in tallies:
        found[direction] += 1
    kinds = KINDS[project.name]
    assert found == {way: kinds - WITHOUT_ANNOTATION * (way == "annotation") for way in found}
    assert {key: tally.differences for key, tally in tallies.items() if tally.agree < tally.checked} == {}


def test_records_need_conversions(project: Project, tallies: Tallies) -> None:
    counted = [tally for (_, way), tally in tallies.items() if way in ("up", "down")]
    copied, checked = sum(tally.copied for tally in counted), sum(tally.checked for tally in counted)
    assert copied < checked / (10 if project.name == "cluster-api" else 2)


def test_hand_written_code_is_short(project: Project) -> None:
    assert project.hand_written_lines() <= MOST_LINES[project.name]
