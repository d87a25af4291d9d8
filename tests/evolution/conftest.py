from __future__ import annotations

import pytest

from tests.evolution.recording import Bases


@pytest.fixture(scope="session")
def bases(tmp_path_factory: pytest.TempPathFactory) -> Bases:
    return Bases(tmp_path_factory.mktemp("bases"))
