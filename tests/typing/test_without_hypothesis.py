"""The generated tests need pytest only: those that need hypothesis are skipped where it is not installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import _pytest
import iniconfig
import pluggy
import pytest

HIDDEN = "import sys; sys.modules['hypothesis'] = None; import pytest; sys.exit(pytest.main(sys.argv[1:]))"


def run_tests(project: Path, *start: str) -> str:
    """What pytest prints about the generated tests, without plugins; it must succeed."""
    command = [sys.executable, *start, "-q", "-rs", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", "."]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": ""}
    done = subprocess.run(
        [*command, "api/tests"], cwd=project, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter that has pytest and does not have hypothesis."""
    folder = tmp_path_factory.mktemp("python") / "venv"
    venv.create(folder, with_pip=False)
    (packages,) = folder.glob("lib/python*/site-packages")
    for module in (pytest, _pytest, pluggy, iniconfig):
        assert module.__file__ is not None
        (packages / module.__name__).symlink_to(Path(module.__file__).parent)
    return folder / "bin/python"


@pytest.mark.slow
def test_hypothesis_tests_are_skipped_with_a_reason(project: Path) -> None:
    printed = run_tests(project, "-c", HIDDEN)
    assert "pip install hypothesis" in printed
    counts = re.search(r"(\d+) passed, (\d+) skipped", printed)
    assert counts is not None
    skipped = len(list(project.glob("api/tests/test_round_trips_*.py")))
    assert int(counts[1]) > 10
    assert int(counts[2]) == skipped


@pytest.mark.slow
def test_no_test_is_skipped_with_hypothesis(project: Path) -> None:
    printed = run_tests(project, "-m", "pytest", "-k", "things_example_com")
    assert "skipped" not in printed
    assert re.search(r"\d+ passed", printed)


def test_no_other_module_imports_hypothesis(project: Path) -> None:
    found = {path.name for path in project.rglob("*.py") if "hypothesis" in path.read_text(encoding="utf-8")}
    assert found == {"strategies.py"}


@pytest.mark.slow
def test_types_are_strict_without_hypothesis(project: Path, python: Path) -> None:
    done = subprocess.run([python, "-c", "import hypothesis"], capture_output=True, check=False)
    assert done.returncode != 0
    options = ["--strict", "--config-file", os.devnull, "--cache-dir", os.devnull, "--python-executable", str(python)]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "api/tests"], cwd=project, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    assert b"Success" in done.stdout
