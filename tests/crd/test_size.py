"""Manifests that are too large for a request, for etcd, or for `kubectl apply`; descriptions can be shortened."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.crd.test_manifests import CASES, made
from tests.yaml_files import read_yaml

CASE = next(path for path in CASES if path.stem == "columns-and-names")


def sized(characters: int, folder: Path, **settings: int) -> list[str]:
    """What is reported of a manifest with a description of that size."""
    case = read_yaml(CASE.read_text(encoding="utf-8"))
    specs = case["specs"]
    text = read_yaml(specs["example.com/v1.yaml"])
    text["types"]["WidgetSpec"]["doc"] = "<" * (characters // 6)  # six characters in Go's JSON
    specs["example.com/v1.yaml"] = yaml.safe_dump(text)
    _, problems = made({**case, "settings": settings}, folder)
    return [f"{each.severity.value} {each.code}: {each.message}" for each in problems.diagnostics]


@pytest.mark.parametrize(
    ("characters", "severity", "limit"),
    [
        (260_000, "", ""),
        (264_000, "warning", "262,144"),
        (1_600_000, "error", "1,572,864"),
        (3_200_000, "error", "3,145,728"),
    ],
)
def test_size_is_checked(characters: int, severity: str, limit: str, tmp_path: Path) -> None:
    found = sized(characters, tmp_path)
    assert [each.startswith(f"{severity} AG1506") and limit in each for each in found] == ([True] if limit else [])


def test_descriptions_can_be_shortened(tmp_path: Path) -> None:
    assert sized(3_200_000, tmp_path, descriptions=80) == []
