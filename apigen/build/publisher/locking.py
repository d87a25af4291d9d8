"""Prevent two runs from writing one output folder at the same time."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from apigen.build.publisher.output_folder import WORK

if sys.platform != "win32":
    import fcntl

PATIENCE = 2.0
"""Seconds after which a run reports that it waits."""

_REJECTED = (errno.EACCES, errno.EPERM, errno.EROFS)


def work_folders(root: Path) -> tuple[Path, ...]:
    """Return the possible folders for the lock and the prepared files of a run: next to the output folder, or else in
    it.
    """
    siblings = (root.parent / f".{root.name}.apigen",) if root.name else ()
    return (*siblings, root / WORK)


def _tell(text: str) -> None:
    sys.stderr.write(f"apigen: {text}\n")


@contextmanager
def locked(root: Path, tell: Callable[[str], None] = _tell) -> Iterator[Path | None]:
    """Lock an output folder, after waiting for other runs. The system releases the lock when the process ends.

    `tell` is called with a sentence when the run waits for another one; by default, it is written to standard error. Yields
    the folder for temporary files, or None if no folder near the output is writable. Windows has no such locks.
    """
    work, descriptor = _acquire(root, tell)
    try:
        yield work
    finally:
        if work is not None:
            _release(work, descriptor)


def _acquire(root: Path, tell: Callable[[str], None]) -> tuple[Path | None, int]:
    for work in work_folders(root):
        try:
            return work, _lock(work, root, tell)
        except OSError as error:
            if error.errno not in _REJECTED and not (work.name == WORK and error.errno == errno.ENOENT):
                raise
    return None, -1


def _lock(work: Path, root: Path, tell: Callable[[str], None]) -> int:
    """Open and lock the lock file. It may be removed by the run that had it, in which case this tries again."""
    waiting_since = time.monotonic()
    is_announced = False
    while True:
        descriptor = _open(work)
        if _try_lock(descriptor):
            if _is_at(descriptor, work / "lock"):
                os.ftruncate(descriptor, 0)
                os.write(descriptor, str(os.getpid()).encode())
                return descriptor
        elif not is_announced and time.monotonic() - waiting_since > PATIENCE:
            holder = os.pread(descriptor, 20, 0).decode(errors="replace") or "unknown"
            tell(f"waiting for another run of apigen (process {holder}) that writes {root}")
            is_announced = True
        os.close(descriptor)
        time.sleep(0.02)


def _open(work: Path) -> int:
    while True:
        with suppress(FileExistsError):
            work.mkdir()
        with suppress(FileNotFoundError):  # the previous run has just removed the folder
            return os.open(work / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0), 0o666)


def _try_lock(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _release(work: Path, descriptor: int) -> None:
    """Remove the lock file while it is still locked, so that no other run can lock a file that is being removed."""
    with suppress(OSError):
        if _is_at(descriptor, work / "lock"):
            (work / "lock").unlink()
    with suppress(OSError):
        work.rmdir()
    os.close(descriptor)
