"""Fixtures of the tests of backends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from apigen.codegen.backend_input import BackendInput
from tests.codegen.generated_packages import Package, compiled, generate_package


@pytest.fixture
def generate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str] | BackendInput], Package]:
    """Generate a package from the texts of spec files by path, or from a compilation, and make it importable."""

    def run(source: Mapping[str, str] | BackendInput) -> Package:
        backend_input = source if isinstance(source, BackendInput) else compiled(source, tmp_path / "specs")
        monkeypatch.syspath_prepend(tmp_path)
        return generate_package(backend_input, tmp_path)

    return run
