"""File system operations for writing a tree, durable across a crash."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import stat
import sys
from collections.abc import Iterable
from pathlib import Path

from apigen.build.publisher.tree import folders_above

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2

_MANY = 20


def write_all(folder: Path, files: dict[str, bytes]) -> None:
    """Write new files below a folder, with the folders that they need, and see them to the disk."""
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as stream:
            stream.write(content)
    if len(files) > _MANY and sys.platform == "linux":
        os.sync()  # waits for all at once there; file by file it takes some 4 ms each
        return
    flush(folder / path for path in files)
    flush([folder, *(folder / inner for inner in folders_above(tuple(files)))])


def flush(places: Iterable[Path]) -> None:
    """See files, or the entries of folders, to the disk."""
    for place in places:
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def exchange(first: Path, second: Path) -> None:
    """Let two names change places at once. Raises OSError with ENOSYS where the system cannot."""
    arguments: tuple[object, ...]
    if sys.platform == "darwin":
        name, arguments = "renamex_np", (os.fsencode(first), os.fsencode(second), _RENAME_SWAP)
    else:
        paths = (os.fsencode(first), _AT_FDCWD, os.fsencode(second))
        name, arguments = "renameat2", (_AT_FDCWD, *paths, _RENAME_EXCHANGE)
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(second))
    if function(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(second))


def discard(folder: Path) -> None:
    """Remove a folder of apigen with its contents, even if it is partly removed or not writable."""
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    for place, folders, _ in os.walk(folder):
        for name in (*folders, "."):
            inner = Path(place, name)
            mode = inner.lstat().st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                inner.chmod(mode | stat.S_IRWXU)
    shutil.rmtree(folder)
