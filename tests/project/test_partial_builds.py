"""A run that begins from the last one gives what a run from nothing gives, whatever was edited in between."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from apigen.config import Config, Overrides, find_config, load_config
from apigen.diagnostics import Diagnostic, Report
from apigen.project import build, partial
from apigen.project.build import build_project
from apigen.project.built import Built
from apigen.project.memory import Memory
from apigen.project.publishing import publish_project
from tests.project.projects import edit, write_project

EDITS = 8


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    write_project(tmp_path)
    monkeypatch.setattr(partial, "MOST", 2.0)  # a part that is nearly all is built as a part, too
    monkeypatch.chdir(tmp_path)
    file = find_config(tmp_path, Report(), None)
    found = load_config(file, tmp_path, Overrides(), Report())
    assert found is not None
    return found


def built(config: Config, memory: Memory | None) -> tuple[Built | None, tuple[Diagnostic, ...]]:
    report = Report()
    return build_project(config, report, lambda _: None, memory), report.diagnostics


def agree(config: Config, cache: Path, what: str) -> Built | None:
    """Build with what is remembered and without: the same files, locks, warnings and errors."""
    remembered, told = built(config, Memory(cache, config))
    anew, told_anew = built(config, None)
    assert told == told_anew, what
    if anew is None or remembered is None:
        assert remembered is anew, what
        return None
    assert {file.path: file.content for file in remembered.files} == {f.path: f.content for f in anew.files}, what
    assert sorted(remembered.locks, key=str) == sorted(anew.locks, key=str), what
    return anew


@pytest.mark.parametrize("seed", range(2))
def test_edits_one_after_the_other(config: Config, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    cache = tmp_path / "cache"
    assert agree(config, cache, "at first") is not None
    for number in range(EDITS):
        before = {path: path.read_bytes() for path in config.specs.rglob("*.yaml")}
        what = f"seed {seed}, edit {number}, {edit(tmp_path, chance)}"
        result = agree(config, cache, what)
        if result is not None:
            assert publish_project(config, result, Report()) is not None
        elif chance.random() < 0.8:
            for path, content in before.items():
                path.write_bytes(content)


def test_the_whole_is_built_only_where_it_must_be(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wholes: list[str] = []
    whole = build._build

    def counted(*args: Any) -> Built | None:
        wholes.append("")
        return whole(*args)

    monkeypatch.setattr(build, "_build", counted)
    cache = tmp_path / "cache"
    lamps = config.specs / "c.example.com/v1.yaml"

    def run(old: str, new: str) -> int:
        text = lamps.read_text()
        assert old in text
        lamps.write_text(text.replace(old, new))
        before = len(wholes)
        result, _ = built(config, Memory(cache, config))
        assert result is not None
        return len(wholes) - before

    assert run("", "") == 1
    assert run("minimum: 1", "minimum: 2") == 0
    assert run("minimum: 2", "minimum: 2") == 0
    assert run("metadata: {", "metadata: {doc: What all objects have., ") == 0


def test_what_others_ask_of_a_group_that_leads_to_the_edit_stays(config: Config, tmp_path: Path) -> None:
    """Crates hold a type of gadgets that no gadget does, and gadgets hold widgets."""
    assert agree(config, tmp_path / "cache", "at first") is not None
    for spec in sorted((config.specs / "a.example.com").glob("v1*.yaml")):
        spec.write_text(spec.read_text().replace("minimum: 0", "minimum: 1"))
    assert agree(config, tmp_path / "cache", "another limit of widgets") is not None
