"""What every lens writes passes `mypy --strict`: all packages of the cases, in one run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.generating import generate_package
from tests.lenses.test_lens_cases import folders


def test_mypy_finds_nothing(tmp_path: Path) -> None:
    arguments = [argument for folder in folders() for argument in ("-p", generate_package(folder / "specs", tmp_path))]
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--python-version", "3.11"]
    environment = {"PATH": "", "MYPYPATH": str(tmp_path)}
    ran = subprocess.run(
        [*command, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert ran.stdout + ran.stderr == ""
