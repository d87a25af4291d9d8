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
    try:
        if path.is_file() and not path.is_symlink():
            yield ".", read_regular(path)
            return
        for count, entry in enumerate(files_below(path), 1):
            status = entry.stat(follow_symlinks=False)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE or count > MOST_FILES:
                raise UnusualFileError
            yield os.path.relpath(entry.path, path), read_regular(entry.path)
    except OSError as error:
        raise UnusualFileError from error


def key_parts(path: Path) -> tuple[str | bytes, ...]:
    """Return the names and contents of the files at or below a path, as parts of a cache key. Raises UnusualFileError."""
    return tuple(part for file in contents(path) for part in file)


def files_below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield all entries below a folder that are not folders, in order. Raises OSError."""
    waiting = [str(folder)] if folder.exists() else []
    while waiting:
        for entry in _listed(waiting.pop()):
            if entry.name.startswith(_SKIPPED):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                yield entry


def _listed(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)
