"""Writes several new files of the spec folder at once: a run that is killed has written all of them or none.

What is to be written is put into one file first, a journal, whose appearance is the moment at which it has happened. Then
the files are put in place and the journal goes. A run that is killed between leaves the journal, and the next run that
writes completes it.
"""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from apigen.history.records import JOURNAL_FILE


def write_together(root: Path, files: Mapping[Path, str]) -> None:
    """Write files below `root`, with the folders that they need. Raises OSError, having written none."""
    if files:
        content = {path.relative_to(root).as_posix(): text for path, text in files.items()}
        for path in files:  # what is in the way is found before anything has happened
            path.parent.mkdir(parents=True, exist_ok=True)
            _check_writable(path)
        _put(root / JOURNAL_FILE, json.dumps(content))
        complete(root)


def complete(root: Path) -> None:
    """Put in place what a killed run was about to, if there is such a run. Raises OSError."""
    journal = root / JOURNAL_FILE
    if not journal.is_file() or journal.is_symlink():
        return
    for name, text in json.loads(journal.read_text(encoding="utf-8")).items():
        path = root / name
        if not path.resolve().is_relative_to(root.resolve()):
            raise OSError(f"{journal}: it names a file outside of the folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        _put(path, text)
    journal.unlink()


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


def _put(path: Path, text: str) -> None:
    """Write a file at once: whoever reads it finds it whole, or as it was."""
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    staged = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        staged.chmod(0o644)
        staged.replace(path)
    except BaseException:
        with suppress(OSError):
            staged.unlink()
        raise
