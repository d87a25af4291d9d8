"""`apigen explain VERSION FIELD`: where a field lives, what conversions do to it, and its history."""

from __future__ import annotations

from pathlib import Path

import pytest

from apigen.cli.main import main
from tests.this_project import ROOT


def explained(
    project: Path, capsys: pytest.CaptureFixture[str], *words: str, code: int = 0, config: str = "apigen.toml"
) -> str:
    assert main(["explain", *words, "--config", str(project / config)]) == code
    captured = capsys.readouterr()
    return captured.err if code else captured.out


def test_field_is_shown_in_the_hub_and_in_every_version(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(project, capsys, "things.example.com/v1beta1", "Thing.spec.ports.target")
    homes = [line.split() for line in text.splitlines() if line.startswith(("hub", "v1"))]
    assert homes == [
        ["hub", "Thing.spec.ports[].number"],
        ["hub", "Thing.spec.ports[].name"],
        ["v1", "Thing.spec.ports[].number"],
        ["v1", "Thing.spec.ports[].name"],
        ["v1beta1", "Thing.spec.ports[].target"],
    ]
    assert "conversion: target is split into number and name" in text
    assert "`target` becomes 0 if it is an empty string [split]" in text


def test_version_without_the_field_is_shown(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = explained(project, capsys, "things.example.com/v1", "Thing.spec.note")
    assert "has no field for it" in text


def test_group_of_version_may_be_omitted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert explained(project, capsys, "v1", "Thing.spec.note") == explained(
        project, capsys, "things.example.com/v1", "Thing.spec.note"
    )


@pytest.mark.slow
def test_field_that_a_lens_computes_names_the_lens(capsys: pytest.CaptureFixture[str]) -> None:
    field = "HorizontalPodAutoscaler.spec.targetCPUUtilizationPercentage"
    text = explained(ROOT, capsys, "autoscaling/v1", field, config="pyproject.toml")
    assert "conversion: targetCPUUtilizationPercentage is resource.target.averageUtilization" in " ".join(text.split())
    assert "no field" not in text


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("things.example.com/v1beta", "Thing.spec"), "did you mean `things.example.com/v1beta1`?"),
        (("things.example.com/v1", "Thingy.spec"), "did you mean `Thing`?"),
        (("things.example.com/v1", "Thing.spec.sise"), "did you mean `size`?"),
        (("things.example.com/v1", "Thing"), "Write `Thing.FIELD`"),
    ],
)
def test_wrong_name_gets_a_suggestion(
    project: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], hint: str
) -> None:
    assert hint in explained(project, capsys, *words, code=2)


@pytest.mark.slow
def test_history_names_each_change(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spec = project / "specs" / "things" / "v1.yaml"
    for release, old, new in (
        (None, "note: {type: string, omitEmpty: true}", "note: {type: string, omitEmpty: true, maxLength: 9}"),
        ("1.1", "maxLength: 9", "maxLength: 20"),
        ("1.2", ", maxLength: 20", ""),
    ):
        if release:
            assert main(["release", release, "--config", str(project / "apigen.toml")]) == 0, capsys.readouterr().err
        spec.write_text(spec.read_text().replace(old, new))
    capsys.readouterr()
    text = explained(project, capsys, "things.example.com/v1", "Thing.spec.note")
    history = text.partition("history\n")[2].splitlines()
    assert [line.strip() for line in history] == [
        "1.1: added",
        "1.2: limits changed from maxLength `9` to maxLength `20`",
        "next release: limits changed from maxLength `20` to none",
    ]
