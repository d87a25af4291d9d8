"""Writes several new files of the spec folder at once: a run that is killed has written all of them or none.

What is to be written is put into one file first, a journal, whose appearance is the moment at which it has happened. Then
the files are put in place and the journal goes. A run that is killed between leaves the journal, and the next run that
writes completes it.
"""

from __future__ import annotations

import errno
import glob
import json
import os
from collections.abc import Mapping
from pathlib import Path

from apigen.history.unfinished import JOURNAL_FILE, is_unfinished
from apigen.spec.folders import HISTORY_FOLDER, SUFFIX
from apigen.whole_file import STAGED, check_target, write_whole


def write_together(root: Path, files: Mapping[Path, str]) -> None:
    """Write files below `root`, with the folders that they need. Raises OSError, having written none."""
    if files:
        content = {path.relative_to(root).as_posix(): text for path, text in files.items()}
        for path in files:  # what is in the way is found before anything has happened
            check_target(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            _check_writable(path)
        _put(root / JOURNAL_FILE, json.dumps(content))
        complete(root)


def complete(root: Path) -> None:
    """Put in place what a killed run was about to, if there is such a run. Raises OSError."""
    if not is_unfinished(root):
        return
    for path, text in _journal(root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        _put(path, text)
    (root / JOURNAL_FILE).unlink()


def _journal(root: Path) -> Mapping[Path, str]:
    """What a journal tells to write. One that no run has written (it came with a repository) is refused."""
    path = root / JOURNAL_FILE
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        files = {root / name: str(text) for name, text in content.items()}
    except (ValueError, AttributeError, TypeError, RecursionError):
        files = {path: ""}
    for file in files:
        inside = file.resolve().is_relative_to(root.resolve())
        if not inside or file.suffix != SUFFIX or file.parent.name != HISTORY_FOLDER:
            raise OSError(errno.EINVAL, "this is nothing that apigen has left here; remove it", str(path))
    return files


def _check_writable(path: Path) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not os.access(path.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path.parent))


def _put(path: Path, text: str) -> None:
    """Write a file at once: whoever reads it finds it whole, or as it was. What a killed run has staged is replaced."""
    for staged in path.parent.glob(f".{glob.escape(path.name)}.*{STAGED}"):
        staged.unlink(missing_ok=True)  # the lock of the spec folder is held, so no other run waits with it
    write_whole(path, text.encode())
