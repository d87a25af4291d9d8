"""Writes several files at the end of a run: all of them, or, if something is in the way, none.

Each is written beside its place first; only when all are on the disk do they take the places of the old ones. A run
that is stopped before that leaves everything as it was. One that the system kills between two of those renames is made
good by the next import, which changes only what is not yet as wanted.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


class WriteError(Exception):
    """The system does not let a file be written. Nothing has been changed."""


def write_together(files: Mapping[Path, bytes]) -> None:
    """Write files, with the folders that they need.

    Raises:
        WriteError: one of them cannot be written; then none is, and the old ones are back.
    """
    staged: list[tuple[Path, Path]] = []
    made: list[Path] = []
    try:
        for path, content in files.items():
            _make_folder(path.parent, made)
            staged.append((_stage(path, content), path))
        _put_in_place(staged)
        _flush_folders({path.parent for path in files})
    except OSError as error:
        _undo(staged, made)
        name = error.filename if error.filename is not None else "a file"
        raise WriteError(f"cannot write {name}: {error.strerror or error}") from error
    except BaseException:
        _undo(staged, made)
        raise


def _make_folder(folder: Path, made: list[Path]) -> None:
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    made += missing


def _stage(path: Path, content: bytes) -> Path:
    real = path.resolve() if path.is_symlink() else path
    descriptor, name = tempfile.mkstemp(prefix=f".{real.name}.", suffix=".new", dir=real.parent)
    staged = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        staged.chmod(real.stat().st_mode if real.exists() else 0o666 & ~_umask())
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    return staged


def _put_in_place(staged: list[tuple[Path, Path]]) -> None:
    """Rename all; when one fails, those before it get their old content back."""
    before: list[tuple[Path, bytes | None]] = []
    try:
        for new, path in staged:
            real = path.resolve() if path.is_symlink() else path
            before.append((real, real.read_bytes() if real.exists() else None))
            new.replace(real)
    except BaseException:
        for real, old in reversed(before):
            with suppress(OSError):
                if old is None:
                    real.unlink(missing_ok=True)
                elif real.read_bytes() != old:
                    _stage(real, old).replace(real)
        raise


def _undo(staged: list[tuple[Path, Path]], made: list[Path]) -> None:
    for new, _ in staged:
        with suppress(OSError):
            new.unlink(missing_ok=True)
    for folder in made:
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
