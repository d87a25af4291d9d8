"""The time from saving a file to its regenerated output with `apigen generate --watch`."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from benchmarks.compiler.edits import SMALL
from benchmarks.compiler.projects import GROUP, Project

SAVES = 5
SECONDS = 20
TICK = 0.005


def seconds_after_a_save(project: Project) -> float | None:
    """The best of several saves, from the save to the last file written; None where nothing watches."""
    said = subprocess.run(
        project.command("generate", "--help"), env=project.environment, capture_output=True, text=True, check=False
    )
    if "--watch" not in said.stdout:
        return None
    project.cost_of("generate")
    with subprocess.Popen(
        project.command("generate", "--watch"),
        cwd=project.folder, env=project.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as watching:  # fmt: skip
        try:
            time.sleep(2)
            return min(_save(project) for _ in range(SAVES))
        finally:
            watching.terminate()


def _save(project: Project) -> float:
    types = project.output / GROUP.replace(".", "_") / "v1" / "types.py"
    before = types.stat().st_mtime_ns
    SMALL.make(project)
    saved = time.time()
    while types.stat().st_mtime_ns == before:
        if time.time() - saved > SECONDS:
            raise SystemExit("`apigen generate --watch` has not noticed a save")
        time.sleep(TICK)
    return _last_written(project.output, saved) - saved


def _last_written(output: Path, saved: float) -> float:
    """When the last file was written, once nothing more is."""
    last = 0.0
    while (found := max(path.stat().st_mtime for path in output.rglob("*.py"))) != last:
        last = found
        time.sleep(0.5)
    return max(last, saved)
