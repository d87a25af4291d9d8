"""Fixtures of the tests of backends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from apigen.codegen.compilation import Compilation
from tests.codegen.generated_packages import Package, compiled, generate_package


@pytest.fixture
def generate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str] | Compilation], Package]:
    """Generate a package from the texts of spec files by path, or from a compilation, and make it importable."""

    def run(source: Mapping[str, str] | Compilation) -> Package:
        compilation = source if isinstance(source, Compilation) else compiled(source, tmp_path / "specs")
        monkeypatch.syspath_prepend(tmp_path)
        return generate_package(compilation, tmp_path)

    return run
