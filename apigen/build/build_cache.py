"""The cache of earlier runs of a project: a summary of the output for a run without changes, and formatted code.

The key of a summary covers the content of all files that a run reads, the key of formatted code is the generated code;
the cache adds the code of apigen. Entries never become outdated, and the folder may be deleted at any time.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path

from apigen.build.built import Built, Lock, Summary
from apigen.build.publisher.locking import work_folders
from apigen.build.publisher.output_folder import MANIFEST_NAME, Manifest, Survey, digest
from apigen.codegen.formatting import formatter_of
from apigen.dataclass import dataclass, replace
from apigen.files.cache import Cache, cache_key
from apigen.files.folder_contents import UnusualFileError, contents
from apigen.files.packing import DamagedError, pack, unpack
from apigen.language.configuration import Config

CACHE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files that a run reads, by digest, and a key for the settings that it depends on."""

    settings: str
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, config: Config) -> Inputs:
        """Read all inputs of a project. Raises UnusualFileError."""
        values = (
            config.groups,
            config.kinds,
            config.backends,
            config.package,
            config.release,
            config.series,
            pack(config.crd),  # `repr` imports the standard library's `dataclasses`, which takes 15 ms
        )
        places = (str(Path.cwd()), str(config.specs), str(config.handwritten))
        settings = cache_key(sys.version, *places, repr(values), str(formatter_of(config.formatter)))
        return cls(settings, dict(chain(_digests(config.specs), _digests(config.handwritten))))

    def with_locks(self, locks: Iterable[Lock]) -> Inputs:
        """Return the inputs of the next run, which reads the locks that this one writes."""
        return replace(self, files={**self.files, **{lock.path: _digest(lock.text.encode()) for lock in locks}})

    @property
    def key(self) -> str:
        """The key for all inputs."""
        return cache_key(self.settings, *(part for pair in sorted(self.files.items()) for part in pair))


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=20).digest()


def _digests(folder: Path) -> Iterator[tuple[str, bytes]]:
    return ((str(folder / name), _digest(content)) for name, content in contents(folder))


class BuildCache:
    """The cache of a project. If there is an unusual file among the inputs, no summary is read or kept."""

    def __init__(self, folder: Path, config: Config, warn: Callable[[str], None] = lambda _: None) -> None:
        self._cache = Cache(folder, warn)
        self._config = config
        self._inputs = _inputs(config)

    def summary(self) -> Summary | None:
        """Return the summary of the output for the same inputs, without the contents; None if it is not cached."""
        if self._inputs is None:
            return None
        found = self._found(_of_summary(self._inputs))
        return found if isinstance(found, Summary) else None

    def formatted(self) -> Mapping[str, bytes]:
        """Return the formatted code of the last run, by the digest of the generated code (`OutputFile.digest`)."""
        found = self._found(self._formatted)
        return found if isinstance(found, dict) else {}

    def store(self, built: Built, formatted: Mapping[str, bytes]) -> None:
        """Store formatted code, and a summary unless a file has changed since it was read."""
        self._cache.put(self._formatted, pack(dict(formatted)))
        now = _inputs(self._config)
        if now is not None and now == self._inputs:
            digests = {file.path: digest(file.content) for file in built.files}
            summary = Summary(digests, built.locks, built.warnings)
            self._cache.put(_of_summary(now.with_locks(built.locks)), pack(summary))
        self._cache.trim(CACHE_BYTES)

    def _found(self, key: str) -> object:
        """Return the value under a key; None if it is missing or damaged."""
        try:
            return unpack(self._cache.get(key) or b"")
        except DamagedError:
            return None

    @property
    def _formatted(self) -> str:
        places = (str(Path.cwd()), str(self._config.specs), str(self._config.output))
        return cache_key("formatted", *places, str(formatter_of(self._config.formatter)))


def _inputs(config: Config) -> Inputs | None:
    try:
        return Inputs.of(config)
    except UnusualFileError:
        return None


def _of_summary(inputs: Inputs) -> str:
    return cache_key("summary", inputs.key)


def unchanged(config: Config, cache: BuildCache) -> Summary | None:
    """Return the summary of the last run, if all files are unchanged since; None if one differs, or that is unknown.

    No file is written, and no content is kept: after a difference, the caller compares again, with the contents.
    """
    known = cache.summary()
    root = config.output.resolve()
    if known is None or any(folder.exists() for folder in work_folders(root)):
        return None  # another run is active, or a killed one must be completed
    survey = Survey(root)
    try:
        if survey.look(MANIFEST_NAME) != Manifest(known.digests, str(formatter_of(config.formatter))).to_bytes():
            return None
        for path, expected in known.digests.items():
            content = survey.look(path)
            if not isinstance(content, bytes) or digest(content) != expected:
                return None
        same = all(lock.present == lock.text.encode() for lock in known.locks)
    except OSError:
        return None
    return known if same else None
