"""The proof of every lens, run: its generated property tests pass, losses have counter-examples, nothing else is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.generating import generate_package
from tests.lenses.test_lens_cases import folders


@pytest.mark.parametrize("folder", folders(), ids=lambda path: path.name)
def test_proof(folder: Path, tmp_path: Path) -> None:
    package = generate_package(folder / "specs", tmp_path)
    tests = sorted((tmp_path / package / "tests").glob("test_round_trips_*.py"))
    assert tests
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *map(str, tests)]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTEST_ADDOPTS": ""}
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]
