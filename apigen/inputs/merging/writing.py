"""Writes several files at the end of a run: all of them, or, if something is in the way, none.

Each is written next to its place first; only when all are on the disk do they take the places of the old ones. A run
that is stopped before that leaves everything as it was. One that the system kills between two of those renames is made
good by the next import, which changes only what is not yet as wanted; what it had staged goes with a later one.
"""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from apigen.files.whole_file import STAGED, check_target, stage

_LONGEST_RUN = 600.0
"""Seconds for which a staged file may be waiting for its place; it takes a few at the most."""


class WriteError(Exception):
    """The system does not let a file be written. Nothing has been changed."""


def write_together(files: Mapping[Path, bytes], read: Mapping[Path, bytes | None] | None = None) -> None:
    """Write files, with the folders that they need.

    Args:
        files: what is to be in them.
        read: what was in some of them (None: they were not there) when it was decided what is to be.

    Raises:
        WriteError: one of them cannot be written (a symbolic link never is), or is no longer as it was read; then none is,
            and the old ones are back.

    What a killed run has left next to such a file is removed.
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
    """Write the content next to its place. Raises OSError, which names that place, and leaves nothing then."""
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
    """Rename all; when one fails, those before it get their old content back."""
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
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
