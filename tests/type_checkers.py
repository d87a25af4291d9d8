"""Runs mypy and pyright on generated packages, in processes that cannot import this project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

PYRIGHT = {"pythonVersion": "3.11", "typeCheckingMode": "standard", "reportMissingModuleSource": False}


def mypy(folder: Path, *arguments: str | Path) -> str:
    """Run `mypy --strict` in a folder; return its errors, a line each: `file:line: error: …`.

    Runs of one test process share what they know of the standard library, which takes longer to check than most packages.
    """
    command = [sys.executable, "-m", "mypy", "--strict", "--python-version", "3.11", "--cache-dir", _mypy_cache().name]
    return _run([*command, "--no-error-summary", "--hide-error-context", *arguments], folder)


@cache
def _mypy_cache() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="apigen-tests-mypy-")  # removed when the process ends


def pyright(folder: Path, *arguments: str | Path) -> list[str]:
    """Run pyright in a folder; return its errors, each as `file:line: message`."""
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
    found = json.loads(_run([*command, *arguments], folder))["generalDiagnostics"]
    return [f"{Path(d['file']).name}:{d['range']['start']['line'] + 1}: {d['message']}" for d in found]


def _run(command: list[str | Path], folder: Path) -> str:
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "MYPYPATH")}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode in (0, 1) and not done.stderr, done.stdout + done.stderr
    return done.stdout
