"""Takes times and peaks of memory, and shows them."""

from __future__ import annotations

import gc
import os
import subprocess
import time
import tracemalloc
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

WINDOW_SECONDS = 0.05
ROUNDS = 9


@dataclass(frozen=True, slots=True)
class Cost:
    """What a call costs: seconds, the best of several windows, and the most bytes that it held at once."""

    seconds: float
    peak_bytes: int


@dataclass(frozen=True, slots=True)
class ProcessCost:
    """What a process cost, as the system counts."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def cost_of_each(functions: Mapping[str, Callable[[], object]]) -> Mapping[str, Cost]:
    """The cost of each function. They take turns, so that a slow moment of the machine hits all of them."""
    counts = {name: _calls_per_window(function) for name, function in functions.items()}
    best = dict.fromkeys(functions, float("inf"))
    gc.collect()
    gc.disable()
    try:
        for _ in range(ROUNDS):
            for name, function in functions.items():
                best[name] = min(best[name], _seconds(function, counts[name]) / counts[name])
    finally:
        gc.enable()
    return {name: Cost(best[name], _peak(function)) for name, function in functions.items()}


def cost_of_process(
    command: Sequence[str], environment: Mapping[str, str], folder: str, finished: Container[int] = (0,)
) -> ProcessCost:
    """The cost of a process that must end with one of the exit codes `finished`."""
    started = time.perf_counter()
    with subprocess.Popen(command, env=dict(environment), cwd=folder, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in finished:
        raise SystemExit(f"{' '.join(command)} failed with {process.returncode}")
    seconds = time.perf_counter() - started
    return ProcessCost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    widths = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    rule = [("-" * w if i == 0 else "-" * (w - 1) + ":") for i, w in enumerate(widths)]
    lines = [[cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))]
             for row in (columns, rule, *rows)]  # fmt: skip
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _calls_per_window(function: Callable[[], object]) -> int:
    count = 1
    while _seconds(function, count) < WINDOW_SECONDS / 4:
        count *= 4
    return count * 4


def _seconds(function: Callable[[], object], count: int) -> float:
    started = time.perf_counter()
    for _ in range(count):
        function()
    return time.perf_counter() - started


def _peak(function: Callable[[], object]) -> int:
    function()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
