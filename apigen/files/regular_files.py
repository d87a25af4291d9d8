"""Reads files that a stranger may change meanwhile: what has become a pipe must not hold the run for ever."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


class NotAFileError(OSError):
    """A folder, a pipe, a socket or a device stands where a file was expected; `what` says which."""

    def __init__(self, what: str) -> None:
        super().__init__(errno.EINVAL, f"expected a file, found {what}")
        self.what = what


def read_regular(path: str | Path, most: int = -1) -> bytes:
    """The first `most` bytes of a file, all by default. Raises OSError, NotAFileError for what is none.

    What it is is asked after it was opened, and opening does not wait for somebody at the other end of a pipe.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotAFileError("a folder" if stat.S_ISDIR(status.st_mode) else "a pipe, socket or device")
        return _content(descriptor, status.st_size, most)
    finally:
        os.close(descriptor)


def _content(descriptor: int, size: int, most: int) -> bytes:
    """What is in a file of about that size, without a stream that would ask the system for more about it."""
    parts: list[bytes] = []
    left = most
    while left:
        part = os.read(descriptor, size + 1 if left < 0 else min(left, size + 1))
        if not part:
            break
        parts.append(part)
        left -= len(part) if left > 0 else 0
    return parts[0] if len(parts) == 1 else b"".join(parts)
