"""Reads files that another user may replace meanwhile: a pipe in place of a file must not block the run."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path


class NotAFileError(OSError):
    """A folder, a pipe, a socket or a device was found instead of a file; `description` names it."""

    def __init__(self, description: str) -> None:
        super().__init__(errno.EINVAL, f"expected a file, found {description}")
        self.description = description


def read_regular(path: str | Path, most: int = -1) -> bytes:
    """Return the first `most` bytes of a file, all by default. Raises OSError, or NotAFileError if it is not a file.

    The type is checked after opening, and opening does not wait for the writer of a pipe.
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
    """Return the contents of a file of about that size, without a stream, which would need more system calls."""
    parts: list[bytes] = []
    remaining = most
    while remaining:
        part = os.read(descriptor, size + 1 if remaining < 0 else min(remaining, size + 1))
        if not part:
            break
        parts.append(part)
        remaining -= len(part) if remaining > 0 else 0
    return parts[0] if len(parts) == 1 else b"".join(parts)
