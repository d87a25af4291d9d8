"""Write several files at the end of a run: all of them, or none if one cannot be written.

Each file is first written next to its place. After all of them are on the disk, they replace the old ones. A run that
is stopped earlier changes nothing. If a run is killed between two renames, the next import writes the remaining files,
and a later run removes the staged ones.
"""

from __future__ import annotations

import glob
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from apigen.files.whole_file import STAGED, check_target, flush, stage

_LONGEST_RUN = 600.0
"""Seconds after which a staged file belongs to a killed run; a run needs a few seconds at most."""


class WriteError(Exception):
    """A file cannot be written. No file was changed."""


def write_together(files: Mapping[Path, bytes], read: Mapping[Path, bytes | None] | None = None) -> None:
    """Write files, and create their folders.

    Args:
        files: the new contents by path.
        read: the contents of some files (None: missing) from which the new contents were computed.

    Raises:
        WriteError: one of them cannot be written (symbolic links are never written), or changed since it was read. All
            files then have their old contents.

    Staged files of killed runs next to these files are removed.
    """
    staged: list[tuple[Path, Path]] = []
    created: list[Path] = []
    try:
        for path in files:
            check_target(path)
        for path, content in files.items():
            _make_folder(path.parent, created)
            staged.append((_stage(path, content), path))
        _put_in_place(staged, read or {})
        _flush_folders({path.parent for path in files})
    except OSError as error:
        _undo(staged, created)
        raise WriteError(
            f"cannot write {error.filename2 or error.filename or 'a file'}: {error.strerror or error}"
        ) from error
    except BaseException:
        _undo(staged, created)
        raise


def _make_folder(folder: Path, created: list[Path]) -> None:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    created += missing


def _stage(path: Path, content: bytes) -> Path:
    """Write the content next to its place. Raises OSError with the path of that place, without leaving a file."""
    _remove_left_over(path)
    try:
        return stage(path, content)
    except OSError as error:
        error.filename = str(path)
        raise


def _remove_left_over(path: Path) -> None:
    """Remove staged files that killed runs left; a recent one may belong to a concurrent run and is kept."""
    for staged in path.parent.glob(f".{glob.escape(path.name)}.*{STAGED}"):
        with suppress(OSError):
            if time.time() - staged.lstat().st_mtime > _LONGEST_RUN:
                staged.unlink()


def _put_in_place(staged: list[tuple[Path, Path]], read: Mapping[Path, bytes | None]) -> None:
    """Rename all files; if one fails, restore the contents of those before it."""
    before: list[tuple[Path, bytes | None]] = []
    try:
        for new, path in staged:
            old = path.read_bytes() if path.exists() else None
            if read.get(path, old) != old:
                raise WriteError(f"cannot write {path}: it was changed since it was read")
            before.append((path, old))
            new.replace(path)
    except BaseException:
        for path, old in reversed(before):
            with suppress(OSError):
                if old is None:
                    path.unlink(missing_ok=True)
                elif path.read_bytes() != old:
                    _stage(path, old).replace(path)
        raise


def _undo(staged: list[tuple[Path, Path]], created: list[Path]) -> None:
    for new, _ in staged:
        with suppress(OSError):
            new.unlink(missing_ok=True)
    for folder in created:
        with suppress(OSError):
            folder.rmdir()


def _flush_folders(folders: set[Path]) -> None:
    for folder in folders:
        with suppress(OSError):
            flush([folder])
