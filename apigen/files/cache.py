"""A cache of the results of costly steps, keyed by everything that a result depends on.

Entries are used only if no other user can have written them: the folder belongs to the user, and neither it nor a folder
above it is writable by others. An entry is bound to its key and to the installed code of apigen by its checksum.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import apigen
from apigen.files.own_code import own_code

_DIGEST_SIZE = 20
_MAGIC = b"apigen cache entry 2\n"
_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_MOST_LINKS = 40


def default_folder() -> Path:
    """Return the folder of the cache: `apigen` in the user's cache folder."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".cache") / "apigen"


class Cache:
    """A folder of results. Any number of runs may use it at once, and it may be deleted at any time.

    A damaged entry is treated as absent, and a result that cannot be written is not kept; `warn` gets a message about either.
    A folder that other users can write to is neither read nor written, and `warn` gets one message about that.
    """

    def __init__(self, folder: Path, warn: Callable[[str], None]) -> None:
        self._folder = folder
        self._warn = warn
        self._code = own_code()
        problem = why_not_private(folder)
        if problem is not None:
            warn(f"the cache {folder} is not used: {problem}")
        self._is_used = problem is None and self._code is not None

    def trim(self, size: int) -> None:
        """Remove the least recently used entries until at most `size` bytes remain."""
        if not self._is_used:
            return
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

    def _entry(self, key: str) -> tuple[str, Path]:
        """Return the name of an entry, which covers the key and the code that computes the result, and its file."""
        name = cache_key(self._code or "", key)
        return name, self._folder / name[:2] / name[2:]

    def get(self, key: str) -> bytes | None:
        """Return the result under a key of `cache_key`, or `None`."""
        if not self._is_used:
            return None
        name, place = self._entry(key)
        try:
            # Not through a link, and without waiting at a pipe: neither is an entry.
            descriptor = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
            with os.fdopen(descriptor, "rb") as stream:
                is_own = _is_own(os.fstat(descriptor))
                head = stream.read(len(_MAGIC) + _DIGEST_SIZE)
                content = stream.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._warn(f"the cache entry {place} cannot be read: {error.strerror}")
            return None
        if not is_own:
            self._warn(f"the cache entry {place} is not used, because other users can write it")
            return None
        if head != _head(name, content):
            self._warn(f"the cache entry {place} is damaged and is made again")
            return None
        with suppress(OSError):
            os.utime(place)  # used, as `trim` sees it
        return content

    def put(self, key: str, content: bytes) -> None:
        """Store a result under its key. It is written to a temporary file and renamed, so that other runs never read a
        part of it.
        """
        if not self._is_used:
            return
        name, place = self._entry(key)
        try:
            _make_private(place.parent)
            temporary = place.with_name(f".new-{os.urandom(8).hex()}")  # `tempfile` takes 6 ms to import
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(descriptor, "wb") as stream:
                    stream.write(_head(name, content))
                    stream.write(content)
                temporary.replace(place)
            except OSError:
                temporary.unlink(missing_ok=True)
                raise
        except OSError as error:
            self._warn(f"a result cannot be kept in the cache {self._folder}: {error.strerror}")


def cache_key(*parts: str | bytes) -> str:
    """Return a key for all inputs of a result. Each version of apigen has different keys."""
    digest = hashlib.blake2b(digest_size=_DIGEST_SIZE)
    for part in (apigen.__version__, *parts):
        data = part.encode() if isinstance(part, str) else part
        # The length in front, so that ("ab", "c") and ("a", "bc") are two keys; the kind, so that "a" and b"a" are.
        digest.update(f"{type(part).__name__} {len(data)}:".encode())
        digest.update(data)
    return digest.hexdigest()


def why_not_private(folder: Path) -> str | None:
    """Return why other users could change what is in a folder, with a fix, or None if only the user (and root) can.

    A folder that does not exist is private: the cache creates it for its user alone. Links above the folder are followed;
    each of these folders is checked.
    """
    if not hasattr(os, "geteuid"):  # Windows: access lists protect the profile of a user, and there are no such modes
        return None
    user = os.geteuid()
    place, waiting, links = Path("/"), list(reversed(Path(os.path.abspath(folder)).parts[1:])), 0
    while waiting:
        part = waiting.pop()
        if part == "..":
            place = place.parent
            continue
        child = place / part
        try:
            status = child.lstat()
        except FileNotFoundError:
            return None
        except OSError as error:
            return f"{child} cannot be examined: {error.strerror}"
        is_last = not waiting
        if status.st_uid != user and (is_last or status.st_uid != 0):
            return f"{child} belongs to another user; set XDG_CACHE_HOME to a folder of your own"
        if stat.S_ISLNK(status.st_mode):
            links += 1
            if is_last or links > _MOST_LINKS:
                return f"{child} is a symbolic link; set XDG_CACHE_HOME to a folder that is not a link"
            target = child.readlink()
            place = Path("/") if target.is_absolute() else place
            waiting += reversed(target.parts[1:] if target.is_absolute() else target.parts)
            continue
        # In a sticky folder such as /tmp, other users cannot rename or remove the user's files.
        is_sticky = status.st_mode & stat.S_ISVTX and not is_last
        if stat.S_ISDIR(status.st_mode) and status.st_mode & _BY_OTHERS and not is_sticky:
            return f"other users can write to {child}; run `chmod go-w {child}`"
        place = child
    return None


def _is_own(status: os.stat_result) -> bool:
    """Return whether an open file is a regular one that only the user can write."""
    is_users = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & _BY_OTHERS)
    return is_users and stat.S_ISREG(status.st_mode)


def _make_private(folder: Path) -> None:
    """Create a folder and those above it that do not exist, for the user alone."""
    if not folder.is_dir():
        _make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def _head(name: str, content: bytes) -> bytes:
    """Return the header of an entry. Its name is part of the checksum, so that no entry can replace another one."""
    checksum = hashlib.blake2b(name.encode(), digest_size=_DIGEST_SIZE)
    checksum.update(content)  # not joined with the name: a copy of the content would be the peak of memory
    return _MAGIC + checksum.digest()
