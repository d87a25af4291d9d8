"""What runs built, as entries of the cache: an output that is nearly an earlier one is kept as what differs from it."""

from __future__ import annotations

import json
import marshal
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from apigen.diagnostics import Diagnostic, Place, Related, Severity
from apigen.emit.cache import Cache, Form, cache_key, is_of_form
from apigen.emit.manifest import digest
from apigen.emit.output import OutputFile
from apigen.project.built import Built, Lock, MadeOf, Summary

MOST_DIFFERENT = 0.1
"""The share of an output up to which it is kept as what differs from another."""

_Files = Mapping[str, bytes]
_DAMAGED = (EOFError, LookupError, TypeError, ValueError)

_FILES = {str: bytes | None}
_LOCKS = [(str, str, str)]
_TEXTS = (str, ...)
_MADE_OF = (str, str, {str: bytes}, {str: str}, {str: (str, str)}, {str: _TEXTS}, {str: bytes}, ((_TEXTS, _TEXTS), ...))
_PLACE = {"file": str, "line": int, "column": int}
_DIAGNOSTIC = {
    "code": str,
    "severity": str,
    "place": _PLACE,
    "message": str,
    "hint": str | None,
    "related": [{"place": _PLACE, "message": str}],
    "source_line": str | None,
}


class Entries:
    """What is kept in a cache of what runs built, by keys of what they read."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._base: tuple[str, _Files] | None = None

    def built(self, key: str) -> Built | None:
        """What a run built; None if that is not known, or not to be made out."""
        try:
            at, different, locks, warnings, made_of = _of_form(
                marshal.loads(self._cache.bytes_for(key, _nothing)), (str, _FILES, _LOCKS, str, object)
            )
            base = _of_form(marshal.loads(self._cache.bytes_for(at, _nothing)), {str: bytes})
            self._base = at, base
            if made_of is not None:
                _of_form(made_of, _MADE_OF)
            files = {**base, **different}
            return Built(
                tuple(OutputFile(path, content) for path, content in files.items() if content is not None),
                _locks(locks),
                _diagnostics(warnings),
                None if made_of is None else MadeOf(*made_of),
            )
        except (_NotKnown, *_DAMAGED):
            return None

    def summary(self, key: str) -> Summary | None:
        """The same without the contents."""
        try:
            digests, locks, warnings = _of_form(
                marshal.loads(self._cache.bytes_for(_of_summary(key), _nothing)), ({str: str}, _LOCKS, str)
            )
            return Summary(digests, _locks(locks), _diagnostics(warnings))
        except (_NotKnown, *_DAMAGED):
            return None

    def put(self, key: str, built: Built) -> None:
        """Keep what was built."""
        files = {file.path: file.content for file in built.files}
        at, different = self._place(key, files)
        parts: Any = (at, different, *_rest(built), _made_of(built.made_of))
        self._cache.put(key, marshal.dumps(parts))
        digests = {path: digest(content) for path, content in files.items()}
        self._cache.put(_of_summary(key), marshal.dumps((digests, *_rest(built))))

    def _place(self, key: str, files: _Files) -> tuple[str, dict[str, bytes | None]]:
        """Where most of the files are kept, and those that are others there; None for those that are not to be."""
        if self._base is not None:
            at, before = self._base
            different: dict[str, bytes | None] = {
                path: content for path, content in files.items() if before.get(path) != content
            }
            if _size(different) <= MOST_DIFFERENT * _size(files):
                different.update(dict.fromkeys(before.keys() - files.keys()))
                return at, different
        at = cache_key("files", key)
        self._cache.put(at, marshal.dumps(dict(files)))
        self._base = at, files
        return at, {}


class _NotKnown(Exception):
    """There is no such entry."""


def _nothing() -> bytes:
    raise _NotKnown


def _size(files: Mapping[str, bytes | None]) -> int:
    return sum(len(content or b"") for content in files.values())


def _of_summary(key: str) -> str:
    return cache_key("summary", key)


def _rest(built: Built) -> tuple[list[tuple[str, str, str]], str]:
    """Locks and warnings."""
    locks = [(str(lock.path), lock.shown, lock.text) for lock in built.locks]
    return locks, json.dumps([asdict(warning) for warning in built.warnings])


def _made_of(known: MadeOf | None) -> tuple[object, ...] | None:
    if known is None:
        return None
    parts = (known.specs, known.groups, known.keys, known.links, known.words)
    return (known.common, known.releases, *map(dict, parts), known.borrowed)


def _locks(packed: list[tuple[str, str, str]]) -> tuple[Lock, ...]:
    return tuple(Lock(Path(path), shown, text) for path, shown, text in packed)


def _of_form(value: object, form: Form) -> Any:
    """The value. Raises ValueError if it does not have the form, so that the entry is treated as absent."""
    if not is_of_form(value, form):
        raise ValueError
    return value


def _diagnostics(text: str) -> tuple[Diagnostic, ...]:
    return tuple(map(_diagnostic, _of_form(json.loads(text), [_DIAGNOSTIC])))


def _diagnostic(value: Mapping[str, Any]) -> Diagnostic:
    related = tuple(Related(Place(**each["place"]), each["message"]) for each in value["related"])
    changed = {"severity": Severity(value["severity"]), "place": Place(**value["place"]), "related": related}
    return Diagnostic(**{**value, **changed})
