"""What is asked of a history is built once, and not at all where the last release tells as much."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.history.model import History
from apigen.ir.model import Api, Release
from apigen.ir.surface import TypeName
from apigen.lint.evolution import (
    Evolution,
    EvolutionRule,
    returned_is_identical,
)
from apigen.review.sources.api.surface_of import growth_declared_late
from tests.evolution_lifecycle.steps import frobber, group
from tests.ir.resolving import META, resolved

DEPTH = "depth: {type: int32, optional: true, protobuf: 4%s}"
MODE = "Mode: {enum: {A: {}, B: {}}%s}"
GONE = "tombstones: {depth: {protobuf: 4}}"


def api(folder: Path, file: str) -> Api:
    specs = {"features.yaml": "{}\n", "group.yaml": group("v1: {storage: true}"), "v1.yaml": file}
    return resolved(folder, {**META, **specs})


def rebuilt(rule: EvolutionRule, releases: dict[int, Api], now: Api) -> tuple[list[Release], list[str]]:
    """Which releases a rule has built again, in order, and the codes of what it finds."""
    asked: list[Release] = []

    def rebuild(release: Release) -> Api:
        asked.append(release)
        return releases[release.minor]

    history = History([Release(1, minor) for minor in releases], rebuild)
    found = list(rule.check(Evolution(now, history, Release(1, 12), frozenset({"things.example.com"}))))
    return asked, [rule.code] * len(found)


@pytest.mark.parametrize(("declared", "expected"), [("", [11]), (", unknown: A", [11, 9])])
def test_first_release_is_rebuilt_only_for_enums_that_may_grow(
    tmp_path: Path, declared: str, expected: list[int]
) -> None:
    field = "mode: {type: Mode, omitEmpty: true, protobuf: 5}"
    silent = api(tmp_path / "silent", frobber(field, types=MODE % ""))
    newest = api(tmp_path / "newest", frobber(field, types=MODE % declared))
    asked: list[int] = []

    def rebuild(release: Release) -> Api:
        asked.append(release.minor)
        return newest if release.minor == 11 else silent

    history = History([Release(1, minor) for minor in (9, 10, 11)], rebuild)
    late = growth_declared_late(history, history.api(Release(1, 11)), {"things.example.com"})
    assert asked == expected
    name = TypeName("things.example.com", "v1", "Mode")
    assert late == ({name: Release(1, 9)} if declared else {})


@pytest.mark.parametrize(("number", "expected"), [(4, []), (5, ["AG1323"])], ids=["as it was", "with another number"])
def test_restored_field_is_compared_with_its_last_state(tmp_path: Path, number: int, expected: list[str]) -> None:
    had, gone = api(tmp_path / "had", frobber(DEPTH % "")), api(tmp_path / "gone", frobber(more=GONE))
    back = f'depth: {{type: int32, optional: true, protobuf: {number}, returned: "1.12"}}'
    now = api(tmp_path / "now", frobber(back))
    asked, codes = rebuilt(returned_is_identical, {8: had, 9: had, 10: gone, 11: gone}, now)
    assert [release.minor for release in asked] == [11, 10, 9]
    assert codes == expected
