"""The project of these tests, compiled once."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from apigen.codegen.pipeline import Sources
from apigen.language.releases import Release
from tests.generating import generate_from
from tests.series.projects import write_project


@pytest.fixture(scope="session")
def scheme(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The scheme of the project at release 1.3."""
    folder = tmp_path_factory.mktemp("series")
    return import_scheme(Sources(write_project(folder), None, folder, release=Release(1, 3)), folder)


def import_scheme(sources: Sources, folder: Path) -> ModuleType:
    """The scheme of what the sources give, compiled below a folder."""
    name = generate_from(sources, folder)
    sys.path.insert(0, str(folder))
    try:
        return import_module(f"{name}.scheme")
    finally:
        sys.path.remove(str(folder))
