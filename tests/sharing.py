"""Folders that the processes of one test run build once and share."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest


def built_once(target: Path, build: Callable[[Path], None]) -> Path:
    """Return the folder `target`. Where it does not exist, one process builds it, and the others wait until it is complete.

    `build` receives the folder to fill, which does not exist yet; a build that fails leaves no `target`.
    """
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        unfinished = target.with_name(f"{target.name}.{os.getpid()}")
        with target.with_name(f"{target.name}.lock").open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not target.exists():
                build(unfinished)
                unfinished.rename(target)
    return target


def folder_of_the_run(factory: pytest.TempPathFactory) -> Path:
    """The temporary folder of all processes of this test run; pytest removes it as it removes `tmp_path`."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
