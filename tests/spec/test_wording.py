"""Specs that say the same in other words, and specs that do not."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.spec.load import load_api
from apigen.spec.model import ApiSpec
from apigen.spec.wording import differ_in_words_only

VERSION = """\
types:
  Lamp:
    doc: A lamp.
    fields:
      watts: {type: int32, doc: How strong it is., protobuf: 1, minimum: 1}
      colour: {type: Colour, optional: true, protobuf: 2, default: Warm}
  Colour:
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
    ("old", "new", "is_same"),
    [
        ("A lamp.", "What shines.", True),
        ("    doc: A lamp.\n", "", True),
        ("  Colour:\n", "\n  # What it looks like.\n  Colour:\n    doc: A colour.\n", True),
        ("doc: How strong it is., ", "", True),
        ("{doc: Like a fire.}", "{}", True),
        ("Cold: {}", "Cold: {doc: Like the moon.}", True),
        ("minimum: 1", "minimum: 2", False),
        ("minimum: 1", "minimum: 1.0", False),
        ("minimum: 1}", "minimum: 1, optional: true}", False),
        ("Colour:\n", "Color:\n", False),
        ("default: Warm", "default: Cold", False),
        ("Cold: {}", "Cold: {}, Grey: {}", False),
        ("{doc: Like a fire.}, Cold: {}", "{}", False),
    ],
)
def test_two_specs(tmp_path: Path, old: str, new: str, is_same: bool) -> None:
    assert old in VERSION
    one, other = spec(tmp_path / "one", VERSION), spec(tmp_path / "other", VERSION.replace(old, new))
    assert differ_in_words_only(one.groups[0], other.groups[0]) is is_same
