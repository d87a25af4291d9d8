"""Remembers what a run made of all that goes into it, so that a run with nothing changed has next to nothing to do.

The key is the content of everything that is read: the specs, the hand-written functions, the configuration, and apigen
itself. So an entry never becomes wrong, and the folder may be deleted at any time.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import apigen
from apigen.config import Config
from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.emit.cache import Cache, cache_key
from apigen.emit.output import OutputFile
from apigen.project.built import Built, Lock

KEPT_BYTES = 256 * 1024 * 1024
LARGEST_FILE = 10 * 1024 * 1024
MOST_FILES = 20_000

_PACKAGE = Path(apigen.__file__).resolve().parent


def default_folder() -> Path:
    """Where entries are kept: `apigen` in the user's folder for caches."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "apigen"


class Memory:
    """What earlier runs made. Anything unusual among the files that are read, and nothing is remembered."""

    def __init__(self, folder: Path) -> None:
        self._cache = Cache(folder, lambda _: None)
        self._keys: dict[int, str | None] = {}

    def recall(self, config: Config) -> Built | None:
        """What was built of the same files before; None if that is not known."""
        key = self._keys[id(config)] = _key(config)
        if key is None:
            return None
        try:
            return _from_json(json.loads(self._cache.bytes_for(key, _nothing)))
        except (_NotKnown, LookupError, TypeError, ValueError):
            return None

    def remember(self, config: Config, built: Built) -> None:
        """Keep what was built, unless a file has changed since `recall` was asked."""
        key = self._keys.get(id(config))
        if key is not None and key == _key(config):
            self._cache.bytes_for(key, lambda: json.dumps(_to_json(built)).encode())
            self._cache.trim(KEPT_BYTES)


class _NotKnown(Exception):
    """There is no such entry."""


def _nothing() -> bytes:
    raise _NotKnown


def _key(config: Config) -> str | None:
    """A key for everything that a run reads; None if that is too unusual to be sure of it."""
    parts: list[str | bytes] = [sys.version, os.getcwd(), str(config.specs), str(config.handwritten)]  # noqa: PTH109
    parts += [json.dumps([config.groups, config.kinds, config.backends, config.package, config.release])]
    beside = [_PACKAGE.parent / name for name in ("templates", "api-specs/kubernetes", "handwritten")]
    try:
        for folder in (config.specs, config.handwritten, _PACKAGE, *beside):
            for name, content in _files(folder):
                parts += [name, content]
    except _Unusual:
        return None
    return cache_key(*parts)


class _Unusual(Exception):
    """A link, a device, a file that is too large or cannot be read: not for a cache to judge."""


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """The files below a folder with their contents, in order, without what Python and editors leave there."""
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
                raise _Unusual
            else:
                yield entry.path, _content(entry.path)


def _entries(folder: str) -> Iterable[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise _Unusual from error


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise _Unusual from error


def _to_json(built: Built) -> Mapping[str, object]:
    return {
        "files": {file.path: file.content.decode("latin-1") for file in built.files},
        "locks": [[str(lock.path), lock.shown, lock.text] for lock in built.locks],
        "warnings": [asdict(warning) for warning in built.warnings],
    }


def _from_json(value: Mapping[str, Any]) -> Built:
    files = (OutputFile(path, content.encode("latin-1")) for path, content in value["files"].items())
    locks = (Lock(Path(path), shown, text) for path, shown, text in value["locks"])
    return Built(tuple(files), tuple(locks), tuple(_diagnostic(each) for each in value["warnings"]))


def _diagnostic(value: Mapping[str, Any]) -> Diagnostic:
    related = tuple(Related(Place(**each["place"]), each["message"]) for each in value["related"])
    changed = {"severity": Severity(value["severity"]), "place": Place(**value["place"]), "related": related}
    return Diagnostic(**{**value, **changed})
