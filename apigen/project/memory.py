"""Remembers what a run made of all that goes into it, so that a run with nothing changed has next to nothing to do.

The key is the content of everything that is read: the specs, the hand-written functions and the configuration; the cache
adds the code of apigen. So an entry never becomes wrong, and the folder may be deleted at any time. A run with something changed begins
from the last one of the same project: see `apigen.project.units`.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path

from apigen.config import Config
from apigen.emit.cache import Cache, cache_key, is_of_form
from apigen.project.built import Built, Summary
from apigen.project.entries import Entries
from apigen.project.inputs import Inputs, Unusual
from apigen.spec.known_files import KNOWN_FORM, KnownFiles

KEPT_BYTES = 256 * 1024 * 1024


def default_folder() -> Path:
    """Where entries are kept: `apigen` in the user's folder for caches."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "apigen"


class Memory:
    """What earlier runs made of a project. Anything unusual among the files that are read, and nothing is remembered."""

    def __init__(self, folder: Path, config: Config, warn: Callable[[str], None] = lambda _: None) -> None:
        self._cache = Cache(folder, warn)
        self._entries = Entries(self._cache)
        self._config = config
        self.inputs = _inputs(config)

    def recall(self) -> Built | None:
        """What was built of the same files before; None if that is not known."""
        return None if self.inputs is None else self._entries.built(self.inputs.whole)

    def summary(self) -> Summary | None:
        """What was built of the same files before, without the contents; None if that is not known."""
        return None if self.inputs is None else self._entries.summary(self.inputs.whole)

    def before(self) -> Built | None:
        """What the last run built that kept it; None if that is not known."""
        try:
            key = self._cache.bytes_for(self._project, _nothing).decode()
        except (_NotKnown, UnicodeDecodeError):
            return None
        return self._entries.built(key)

    def remember(self, built: Built) -> None:
        """Keep what was built, unless a file has changed since it was read: for the files with the locks that it gave."""
        now = _inputs(self._config)
        if self.inputs is not None and now is not None and self.inputs.whole == now.whole:
            whole = now.with_locks(built.locks).whole
            self._entries.put(whole, built)
            self._cache.put(self._project, whole.encode())
            self._cache.trim(KEPT_BYTES)

    @cached_property
    def files(self) -> KnownFiles | None:
        """What earlier runs read of the files of specs; None where nothing is remembered."""
        if self.inputs is None:
            return None
        try:
            known = marshal.loads(self._cache.bytes_for(self._files_key, _nothing))
        except (_NotKnown, EOFError, TypeError, ValueError):
            known = {}
        return KnownFiles(known if is_of_form(known, KNOWN_FORM) else {})

    def keep_files(self) -> None:
        """Keep what was read of files in this run."""
        if self.files is not None and self.files.is_new:
            self._cache.put(self._files_key, marshal.dumps(dict(self.files.all)))

    @property
    def _files_key(self) -> str:
        return cache_key("read", self._project)

    @property
    def _project(self) -> str:
        return cache_key("project", str(Path.cwd()), str(self._config.specs), str(self._config.output))


class _NotKnown(Exception):
    """There is no such entry."""


def _nothing() -> bytes:
    raise _NotKnown


def _inputs(config: Config) -> Inputs | None:
    try:
        return Inputs.of(config)
    except Unusual:
        return None
