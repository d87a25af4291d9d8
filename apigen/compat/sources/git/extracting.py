"""Writes files of a revision to a folder, where everything that reads files can read them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from apigen.compat.sources.git.repository import Entry, Repository

MOST_FILES = 50_000
MOST_BYTES = 512 * 1024 * 1024

_PLAIN = re.compile(r"[\w./@^~+-]+")


class TooLargeError(Exception):
    """A tree is too large to be one of an API; the text says by what."""


def extract(repository: Repository, entries: Iterable[Entry], folder: Path) -> None:
    """Write files below a folder. Raises TooLargeError; what would stand, or lead, outside of it is left out."""
    files = [entry for entry in entries if _is_inside(entry.path)]
    size = sum(entry.size for entry in files)
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise TooLargeError(f"{len(files):,} files of {size // 1024 // 1024:,} MiB")
    contents = repository.contents(entry.id for entry in files)
    for entry, content in zip(files, contents, strict=True):
        path = folder / entry.path
        path.parent.mkdir(parents=True, exist_ok=True)
        if not entry.is_link:
            path.write_bytes(content)
        elif _is_inside(entry.path.parent / os.fsdecode(content)):
            path.symlink_to(os.fsdecode(content))


def shown(revision: str, commit: str) -> str:
    """A revision as a part of paths; one that is none is shown as its commit."""
    return revision if is_written_like_one(revision) else commit[:12]


def is_written_like_one(revision: str) -> bool:
    """Whether a text is written like the name of a branch, tag or commit, or like one before that."""
    return bool(_PLAIN.fullmatch(revision)) and not revision.startswith(("/", "-")) and ".." not in revision


def _is_inside(path: PurePosixPath) -> bool:
    """Whether a path stays where it starts, whatever it goes through."""
    depth = 0
    for part in path.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return False
    return not path.is_absolute()
