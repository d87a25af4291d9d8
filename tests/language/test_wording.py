"""Specs that say the same in other words or with other bounds, and specs that say something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.language.load import load_api
from apigen.language.model import ApiSpec
from apigen.language.wording import Difference, difference

VERSION = """\
types:
  Lamp:
    doc: A lamp.
    fields:
      watts: {type: int32, doc: How strong it is., protobuf: 1, minimum: 1}
      color: {type: Color, optional: true, protobuf: 2, default: Warm}
  Color:
    enum: {Warm: {doc: Like a fire.}, Cold: {}}
"""


def spec(folder: Path, version: str) -> ApiSpec:
    group = folder / "example.com"
    group.mkdir(parents=True, exist_ok=True)
    (group / "group.yaml").write_text("group: example.com\nversions:\n  v1: {introduced: '1.0'}\n")
    (group / "v1.yaml").write_text(version)
    report = Report()
    found = load_api(folder, report)
    assert not report.diagnostics
    return found


@pytest.mark.parametrize(
    ("old", "new", "most"),
    [
        ("A lamp.", "What shines.", Difference.WORDS),
        ("    doc: A lamp.\n", "", Difference.WORDS),
        ("  Color:\n", "\n  # What it looks like.\n  Color:\n    doc: A color.\n", Difference.WORDS),
        ("doc: How strong it is., ", "", Difference.WORDS),
        ("{doc: Like a fire.}", "{}", Difference.WORDS),
        ("Cold: {}", "Cold: {doc: Like the moon.}", Difference.WORDS),
        ("minimum: 1", "minimum: 2", Difference.BOUNDS),
        ("minimum: 1", "minimum: 1.0", Difference.BOUNDS),
        ("minimum: 1}", "minimum: 1, maximum: 9}", Difference.BOUNDS),
        ("minimum: 1}", "maximum: 9}", Difference.BOUNDS),
        (", minimum: 1}", "}", Difference.BOUNDS),
        ("minimum: 1}", "minimum: 2, immutable: true}", Difference.MORE),
        ("protobuf: 2,", "protobuf: 2, pattern: '^[A-Z]',", Difference.BOUNDS),
        ("minimum: 1}", "minimum: 1, optional: true}", Difference.MORE),
        ("Color:\n", "Colors:\n", Difference.MORE),
        ("default: Warm", "default: Cold", Difference.MORE),
        ("Cold: {}", "Cold: {}, Grey: {}", Difference.MORE),
        ("{doc: Like a fire.}, Cold: {}", "{}", Difference.MORE),
    ],
)
def test_two_specs(tmp_path: Path, old: str, new: str, most: Difference) -> None:
    assert old in VERSION
    one, other = spec(tmp_path / "one", VERSION), spec(tmp_path / "other", VERSION.replace(old, new))
    assert difference(one.groups[0], other.groups[0]) is most
