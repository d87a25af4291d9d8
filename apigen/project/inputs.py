"""The content of everything that a run reads, as one key.

Unusual files (a link, a device, one that is too large or cannot be read) are not for a cache to judge.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from apigen.config import Config
from apigen.dataclass import dataclass, replace
from apigen.emit.cache import cache_key
from apigen.emit.formatting import formatter_of
from apigen.project.built import Lock

LARGEST_FILE = 10 * 1024 * 1024
MOST_FILES = 20_000


class UnusualFile(Exception):
    """There is a file among the inputs that no cache should judge."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a run reads, by digest, and a key for the settings that it depends on."""

    settings: str
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, config: Config) -> Inputs:
        """Read all inputs of a project. Raises UnusualFile."""
        values = (config.groups, config.kinds, config.backends, config.package, config.release, config.series)
        places = (str(Path.cwd()), str(config.specs), str(config.handwritten))
        settings = cache_key(sys.version, *places, repr(values), str(formatter_of(config.formatter)))
        return cls(settings, {**dict(_files(config.specs)), **dict(_files(config.handwritten))})

    def with_locks(self, locks: Iterable[Lock]) -> Inputs:
        """Return the inputs of the next run, which reads the locks that this one writes."""
        return replace(self, files={**self.files, **{str(lock.path): _digest(lock.text.encode()) for lock in locks}})

    @property
    def key(self) -> str:
        """A key for all of it."""
        return cache_key(self.settings, *(part for pair in sorted(self.files.items()) for part in pair))


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=20).digest()


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The digests of the files below a folder, without those that Python and editors leave there."""
    waiting, count = [str(folder)], 0
    while waiting:
        current = waiting.pop()
        for entry in _entries(current):
            if entry.name.startswith((".", "__pycache__")):
                continue
            status = entry.stat(follow_symlinks=False)
            count += 1
            if stat.S_ISDIR(status.st_mode):
                waiting.append(entry.path)
            elif not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE or count > MOST_FILES:
                raise UnusualFile
            else:
                yield entry.path, _digest(_content(entry.path))


def _entries(folder: str) -> Iterable[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UnusualFile from error


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 -- a Path for each of a thousand files takes a while
            return stream.read()
    except OSError as error:
        raise UnusualFile from error
