"""A project with two versions, of which one cannot hold all that the other one has."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proof.test_proof_command import FILES, write


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(FILES, tmp_path_factory.mktemp("project"))
