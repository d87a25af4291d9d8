"""Fields that a default sets although they do not declare it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apigen.diagnostics import Report
from apigen.inputs.source import Setting
from apigen.ir.surface import Surface
from apigen.review.effects.nested_defaults import OuterDefaults
from apigen.review.links import Owner
from apigen.review.results import Direction, depends
from apigen.review.review import review
from apigen.review.sources.loading import load
from tests.review.cases import write_specs

PART: dict[str, Any] = {
    "fields": {"size": {"type": "int32", "optional": True}, "name": {"type": "string", "optional": True}}
}

SETTING: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a value": ({"type": "Part", "default": {"value": {"size": 3}}}, {}),
    "a value under a condition": ({"type": "Part", "default": [{"when": {"set": "count"}, "value": {"size": 3}}]}, {}),
    "another field": ({"type": "Part", "default": {"from": "count", "into": "size"}}, {}),
    "a list": ({"type": "[]Part", "listType": "atomic", "default": {"value": [{}, {"size": 3}]}}, {}),
    "a map": ({"type": "map[string]Part", "default": {"value": {"a": {"size": 3}}}}, {}),
    "entries of a map": ({"type": "map[string]Part", "default": {"value": {"a": {"size": 3}}, "byKey": True}}, {}),
    "a struct around it": ({"type": "Outer", "default": {"value": {"inner": {"size": 3}}}}, {}),
    "a path to the struct": ({"type": "Part"}, {"part": {"value": {"size": 3}}}),
}
FILLING: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a path": ({"type": "Part"}, {"part.size": {"value": 3}}),
    "a path through a list": ({"type": "[]Part", "listType": "atomic"}, {"part[].size": {"value": 3}}),
    "a path through a map": ({"type": "map[string]Part"}, {"part[].size": {"value": 3}}),
    "a path with a condition": ({"type": "Part"}, {"part.size": {"value": 3, "when": {"set": "name"}}}),
}


def _surface(tmp_path: Path, part: dict[str, Any], defaults: dict[str, Any], types: dict[str, Any]) -> Surface:
    thing = {"fields": {"count": {"type": "int32", "optional": True}, "part": {**part, "optional": True}}}
    outer = {"fields": {"inner": {"type": "Part", "optional": True}}}
    stages = [{"release": "1.9", "stage": "alpha"}]
    said = {
        "features": {"Wide": {"owner": "me", "stages": stages}},
        "types": {"Thing": {**thing, **({"defaults": defaults} if defaults else {})}, "Outer": outer, **types},
    }
    report = Report()
    found = load(str(write_specs(said, tmp_path)), Setting(tmp_path), report)
    assert found is not None and not report.has_errors, report.diagnostics
    return found


def _names(owners: dict[Owner, Any]) -> set[tuple[str, str]]:
    return {(holder.name, field) for holder, field in owners}


@pytest.mark.parametrize("way", SETTING)
def test_default_in_a_value_sets_fields(way: str, tmp_path: Path) -> None:
    found = OuterDefaults.of(_surface(tmp_path, *SETTING[way], {"Part": PART}))
    assert ("Part", "size") in _names(dict(found.in_values)) and ("Part", "name") not in _names(dict(found.in_values))
    assert ("Part", "size") not in _names(dict(found.by_path))


@pytest.mark.parametrize("way", FILLING)
def test_default_by_path_fills_a_field(way: str, tmp_path: Path) -> None:
    found = OuterDefaults.of(_surface(tmp_path, *FILLING[way], {"Part": PART}))
    assert _names(dict(found.by_path)) == {("Part", "size")} and not found.in_values


def test_default_sets_the_field_of_a_replaced_type(tmp_path: Path) -> None:
    default = {"from": "count", "into": "size"}
    gated = {"fields": {**PART["fields"], "size": {"type": "int32", "optional": True, "featureGate": "Wide"}}}
    old = _surface(tmp_path / "old", {"type": "Part", "default": default}, {}, {"Part": PART})
    new = _surface(tmp_path / "new", {"type": "Piece", "default": default}, {}, {"Part": PART, "Piece": gated})
    found = next(each for each in review(old, new).findings if each.rule == "type-replaced")
    assert found.effects[Direction.NEW_CLIENT] == depends(
        "newer clients omit `size`, and an older server sets it by default"
    )
