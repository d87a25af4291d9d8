"""What `lint` says at every step of the story, and that the records give the code of every release again."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from apigen.codegen.pipeline import Sources
from apigen.diagnostics.printers.text import render
from apigen.language.releases import Release
from tests.evolution.recording import copied, lint
from tests.evolution.story.telling import Servers, Told
from tests.evolution.story.test_rolling_updates import RELEASES
from tests.generating import generate_from


def test_page_describes_all_releases(told: Told) -> None:
    assert told.releases == tuple(RELEASES)


@pytest.mark.slow
def test_every_release_is_a_valid_step(told: Told, tmp_path: Path) -> None:
    """The specs of each release against the records of those before it."""
    for before, release in zip(told.releases, told.releases[1:], strict=False):
        specs = copied(told.after[release], tmp_path / str(release))
        for records in specs.rglob("history"):
            for record in records.iterdir():
                record.unlink()
            records.rmdir()
        for records in told.after[before].rglob("history"):
            copied(records, specs / records.relative_to(told.after[before]))
        assert not (found := lint(specs, release).diagnostics), f"{release}: {render(found)}"


@pytest.mark.slow
@pytest.mark.parametrize("release", [Release(1, 10), Release(1, 12), Release(1, 14), Release(1, 19)], ids=str)
def test_records_give_the_code_that_was_shipped(servers: Servers, release: Release, tmp_path: Path) -> None:
    """But for its docs, which are not recorded, and its tests, which compare it with the previous release."""
    shipped = tmp_path / generate_from(Sources(servers.told.after[release], release=release), tmp_path)
    rebuilt = Path(servers.module(release, "scheme").__file__).parent
    files = _modules(shipped)
    assert files == _modules(rebuilt)
    for file in files:
        assert _code(rebuilt / file) == _code(shipped / file), file


def _modules(package: Path) -> list[Path]:
    found = (path.relative_to(package) for path in package.rglob("*.py"))
    return sorted(path for path in found if path.parts[0] != "tests")


def _code(file: Path) -> str:
    """The code of a module without its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [each for each in body if not _is_text(each)]  # type: ignore[attr-defined]
    return ast.dump(tree)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
