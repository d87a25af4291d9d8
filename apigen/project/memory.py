"""Remembers what a run made of all that goes into it, so that a run with nothing changed has next to nothing to do.

The key is the content of everything that is read: the specs, the hand-written functions, the configuration, and apigen
itself. So an entry never becomes wrong, and the folder may be deleted at any time. A run with something changed begins
from the last one of the same project: see `apigen.project.units`.
"""

from __future__ import annotations

import json
import marshal
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

from apigen.config import Config
from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.emit.cache import Cache, cache_key
from apigen.emit.manifest import digest
from apigen.emit.output import OutputFile
from apigen.project.built import Built, Lock, MadeOf, Summary
from apigen.project.inputs import Inputs, Unusual
from apigen.spec.known_files import KnownFiles

KEPT_BYTES = 256 * 1024 * 1024


def default_folder() -> Path:
    """Where entries are kept: `apigen` in the user's folder for caches."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "apigen"


class Memory:
    """What earlier runs made of a project. Anything unusual among the files that are read, and nothing is remembered."""

    def __init__(self, folder: Path, config: Config, warn: Callable[[str], None] = lambda _: None) -> None:
        self._cache = Cache(folder, warn)
        self._config = config
        self.inputs = _inputs(config)

    def recall(self) -> Built | None:
        """What was built of the same files before; None if that is not known."""
        return None if self.inputs is None else self._entry(self.inputs.whole)

    def summary(self) -> Summary | None:
        """What was built of the same files before, without the contents; None if that is not known."""
        if self.inputs is None:
            return None
        try:
            digests, locks, warnings = marshal.loads(self._cache.bytes_for(_of_summary(self.inputs.whole), _nothing))
            return Summary(digests, _locks(locks), tuple(_diagnostic(each) for each in json.loads(warnings)))
        except (_NotKnown, EOFError, LookupError, TypeError, ValueError):
            return None

    def before(self) -> Built | None:
        """What the last run built that kept it; None if that is not known."""
        try:
            key = self._cache.bytes_for(self._project, _nothing).decode()
        except _NotKnown:
            return None
        return self._entry(key)

    def remember(self, built: Built) -> None:
        """Keep what was built, unless a file has changed since it was read."""
        now = _inputs(self._config)
        if self.inputs is not None and now is not None and self.inputs.whole == now.whole:
            self._cache.put(now.whole, _packed(built))
            self._cache.put(_of_summary(now.whole), _summarized(built))
            self._cache.put(self._project, now.whole.encode())
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
        return KnownFiles(known, self.inputs.own)

    def keep_files(self) -> None:
        """Keep what was read of files in this run."""
        if self.files is not None and self.files.is_new:
            self._cache.put(self._files_key, marshal.dumps(dict(self.files.all)))

    @property
    def _files_key(self) -> str:
        return cache_key("files", self._project)

    @property
    def _project(self) -> str:
        return cache_key("project", str(Path.cwd()), str(self._config.specs), str(self._config.output))

    def _entry(self, key: str) -> Built | None:
        try:
            return _unpacked(self._cache.bytes_for(key, _nothing))
        except (_NotKnown, EOFError, LookupError, TypeError, ValueError):
            return None


class _NotKnown(Exception):
    """There is no such entry."""


def _nothing() -> bytes:
    raise _NotKnown


def _inputs(config: Config) -> Inputs | None:
    try:
        return Inputs.of(config)
    except Unusual:
        return None


def _of_summary(whole: str) -> str:
    return cache_key("summary", whole)


def _summarized(built: Built) -> bytes:
    return marshal.dumps(({file.path: digest(file.content) for file in built.files}, *_rest(built)))


_Rest = tuple[list[tuple[str, str, str]], str]


def _rest(built: Built) -> _Rest:
    """Locks and warnings."""
    locks = [(str(lock.path), lock.shown, lock.text) for lock in built.locks]
    return locks, json.dumps([asdict(warning) for warning in built.warnings])


def _locks(packed: list[tuple[str, str, str]]) -> tuple[Lock, ...]:
    return tuple(Lock(Path(path), shown, text) for path, shown, text in packed)


def _packed(built: Built) -> bytes:
    files = [(file.path, file.content) for file in built.files]
    locks, warnings = _rest(built)
    known = built.made_of
    made_of = None
    if known is not None:
        made_of = (known.common, known.newest, dict(known.specs), dict(known.keys), dict(known.links))
    return marshal.dumps((files, locks, warnings, made_of))


def _unpacked(data: bytes) -> Built:
    files, locks, warnings, made_of = marshal.loads(data)
    return Built(
        tuple(OutputFile(path, content) for path, content in files),
        _locks(locks),
        tuple(_diagnostic(each) for each in json.loads(warnings)),
        None if made_of is None else MadeOf(*made_of),
    )


def _diagnostic(value: Mapping[str, Any]) -> Diagnostic:
    related = tuple(Related(Place(**each["place"]), each["message"]) for each in value["related"])
    changed = {"severity": Severity(value["severity"]), "place": Place(**value["place"]), "related": related}
    return Diagnostic(**{**value, **changed})
