"""Unpacks the zip of a Go module: only what is read of it, and only into the folder meant for it."""

from __future__ import annotations

import re
import stat
import zipfile
import zlib
from pathlib import Path

MOST_FILES = 100_000
MOST_BYTES = 500 * 1024**2
"""What all files of a module may have together; Go's own limit is the same."""

_CHUNK = 256 * 1024
_KEPT = re.compile(r"(?:.*/)?(?:[^/]*\.go|go\.mod|LICENSE[^/]*)", re.DOTALL)
_UNSAFE = re.compile(r"[\\:\x00-\x1f]|^/|(?:^|/)\.{0,2}(?:/|$)")


class UnusableZipError(Exception):
    """The zip is broken, too large, or holds what no module does."""


def unpack(archive: Path, target: Path, *, prefix: str) -> None:
    """Write the Go files, the go.mod and the licences of a module below a new folder.

    All names in the zip begin with `prefix` (`module@version/`). Raises UnusableZipError, and OSError if something
    cannot be written; the folder is then not to be used.
    """
    target.mkdir()
    try:
        with zipfile.ZipFile(archive) as content:
            entries = content.infolist()
            if len(entries) > MOST_FILES:
                raise UnusableZipError(f"it has more than {MOST_FILES:,} files")
            left = MOST_BYTES
            for entry in entries:
                name = _name(entry, prefix)
                if _KEPT.fullmatch(name) is not None and not entry.is_dir():
                    left -= _write(content, entry, target / name, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeError) as error:
        raise UnusableZipError(f"it is no sound zip ({error})") from None


def _name(entry: zipfile.ZipInfo, prefix: str) -> str:
    """The path of an entry below the folder; every entry is judged, also those that are not kept."""
    name = entry.filename.removeprefix(prefix)
    if entry.filename == prefix:
        return ""
    if name == entry.filename or _UNSAFE.search(name.removesuffix("/")):
        raise UnusableZipError(f"it holds the path {entry.filename[:100]!r}")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise UnusableZipError(f"it holds a symbolic link, {entry.filename[:100]!r}")
    return name


def _write(content: zipfile.ZipFile, entry: zipfile.ZipInfo, path: Path, left: int) -> int:
    """Write one file; gives its size. What the zip says of sizes is not believed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with content.open(entry) as source, path.open("xb") as file:
        while chunk := source.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise UnusableZipError(f"its files have more than {MOST_BYTES // 1024**2} MB together")
            file.write(chunk)
    return size
