"""The wheels in an empty environment, where nothing of this project is: the first tutorial runs, with the extension and without."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.docs.pages import Command, Runner, agrees, steps
from tests.packaging.contents import ROOT

DIST = ROOT / "dist"
TUTORIAL = ROOT / "docs/tutorial/first-api.md"
SECONDS = 300

pytestmark = pytest.mark.skipif(not list(DIST.glob("apigen-*.whl")), reason="`make dist` builds what is installed")


def install(python: Path, name: str) -> None:
    """Install a distribution of `dist/` into an environment, with what it needs of an index, as the Makefile does."""
    uv = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--native-tls", "--python", str(python)]
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install"]
    for installer in (uv, pip):  # the first takes a tenth of the time, the second may be configured for another index
        command = [*installer, "--quiet", str(next(DIST.glob(name)))]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
        if done.returncode == 0:
            return
    pytest.fail(done.stdout + done.stderr)


@pytest.mark.slow
def test_tutorial_runs_in_an_empty_environment(tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    install(python, "apigen-*.whl")
    assert not has_extension(python)
    run_tutorial(python, tmp_path / "without the extension")
    install(python, "apigen_native-*.tar.gz")
    assert has_extension(python)
    run_tutorial(python, tmp_path / "with the extension")


def has_extension(python: Path) -> bool:
    ran = subprocess.run([str(python), "-c", "import apigen_native"], capture_output=True, timeout=SECONDS, check=False)
    return ran.returncode == 0


def run_tutorial(python: Path, folder: Path) -> None:
    folder.mkdir()
    runner = Runner(folder, in_this_project=False, python=python)
    commands = 0
    for step in steps(TUTORIAL.read_text(encoding="utf-8")):
        printed = runner.take(step)
        if isinstance(step, Command):
            commands += 1
            assert agrees(printed, step.printed), f"{TUTORIAL.name}:{step.line}: $ {step.words}\n{printed}"
    assert commands > 5
