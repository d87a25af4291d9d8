"""A default that replaces a zero value of the version that the hub follows is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.diagnostics import Report
from apigen.lint.rules import zero_is_not_defaulted
from apigen.lint.run import run_rules
from tests.ir.resolving import META, resolved

GROUP = """
group: things.example.com
versions: {v1: {introduced: "1.9", storage: true}, v1beta1: {introduced: "1.9"}}
hub: v1
kinds: {Frobber: {}}
"""


def found(folder: Path, followed: str, other: str) -> list[str]:
    """Return the findings about the fields of the version that the hub follows, and of the other one."""
    files = {
        version: f"types: {{Frobber: {{fields: {{{fields}}}}}, Size: {{is: int32, minimum: 1}}}}\n"
        for version, fields in (("v1.yaml", followed), ("v1beta1.yaml", other))
    }
    report = Report()
    run_rules(resolved(folder, {"group.yaml": GROUP, **files, **META}), report, (zero_is_not_defaulted,))
    return [diagnostic.message for diagnostic in report.diagnostics]


@pytest.mark.parametrize(
    ("followed", "other", "zero", "default"),
    [
        ("width: {type: int32, optional: true}", "width: {type: int32, default: 3, hub: {absent: -1}}", "0", "3"),
        (
            "width: {type: bool, optional: true}",
            "width: {type: bool, default: true, hub: {absent: false}}",
            "false",
            "true",
        ),
        (
            "width: {type: string, optional: true}",
            "width: {type: string, omitEmpty: true, default: x, hub: {absent: y}}",
            '""',
            '"x"',
        ),
    ],
)
def test_default_of_zero_is_reported(tmp_path: Path, followed: str, other: str, zero: str, default: str) -> None:
    (message,) = found(tmp_path, followed, other)
    assert message == (
        f"the default of v1beta1 `Frobber.width` replaces {zero}, which v1 `Frobber.width` can hold: an object with {zero}"
        f" gets {default} if a client of v1beta1 writes it"
    )


def test_default_of_renamed_field_is_reported(tmp_path: Path) -> None:
    followed = "size: {type: int32, optional: true, minimum: 0}"
    (message,) = found(tmp_path, followed, "width: {type: int32, default: 3, hub: {to: size, absent: -1}}")
    assert "v1beta1 `Frobber.width` replaces 0, which v1 `Frobber.size`" in message


@pytest.mark.parametrize(
    ("followed", "other"),
    [
        ("width: {type: int32, optional: true}", "width: {type: int32, optional: true, default: 3}"),
        ("width: {type: int32, optional: true}", "width: {type: int32, default: 0, hub: {absent: -1}}"),
        ("width: {type: int32, optional: true}", "width: {type: int32, hub: {absent: -1}}"),
        ("width: {type: int32, optional: true, minimum: 1}", "width: {type: int32, default: 3, hub: {absent: -1}}"),
        ("width: {type: Size, optional: true}", "width: {type: Size, default: 3, hub: {absent: -1}}"),
        ("width: {type: int32}", "width: {type: int32, default: 3}"),
        (
            "width: {type: int32, optional: true}",
            'width: {type: string, default: "3", hub: {format: decimal, absent: ""}}',
        ),
    ],
)
def test_other_defaults_pass(tmp_path: Path, followed: str, other: str) -> None:
    assert found(tmp_path, followed, other) == []
