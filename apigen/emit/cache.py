"""Remembers results of costly steps by what went into them."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

import apigen

Json: TypeAlias = "None | bool | int | float | str | list[Json] | dict[str, Json]"

_DIGEST_SIZE = 20
_MAGIC = b"apigen cache entry 1\n"


class Cache:
    """A folder of results. Any number of runs may use it at once, and it may be deleted at any time.

    An entry that is damaged counts as none, and a result that cannot be kept is not; `warn` is told of either.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._warn = warn

    def bytes_for(self, key: str, make: Callable[[], bytes]) -> bytes:
        """The result under a key of `cache_key`; made and kept if there is none."""
        found = self._read(key)
        if found is None:
            found = make()
            self._write(key, found)
        return found

    def json_for(self, key: str, make: Callable[[], Json]) -> Json:
        """Like `bytes_for`, of values that JSON can hold."""
        value: Json = json.loads(self.bytes_for(key, lambda: json.dumps(make(), ensure_ascii=False).encode()))
        return value

    def put(self, key: str, content: bytes) -> None:
        """Keep a result, whatever there is under its key."""
        self._write(key, content)

    def trim(self, size: int) -> None:
        """Remove what was not used for longest until no more than `size` bytes are left."""
        entries = []
        for path in self._folder.glob("??/*"):
            with suppress(OSError):
                status = path.stat()
                entries.append((status.st_mtime, status.st_size, path))
        total = sum(length for _, length, _ in entries)
        for _, length, path in sorted(entries):
            if total <= size:
                break
            with suppress(OSError):
                path.unlink()
            total -= length

    def _place(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]

    def _read(self, key: str) -> bytes | None:
        place = self._place(key)
        try:
            with place.open("rb") as stream:
                head = stream.read(len(_MAGIC) + _DIGEST_SIZE)
                content = stream.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(f"the cache entry {place} cannot be read: {error.strerror}")
            return None
        if head != _head(content):
            self._warn(f"the cache entry {place} is damaged and is made anew")
            return None
        with suppress(OSError):
            os.utime(place)  # used, as `trim` sees it
        return content

    def _write(self, key: str, content: bytes) -> None:
        """Keep a result: written aside and renamed, so that nobody ever reads half of it."""
        place = self._place(key)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            descriptor, aside = tempfile.mkstemp(dir=place.parent, prefix=".new-")
            try:
                with os.fdopen(descriptor, "wb") as stream:
                    stream.write(_head(content))
                    stream.write(content)
                Path(aside).replace(place)
            except OSError:
                Path(aside).unlink(missing_ok=True)
                raise
        except OSError as error:
            self._warn(f"a result cannot be kept in the cache {self._folder}: {error.strerror}")


def cache_key(*parts: str | bytes) -> str:
    """A key for everything that a result depends on. Another version of apigen gives another key."""
    digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    for part in (apigen.__version__, *parts):
        data = part.encode() if isinstance(part, str) else part
        # The length in front, so that ("ab", "c") and ("a", "bc") are two keys; the kind, so that "a" and b"a" are.
        digest.update(f"{type(part).__name__} {len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()


def _head(content: bytes) -> bytes:
    return _MAGIC + hashlib.blake2b(content, digest_size=_DIGEST_SIZE).digest()
