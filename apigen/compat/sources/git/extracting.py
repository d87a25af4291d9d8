"""Writes files of a revision to a folder, where everything that reads files can read them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from apigen.compat.sources.git.repository import Entry, GitError, Repository
from apigen.diagnostics.quoting import quote

MOST_FILES = 50_000
MOST_BYTES = 512 * 1024 * 1024

_PLAIN = re.compile(r"[\w./@^~+-]+")


class TooLargeError(Exception):
    """A tree is too large to be one of an API; the text says by what."""


def extract(repository: Repository, entries: Iterable[Entry], folder: Path) -> None:
    """Write files below a folder. What would stand, or lead, outside of it is left out: a stranger may have made the tree.

    Raises TooLargeError, and GitError for what git cannot read or no folder can hold.
    """
    files = [entry for entry in entries if _is_inside(entry.path)]
    size = sum(entry.size for entry in files)
    if len(files) > MOST_FILES or size > MOST_BYTES:
        raise TooLargeError(f"{len(files):,} files of {size // 1024 // 1024:,} MiB")
    links: list[tuple[PurePosixPath, bytes]] = []
    for entry, content in zip(files, repository.contents(entry.id for entry in files), strict=True):
        if entry.is_link:
            links.append((entry.path, content))
        else:
            _written(folder, entry.path, content)
    _link(folder, links)


def _written(folder: Path, path: PurePosixPath, content: bytes) -> None:
    """Write a file, while there is no link yet that the way to it could lead through."""
    try:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    except OSError as error:
        raise GitError(_refused(path, error)) from None


def _link(folder: Path, links: list[tuple[PurePosixPath, bytes]]) -> None:
    """Make links, then look where they really lead: through other links that is not what their texts say."""
    made: list[Path] = []
    for path, content in links:
        target = os.fsdecode(content)
        if (
            b"\0" in content
            or not _is_inside(path.parent / target)
            or not _leads_inside(folder, (folder / path).parent)
        ):
            continue
        try:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).symlink_to(target)
        except OSError as error:
            raise GitError(_refused(path, error)) from None
        made.append(folder / path)
        if not _leads_inside(folder, made[-1]):
            made.pop().unlink()
    for link in made:  # one that came later may be on the way of one that led nowhere before
        if not _leads_inside(folder, link):
            link.unlink()


def _leads_inside(folder: Path, path: Path) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _refused(path: PurePosixPath, error: OSError) -> str:
    return f"{quote(str(path))} cannot be written to a folder: {error.strerror}"


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
