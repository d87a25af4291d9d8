"""The content of the files that a result depends on."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from apigen.files.regular_files import read_regular

LARGEST_FILE = 10 * 1024 * 1024
MOST_FILES = 50_000

_SKIPPED = (".", "__pycache__")


class UnusualError(Exception):
    """A link, a device, a file that is too large or cannot be read: nothing to keep anything under."""


def contents(path: Path) -> Iterator[str | bytes]:
    """The files at or below a path, by name and content, in order. Raises UnusualError."""
    if path.is_file() and not path.is_symlink():
        yield _content(path)
        return
    for entry, status in _entries(path):
        if status.st_size > LARGEST_FILE:
            raise UnusualError
        yield os.path.relpath(entry, path)
        yield _content(Path(entry))


def _entries(folder: Path) -> Iterator[tuple[str, os.stat_result]]:
    """The files below a folder with what the system says of them."""
    waiting, count = [str(folder)], 0
    while waiting:
        for entry in _listed(waiting.pop()):
            if entry.name.startswith(_SKIPPED):
                continue
            status = _status(entry)
            count += 1
            if stat.S_ISDIR(status.st_mode):
                waiting.append(entry.path)
            elif not stat.S_ISREG(status.st_mode) or count > MOST_FILES:
                raise UnusualError
            else:
                yield entry.path, status


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise UnusualError from error


def _status(entry: os.DirEntry[str]) -> os.stat_result:
    """What the system says of an entry, which may be gone since it was listed."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError as error:
        raise UnusualError from error


def _content(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise UnusualError from error
