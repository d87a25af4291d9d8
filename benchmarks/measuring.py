"""Measures whole processes, as the system counts them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """What a process cost, its children included: seconds on the clock and of CPU, and the peak of the largest."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def cost_of_process(
    command: Sequence[str], environment: Mapping[str, str], folder: str, finished: Container[int] = (0,)
) -> ProcessCost:
    """The cost of a process that must end with one of the exit codes `finished`. Raises SystemExit if it does not."""
    started = time.perf_counter()
    with subprocess.Popen(
        command, env=dict(environment), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        said = process.stderr.read() if process.stderr is not None else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode not in finished:
        raise SystemExit(f"{' '.join(command)} failed with {process.returncode}\n{said[-2000:]}")
    return ProcessCost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def best(costs: Iterable[ProcessCost]) -> ProcessCost:
    """The least of each, of several runs of the same."""
    runs = list(costs)
    return ProcessCost(
        min(run.seconds for run in runs), min(run.cpu_seconds for run in runs), min(run.peak_bytes for run in runs)
    )


def plain_environment(**more: str) -> dict[str, str]:
    """The environment of a process that is measured: it may keep its bytecode, as it would for a user."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | more
