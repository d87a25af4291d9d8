"""A gate or constraint that only one version has is reported if it is never evaluated."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.lint.rules import versions_agree
from apigen.lint.run import run_rules
from tests.ir.resolving import META, resolved

HEADER = """
group: things.example.com
versions: {v1: {introduced: "1.9", storage: true}, v1beta1: {introduced: "1.9"}}
%skinds: {Frobber: {}}
"""
GATES = 'New: {stages: [{release: "1.9", stage: alpha}]}\nOther: {stages: [{release: "1.9", stage: alpha}]}\n'


def found(folder: Path, followed: str, other: str, hub: str = "hub: v1\n") -> list[str]:
    """Return the findings about `width` of the version that the hub follows, and of the other one."""
    files = {
        version: f"types: {{Frobber: {{fields: {{width: {{type: int32, optional: true{words}}}}}}}}}\n"
        for version, words in (("v1.yaml", followed), ("v1beta1.yaml", other))
    }
    report = Report()
    run_rules(
        resolved(folder, {"group.yaml": HEADER % hub, "features.yaml": GATES, **files, **META}),
        report,
        (versions_agree,),
    )
    return [f"{d.place.file.rpartition('/')[2]} {d.message}" for d in report.diagnostics]


@pytest.mark.parametrize(
    ("followed", "other", "what"),
    [
        ("", ", featureGate: New", "the feature gates"),
        (", featureGate: New", "", "the feature gates"),
        (", featureGate: New", ", featureGate: Other", "the feature gates"),
        (", featureGate: {all: [New, Other]}", ", featureGate: {any: [New, Other]}", "the feature gates"),
        ("", ", minimum: 1", "the constraints"),
        (", minimum: 0", ", minimum: 1", "the constraints"),
    ],
)
def test_differences_between_versions_are_reported(tmp_path: Path, followed: str, other: str, what: str) -> None:
    (message,) = found(tmp_path, followed, other)
    assert message == (
        f"v1beta1.yaml {what} of `Frobber.width` differ in v1beta1 and v1; only those of v1, which the hub follows, are enforced"
    )


@pytest.mark.parametrize(
    ("followed", "other", "hub"),
    [
        (", featureGate: New", ", featureGate: New", "hub: v1\n"),
        (", minimum: 1", ", minimum: 1", "hub: v1\n"),
        (", featureGate: {any: [New, Other]}", ", featureGate: {any: [Other, New]}", "hub: v1\n"),
        ("", ", minimum: 1, hub: breadth", "hub: v1\n"),
        ("", ", minimum: 1", ""),
        ("", ', minimum: 1, ignore: {AG1112: "it was always so"}', "hub: v1\n"),
    ],
)
def test_equal_constraints_pass(tmp_path: Path, followed: str, other: str, hub: str) -> None:
    assert found(tmp_path, followed, other, hub) == []
