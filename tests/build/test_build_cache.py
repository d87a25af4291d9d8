"""A run with the cache gives what a run without it gives, whatever was edited in between."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from apigen.build.build_cache import BuildCache
from apigen.build.built import Built
from apigen.build.publishing import publish_project
from apigen.cli.checking import build_reviewed
from apigen.codegen import formatting
from apigen.codegen.output import OutputFile
from apigen.diagnostics import Diagnostic, Report
from apigen.language.configuration import Config, Overrides, find_config, load_config
from tests.build.projects import edit, write_project

EDITS = 8


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Config:
    write_project(tmp_path)
    monkeypatch.chdir(tmp_path)
    file = find_config(tmp_path, Report(), None)
    found = load_config(file, tmp_path, Overrides(), Report())
    assert found is not None
    return found


def built(config: Config, cache: BuildCache | None) -> tuple[Built | None, tuple[Diagnostic, ...]]:
    report = Report()
    return build_reviewed(config, report, lambda _: None, cache), report.diagnostics


def agree(config: Config, cache: Path, what: str) -> Built | None:
    """Build with the cache and without: the same files, locks, warnings and errors."""
    cached, diagnostics = built(config, BuildCache(cache, config))
    uncached, wanted = built(config, None)
    assert diagnostics == wanted, what
    assert cached == uncached, what
    return uncached


@pytest.mark.slow(one_in=16)
@pytest.mark.parametrize("seed", range(2))
def test_consecutive_edits(config: Config, tmp_path: Path, seed: int) -> None:
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


@pytest.mark.slow
def test_only_changed_files_are_formatted(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []
    by_ruff = formatting.FORMATTERS["ruff"]

    def counted(files: Sequence[OutputFile]) -> list[bytes]:
        counts.append(len(files))
        return by_ruff(files)

    monkeypatch.setattr(formatting, "FORMATTERS", {**formatting.FORMATTERS, "ruff": counted})
    cache, lamps = tmp_path / "cache", config.specs / "c.example.com/v1.yaml"
    for old, new in (("", ""), ("", ""), ("minimum: 1", "minimum: 2")):
        replaced(lamps, old, new)
        assert built(config, BuildCache(cache, config))[0] is not None
    first, edited = counts
    assert first > 10 and 0 < edited < 5
    formatted = BuildCache(cache, config).formatted()
    assert len(formatted) == first, "only formatted code is in the cache"


@pytest.mark.slow
def test_queries_through_an_edited_group_stay_correct(config: Config, tmp_path: Path) -> None:
    """Crates hold a type of gadgets that no gadget does, and gadgets hold widgets."""
    assert agree(config, tmp_path / "cache", "at first") is not None
    for spec in sorted((config.specs / "a.example.com").glob("v1*.yaml")):
        spec.write_text(spec.read_text().replace("minimum: 0", "minimum: 1"))
    assert agree(config, tmp_path / "cache", "another limit of widgets") is not None


DOCUMENTED = (("message: {type", "message: {doc: What happened., type"), ("What happened.", "What has happened."))
LIMITED = (("most: {type: int32", "most: {maximum: 9, type: int32"), ("maximum: 9", "maximum: 8"))


def replaced(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.slow(one_in=16)
@pytest.mark.parametrize("edits", [DOCUMENTED, LIMITED, (DOCUMENTED[0], LIMITED[0]), (LIMITED[0], DOCUMENTED[0])])
def test_run_killed_between_two_edits(config: Config, tmp_path: Path, edits: tuple[tuple[str, str], ...]) -> None:
    """The run may have filled the cache without writing any output."""
    cache, spec = tmp_path / "cache", config.specs / "base/v1.yaml"
    first = agree(config, cache, "at first")
    assert first is not None
    assert publish_project(config, first, Report()) is not None
    for old, new in edits:
        replaced(spec, old, new)
        assert agree(config, cache, new) is not None
    last = agree(config, cache, "the same again")
    assert last is not None
    assert publish_project(config, last, Report()) is not None
    assert agree(config, cache, "and when it is written") is not None


@pytest.mark.slow(one_in=16)
@pytest.mark.parametrize("largest", [True, False])
def test_damaged_or_missing_cache_entries(config: Config, tmp_path: Path, largest: bool) -> None:
    cache, spec = tmp_path / "cache", config.specs / "base/v1.yaml"
    first = agree(config, cache, "at first")
    assert first is not None
    assert publish_project(config, first, Report()) is not None
    for number, (old, new) in enumerate((*DOCUMENTED, *LIMITED)):
        entries = sorted((path for path in cache.rglob("*") if path.is_file()), key=lambda path: path.stat().st_size)
        for entry in entries[-1:] if largest else entries[::2]:
            if number % 2:
                entry.unlink()
            else:
                entry.write_bytes(entry.read_bytes()[:-1] + b"?")
        replaced(spec, old, new)
        assert agree(config, cache, new) is not None


@pytest.mark.slow
@pytest.mark.parametrize("edits", [DOCUMENTED, LIMITED])
def test_runs_that_overlap(config: Config, tmp_path: Path, edits: tuple[tuple[str, str], ...]) -> None:
    """A run that read the specs before an edit ends after the run that read them then."""
    cache, spec = tmp_path / "cache", config.specs / "base/v1.yaml"
    first = agree(config, cache, "at first")
    assert first is not None
    assert publish_project(config, first, Report()) is not None
    slow = BuildCache(cache, config)
    for old, new in edits:
        replaced(spec, old, new)
        late = BuildCache(cache, config)
        assert agree(config, cache, new) is not None
        built(config, slow)
        assert agree(config, cache, new) is not None
        slow = late


@pytest.mark.slow
def test_rules_of_all_groups_are_counted_without_cel_library(
    config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apigen.lint.cel.find_cel", lambda: None)
    cache, groups = tmp_path / "cache", ("a.example.com", "c.example.com")
    for group in groups:
        replaced(config.specs / group / "v1.yaml", "type: int32,", 'type: int32, rules: [{rule: "self > 0"}],')
    first = agree(config, cache, "at first")
    assert first is not None
    assert "2 CEL rules" in str(first.warnings)
    assert publish_project(config, first, Report()) is not None
    for group in groups:
        for old, new in (("minimum: ", "minimum: 1"), ("type: int32,", "type: int32, doc: How many.,"), ("> 0", "> 1")):
            replaced(config.specs / group / "v1.yaml", old, new)
            assert agree(config, cache, f"{group}: {new}") is not None
