"""The content of the files that a cached result depends on."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from apigen.files.regular_files import read_regular

LARGEST_FILE = 10 * 1024 * 1024
MOST_FILES = 20_000

_SKIPPED = (".", "__pycache__")
"""The prefixes of files that Python and editors create in folders."""


class UnusualFileError(Exception):
    """A link, a device, a file that is too large or cannot be read: no cached result is used or kept for it."""


def contents(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files at or below a path in order: the relative name (`.` for the path itself) and the content.

    A path that does not exist has none. Raises UnusualFileError.
    """
    if path.is_file() and not path.is_symlink():
        yield ".", _content(path)
        return
    waiting, count = [str(path)] if path.exists() else [], 0
    while waiting:
        for entry in _listed(waiting.pop()):
            if entry.name.startswith(_SKIPPED):
                continue
            count += 1
            status = _status(entry)
            if stat.S_ISDIR(status.st_mode):
                waiting.append(entry.path)
            elif not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE or count > MOST_FILES:
                raise UnusualFileError
            else:
                yield os.path.relpath(entry.path, path), _content(entry.path)


def key_parts(path: Path) -> tuple[str | bytes, ...]:
    """Return the names and contents of the files at or below a path, as parts of a cache key. Raises UnusualFileError."""
    return tuple(part for file in contents(path) for part in file)


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise UnusualFileError from error


def _status(entry: os.DirEntry[str]) -> os.stat_result:
    """The status of an entry, which may have been removed since it was listed."""
    try:
        return entry.stat(follow_symlinks=False)
    except OSError as error:
        raise UnusualFileError from error


def _content(path: str | Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise UnusualFileError from error
