"""What was read of files of specs before: a file with the same content, shown by the same name, is not read again.

Only what could be read without a word is known, so that nothing that would be reported is ever left out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from typing import TypeVar

from apigen.spec.context import Context
from apigen.spec.packing import DamagedError, Unpacker, packed, unpacked
from apigen.spec.read_before import Make
from apigen.spec.source import SourceFile

MOST_BYTES = 64 * 1024 * 1024
"""What all files may take together; those that nobody read for longest go first."""

Entry = tuple[bytes, bytes]
Known = Mapping[str, Entry]
"""For each file a digest of its content, and what was read of it."""

T = TypeVar("T")


KNOWN_FORM = {str: (bytes, bytes)}
"""The same, for what checks an entry of a cache."""


class KnownFiles:
    """What was read in this run and in those before it, by the same code: the cache sees to that."""

    def __init__(self, before: Known) -> None:
        self._before = before
        self._used: dict[str, Entry] = {}
        self._unpacked: dict[bytes, object] = {}

    @property
    def is_new(self) -> bool:
        """Whether anything was read that was not known."""
        return any(self._before.get(name) is not found for name, found in self._used.items())

    @property
    def all(self) -> Known:
        """Everything that is known now, the latest first."""
        found: dict[str, Entry] = {}
        size = 0
        for name, each in {**self._used, **{k: v for k, v in self._before.items() if k not in self._used}}.items():
            size += len(each[1])
            if size > MOST_BYTES:
                break
            found[name] = each
        return found

    def value(self, class_: type[T], file: SourceFile, context: Context, make: Make[T]) -> T | None:
        """What `make` makes of a file that belongs to what `context` is of, or what it made of it before."""
        name = f"{class_.__name__} {'.'.join(context.owner)} {file.name}"
        digest = self._digest(name, file.text)
        for known in (self._used.get(name), self._before.get(name)):
            if known is not None and known[0] == digest:
                found = self._value(known)
                if isinstance(found, class_):
                    self._used.setdefault(name, known)  # what was made of the file since then stays
                    return found
        before = context.report.told
        made = make(file, context)
        if made is not None and context.report.told == before:
            self._used[name] = digest, packed(made)
            self._unpacked[digest] = made
        return made

    def _value(self, known: Entry) -> object:
        """What was read; None where that is damaged."""
        if known[0] not in self._unpacked:
            with suppress(DamagedError):
                self._unpacked[known[0]] = unpacked(known[1], _Unpacker)
        return self._unpacked.get(known[0])

    def _digest(self, name: str, text: str) -> bytes:
        digest = hashlib.blake2b(f"{name}\n".encode(), digest_size=20)
        digest.update(text.encode())
        return digest.digest()


class _Unpacker(Unpacker):
    """Knows the model of specs."""

    own = ("apigen.spec.", "apigen.diagnostics.model")
    others = frozenset({("apigen.spec.nodes", "Scalar")})
