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


def installed(folder: Path, *names: str) -> Path:
    """The Python of a new environment with these distributions, and what they need of an index."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    files = [next(DIST.glob(name)) for name in names]
    command = [str(python), "-m", "pip", "install", "--quiet", *map(str, files)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return python


@pytest.mark.parametrize(
    "names", [("apigen-*.whl",), ("apigen-*.whl", "apigen_native-*.tar.gz")], ids=["apigen", "with-native"]
)
def test_tutorial_runs_in_an_empty_environment(names: tuple[str, ...], tmp_path: Path) -> None:
    python = installed(tmp_path / "environment", *names)
    assert _runs(python, "import apigen_native") == (len(names) > 1)
    runner = Runner(tmp_path, in_this_project=False, python=python)
    commands = 0
    for step in steps(TUTORIAL.read_text(encoding="utf-8")):
        printed = runner.take(step)
        if isinstance(step, Command):
            commands += 1
            assert agrees(printed, step.printed), f"{TUTORIAL.name}:{step.line}: $ {step.words}\n{printed}"
    assert commands > 5


def _runs(python: Path, code: str) -> bool:
    return subprocess.run([str(python), "-c", code], capture_output=True, timeout=SECONDS, check=False).returncode == 0
