"""Runs `apigen` as a process of its own, and projects to run it on."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run left behind."""

    code: int
    out: str
    err: str


def environment(**changed: str) -> dict[str, str]:
    """The environment of a run: that of the tests, with what could change its output set."""
    changing = ("APIGEN", "PYTHON", "LC_", "LANG", "XDG_")
    plain = {key: value for key, value in os.environ.items() if not key.startswith(changing)}
    return {**plain, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "COLUMNS": "100", "HOME": _home(), **changed}


@cache
def _home() -> str:
    """A home for all runs of a test process, where what one has compiled can help the next."""
    return tempfile.mkdtemp(prefix="apigen-tests-")


def command(*words: str) -> list[str]:
    """The command line of a run."""
    return [sys.executable, "-P", "-m", "apigen", *words]  # -P: like the installed script, not from the folder


def apigen(folder: Path, *words: str, stdin: bytes = b"", **changed: str) -> Ran:
    """Run `apigen` in a folder. Bytes of the output that are not UTF-8 are escaped."""
    done = subprocess.run(
        command(*words),
        cwd=folder,
        env=environment(**changed),
        input=stdin,
        capture_output=True,
        timeout=SECONDS,
        check=False,
    )
    return Ran(
        done.returncode, done.stdout.decode(errors="backslashreplace"), done.stderr.decode(errors="backslashreplace")
    )


def new_project(folder: Path) -> Path:
    """The project that `apigen init` makes."""
    ran = apigen(folder, "init", "project")
    assert ran.code == 0, ran.err
    return folder / "project"


def tree(folder: Path) -> dict[str, bytes]:
    """All files below a folder, but for what Python writes when it imports them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
