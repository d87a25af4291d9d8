"""A run with nothing changed does next to nothing, and is never wrong for that."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.running import Ran, apigen, new_project, tree


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = new_project(tmp_path)
    assert compiles(generate(project))
    return project


def generate(project: Path, *words: str) -> Ran:
    """Generate with a home of the project's own, and let Python tell what it imports."""
    return apigen(project, "generate", *words, HOME=str(project.parent), PYTHONPROFILEIMPORTTIME="1")


def compiles(ran: Ran) -> bool:
    """Whether the compiler was loaded, which is what a run that is remembered does without."""
    assert ran.code == 0, ran.err
    return "| jinja2" in ran.err


@pytest.mark.slow
def test_a_second_run_does_not_compile(project: Path) -> None:
    assert not compiles(generate(project))  # though the first wrote the locks, which are read, so they count
    made = tree(project)
    shutil.rmtree(project / "generated")
    assert compiles(generate(project))  # the cache has no copy of the output
    assert tree(project) == made
    assert apigen(project, "verify", HOME=str(project.parent)).code == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "added", "is_compiled"),
    [
        ("api-specs/example.com/v1.yaml", "  Idle: {fields: {name: {type: string}}}\n", True),
        ("api-specs/example.com/v1.yaml", "\n# changed\n", True),
        ("handwritten/notes.py", "\n# changed\n", True),
        ("apigen.toml", "\n# changed\n", False),
    ],
)
def test_every_change_invalidates_the_cache(project: Path, changed: str, added: str, is_compiled: bool) -> None:
    assert not compiles(generate(project))
    path = project / changed
    path.parent.mkdir(exist_ok=True)
    path.write_text((path.read_text() if path.exists() else "") + added)
    assert compiles(generate(project)) is is_compiled
    generate(project)  # a type that is new gets its numbers, which are written among the specs
    assert not compiles(generate(project))


@pytest.mark.slow
def test_changed_group_selection_invalidates_the_cache(project: Path) -> None:
    assert not compiles(generate(project))
    (project / "apigen.toml").write_text('groups = ["example.com"]\n')
    assert compiles(generate(project))


@pytest.mark.slow
def test_errors_are_not_cached(project: Path) -> None:
    path = project / "api-specs/example.com/v1.yaml"
    good = path.read_text()
    path.write_text(good.replace("int32", "int23"))
    for _ in range(2):
        assert generate(project).code == 1
    path.write_text(good)
    assert not compiles(generate(project))


@pytest.mark.slow
def test_warnings_are_reported_again(project: Path) -> None:
    path = project / "api-specs/example.com/v1.yaml"
    path.write_text(path.read_text() + "  Idle: {fields: {name: {type: string}}}\n")
    told = [
        line
        for ran in (generate(project), generate(project))
        for line in ran.err.splitlines()
        if not line.startswith("import time")
    ]
    assert len(told) == 2
    assert told[0] == told[1]
    assert told[0].endswith("; `apigen lint` prints them")


@pytest.mark.slow
def test_damaged_cache_is_ignored(project: Path) -> None:
    entries = [path for path in (project.parent / ".cache/apigen").rglob("*") if path.is_file()]
    assert entries
    made = tree(project)
    for entry in entries:
        entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    assert compiles(generate(project))
    assert tree(project) == made
    shutil.rmtree(project.parent / ".cache")
    (project.parent / ".cache").write_text("no folder")
    assert compiles(generate(project))
    assert tree(project) == made


@pytest.mark.slow
def test_cache_can_be_disabled(project: Path) -> None:
    assert compiles(generate(project, "--no-cache"))


@pytest.mark.slow
def test_inputs_behind_links_are_not_cached(project: Path) -> None:
    (project / "api-specs/example.com/v1.yaml").rename(project / "api-specs/example.com/v1.md")
    (project / "api-specs/example.com/v1.yaml").symlink_to("v1.md")
    assert compiles(generate(project))
    assert compiles(generate(project))
