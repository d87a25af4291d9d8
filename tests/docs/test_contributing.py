"""The pages about the code name what exists: paths, modules, targets of make, and packages in the order of their imports."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.test_import_direction import LEVEL

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PAGES = [CONTRIBUTING, *sorted((ROOT / "docs" / "explanation").glob("*.md"))]
WRITTEN_LATER = ("../shared", "build/", "dist/")
"""The starts of paths that the repository does not contain."""

_PATH = re.compile(r"`([\w.<>-]+(?:/[\w.<>-]+)*/?[\w.<>-]*)`")
_PLACEHOLDER = re.compile(r"<\w+>")
_TARGET = re.compile(r"(?:^|`)make ([a-z-]+)", re.MULTILINE)
_MODULE = re.compile(r"python -m (tests[\w.]*\w)")
_ROW = re.compile(r"^\| `apigen/(\w+)` \| (.*) \|$", re.MULTILINE)
_NAME = re.compile(r"`(\w+)`")


def rows() -> dict[str, str]:
    """The packages of the table in CONTRIBUTING.md, each with its description."""
    return dict(_ROW.findall(CONTRIBUTING.read_text(encoding="utf-8")))


def exists(path: str) -> bool:
    pattern = _PLACEHOLDER.sub("*", path).rstrip("/")
    return any(next(folder.glob(pattern), None) for folder in (ROOT, ROOT / "apigen"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_paths_exist(page: Path) -> None:
    named = {path for path in _PATH.findall(page.read_text(encoding="utf-8")) if "/" in path}
    assert {path for path in named if not path.startswith(WRITTEN_LATER) and not exists(path)} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_named_targets_and_modules_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert {name for name in _TARGET.findall(text) if not re.search(rf"^{name}:", makefile, re.MULTILINE)} == set()
    assert {name for name in _MODULE.findall(text) if not any(ROOT.glob(f"{name.replace('.', '/')}*"))} == set()


def test_table_of_packages_is_in_the_order_of_imports() -> None:
    levels = [LEVEL[package] for package in rows()]
    assert levels == sorted(levels)
    assert rows().keys() == {path.parent.name for path in (ROOT / "apigen").glob("*/__init__.py")}


def test_table_of_packages_names_their_modules() -> None:
    for package, description in rows().items():
        folder = ROOT / "apigen" / package
        named = set(_NAME.findall(description))
        assert named <= {path.stem for path in folder.iterdir()}, package
