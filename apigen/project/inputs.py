"""Everything that a run reads, by content: a key for all of it, and what of it belongs to which group.

Anything unusual among the files (a link, a device, one that is too large or cannot be read) is not for a cache to judge.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from apigen.config import Config
from apigen.dataclass import dataclass, replace
from apigen.emit.cache import cache_key
from apigen.project.built import Lock

LARGEST_FILE = 10 * 1024 * 1024
MOST_FILES = 20_000

_GROUP, _HUB, _SUFFIX, _LOCK = "/group.yaml", "hub.yaml", ".yaml", ".lock.yaml"


class Unusual(Exception):
    """There is something among the files that a run should look at for itself."""


@dataclass(frozen=True, slots=True)
class GroupInputs:
    """The files of a group: a key for all of them, one for what it says to others, and the text of each version."""

    whole: str
    header: str
    versions: Mapping[str, str]


@dataclass(frozen=True)
class Inputs:
    """The files that a run reads, and a key for what else it depends on: specs with their contents, others by digest."""

    settings: str
    specs: Mapping[str, bytes]
    others: Mapping[str, bytes]

    @classmethod
    def of(cls, config: Config) -> Inputs:
        """Read all of it. Raises Unusual."""
        config_parts = (config.groups, config.kinds, config.backends, config.package, config.release, config.series)
        settings = cache_key(
            sys.version, str(Path.cwd()), str(config.specs), str(config.handwritten), repr(config_parts)
        )
        others = {path: _digest(content) for path, content in _files(config.handwritten)}
        return cls(settings, dict(_files(config.specs)), others)

    def with_locks(self, locks: Iterable[Lock]) -> Inputs:
        """The files as they are when a run has written its locks, which the next run reads."""
        written = {str(lock.path): lock.text.encode() for lock in locks}
        return self if written.items() <= self.specs.items() else replace(self, specs={**self.specs, **written})

    @cached_property
    def whole(self) -> str:
        """A key for everything."""
        return _key(self.settings, {**self.specs, **self.others})

    @cached_property
    def common(self) -> str:
        """A key for what is the same for all groups."""
        folders = tuple(f"{folder}/" for folder in self._folders)
        outside = {path: content for path, content in self.specs.items() if not path.startswith(folders)}
        return _key(self.settings, {**outside, **self.others})

    @cached_property
    def groups(self) -> Mapping[str, GroupInputs]:
        """The groups of the folder of specs, by the names of their folders."""
        return {Path(folder).name: self._group(f"{folder}/") for folder in self._folders}

    def group_of(self, path: str) -> str | None:
        """The folder name of the group that a file of the specs belongs to."""
        return next((Path(folder).name for folder in self._folders if path.startswith(f"{folder}/")), None)

    @cached_property
    def _folders(self) -> tuple[str, ...]:
        return tuple(path.removesuffix(_GROUP) for path in self.specs if path.endswith(_GROUP))

    def _group(self, folder: str) -> GroupInputs:
        files = {path: content for path, content in self.specs.items() if path.startswith(folder)}
        names = {path.removeprefix(folder): content for path, content in files.items()}
        header = {name: content for name, content in names.items() if f"/{name}" == _GROUP or name == _HUB}
        versions = {
            name.removesuffix(_SUFFIX): content.decode(errors="replace")
            for name, content in names.items()
            if name.endswith(_SUFFIX) and not name.endswith(_LOCK) and "/" not in name and name not in header
        }
        return GroupInputs(_key("", files), _key("", header), versions)


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=20).digest()


def _key(first: str, files: Mapping[str, bytes]) -> str:
    return cache_key(first, *(part for pair in sorted(files.items()) for part in pair))


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files below a folder with their contents, without what Python and editors leave there."""
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
                raise Unusual
            else:
                yield entry.path, _content(entry.path)


def _entries(folder: str) -> Iterable[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise Unusual from error


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 -- a Path for each of a thousand files takes a while
            return stream.read()
    except OSError as error:
        raise Unusual from error
