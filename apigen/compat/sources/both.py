"""Loads both sides of a comparison, at the same time where the machine can."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from apigen.compat.sources.loading import load
from apigen.compat.sources.source import Setting
from apigen.compat.surface.surface import Surface
from apigen.diagnostics import Diagnostic, Report

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

_SMALL = 2 * 1024 * 1024
"""Bytes of a file that is read before another process would have begun."""


def load_both(
    old: str, new: str, setting: Setting, report: Report, processes: int | None = None
) -> tuple[Surface | None, Surface | None]:
    """Both surfaces, as `load` gives them; the new one is loaded in a process of its own if there are two (left out: CPUs)."""
    if processes is None and any(_is_small(said, setting) for said in (old, new)):
        return load(old, setting, report), load(new, setting, report)
    if (processes or os.cpu_count() or 1) < 2 or not _can_fork():
        return load(old, setting, report), load(new, setting, report)
    import multiprocessing

    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_send, args=(new, setting, there), daemon=True)
    child.start()
    there.close()
    first = load(old, setting, report)
    second = _received(here, report)
    child.join()
    return first, load(new, setting, report) if second is None else second[0]


def _is_small(said: str, setting: Setting) -> bool:
    """Whether an input is a small file, so that nothing is gained beside it."""
    path = setting.folder / said
    try:
        return path.is_file() and path.stat().st_size <= _SMALL
    except OSError:
        return False


def _can_fork() -> bool:
    """Whether a copy of this process can go on: with threads in it, it might wait for one that was not copied."""
    import multiprocessing
    import threading

    return "fork" in multiprocessing.get_all_start_methods() and threading.active_count() == 1


def _send(said: str, setting: Setting, to: Connection) -> None:
    """Load and send. What goes wrong here is not told: the process that waits loads again, and tells it then."""
    from apigen.compat.memory.packing import pack

    with suppress(Exception, KeyboardInterrupt):
        report = Report()
        surface = load(said, setting, report)
        to.send_bytes(pack((surface, report.diagnostics)))


def _received(here: Connection, report: Report) -> tuple[Surface | None] | None:
    """What the other process loaded; None where it did not get as far as that."""
    from apigen.compat.memory.packing import DamagedError, unpack

    try:
        surface, diagnostics = unpack(here.recv_bytes())
    except (EOFError, OSError, DamagedError):
        return None
    for diagnostic in diagnostics:
        if isinstance(diagnostic, Diagnostic):
            report.add(diagnostic)
    return (surface,) if surface is None or isinstance(surface, Surface) else None
