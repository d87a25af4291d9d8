"""The package of this project's specs, compiled as the code is now."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kubernetes.compiling import Package, compiled


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Package]:
    with compiled(tmp_path_factory.mktemp("kubernetes")) as package:
        yield package
