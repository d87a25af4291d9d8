"""The profile of a run: CPU seconds by step, and by file of the output."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress

from apigen.dataclass import dataclass, field

MOST_FILES = 20
"""Files that the table lists: those that took longest."""


@dataclass(slots=True)
class Profile:
    """The times of the steps of a run, which are passed on to `tell`. The time before the first step is the start of
    Python.
    """

    tell: Callable[[str], None]
    steps: dict[str, float] = field(default_factory=lambda: {"starting": 0.0})
    files: dict[str, float] = field(default_factory=dict)
    _step: str = "starting"
    _step_began: float = 0.0
    _file_began: float = 0.0

    def __call__(self, step: str) -> None:
        """Begin a step of the run, and end the previous one."""
        self._end()
        self._step = step
        self.tell(step)

    def file_generated(self, path: str) -> None:
        """Record that a file was generated; the time since the previous one, or since the start of the step, counts
        for it.
        """
        now = time.process_time()
        self.files[path] = now - self._file_began
        self._file_began = now

    def table(self) -> str:
        """The steps in order, with their share, and the files that took longest."""
        self._end()
        total = sum(self.steps.values()) or 1.0
        rows = [(step, seconds) for step, seconds in self.steps.items()]
        slowest = sorted(self.files.items(), key=lambda pair: -pair[1])[:MOST_FILES]
        lines = [f"{'CPU s':>8}  {'share':>6}  step", *(_row(each, total) for each in (*rows, ("in all", total)))]
        if slowest:
            lines += ["", f"{'CPU s':>8}  {'share':>6}  file", *(_row(each, total) for each in slowest)]
        if len(self.files) > len(slowest):
            rest = sum(self.files.values()) - sum(seconds for _, seconds in slowest)
            lines.append(_row((f"{len(self.files) - len(slowest)} other files", rest), total))
        peak = _peak_memory()
        return "\n".join([*lines, *([f"\npeak memory {peak:.0f} MB"] if peak else [])]) + "\n"

    def _end(self) -> None:
        now = time.process_time()
        self.steps[self._step] = self.steps.get(self._step, 0.0) + now - self._step_began
        self._step_began = self._file_began = now


def _row(each: tuple[str, float], total: float) -> str:
    name, seconds = each
    return f"{seconds:8.3f}  {seconds / total:6.1%}  {name}"


def _peak_memory() -> float:
    """Return the peak memory of the process, in MB; 0 if the system does not report it."""
    with suppress(ImportError):
        import resource
        import sys

        unit = 1024 * 1024 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    return 0.0
