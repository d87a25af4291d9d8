"""The only way to write a file outside of the generated package: atomically, and never through a link.

Locks, records, imported specs, approvals, reports, schemas and the files of a new project are written here; the files of the
output folder are published together by `apigen.build.publisher.writer`.

A checkout may contain symbolic links that another person committed. So the target itself must not be a link, and no
parent folder in the checkout may be a link that leads out of it. Links elsewhere (`/tmp` on macOS) are the user's own.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from pathlib import Path

_DEVICES = (Path("/dev"), Path("/dev/fd"))
"""Folders of devices, some of which are links, such as `/dev/stdout`; other folders below `/dev` have ordinary files."""

STAGED = ".new"
"""The suffix of staged files."""


class LinkError(OSError):
    """A file would be written through a symbolic link. The message has the problem and the fix."""

    def __init__(self, path: Path, problem: str, fix: str) -> None:
        super().__init__(errno.ELOOP, f"{problem}; {fix}", str(path))
        self.problem = problem
        self.fix = fix


def write_whole(path: Path, data: bytes) -> None:
    """Write a file, whole or not at all, even if other runs write it or this run is killed.

    The mode of an existing file is kept. A pipe or a device such as `/dev/stdout` is written to directly.

    Raises:
        LinkError: the target is a symbolic link, or a link on the way to it leads out of the checkout.
        OSError: the system rejects the write; it names the file.
    """
    place = Path(os.path.abspath(path))
    try:
        if place.parent in _DEVICES or (not place.is_symlink() and place.exists() and not place.is_file()):
            check_target(place.parent / "any")
            place.write_bytes(data)
            return
        check_target(path)
        staged = stage(place, data)
        try:
            staged.replace(place)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise
    except LinkError:
        raise
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def check_target(path: Path) -> None:
    """Raise LinkError if writing to a path would follow a link that apigen does not follow."""
    place = Path(os.path.abspath(path))
    if place.is_symlink():
        raise LinkError(path, "the target is a symbolic link", "remove it, or name the file that it leads to")
    link = link_out_of_checkout(place.parent)
    if link is not None:
        problem = f"{link} is a symbolic link that leads out of the checkout"
        raise LinkError(path, problem, "remove it, or name a path without links")


def link_out_of_checkout(folder: Path) -> Path | None:
    """Return the first link in the path of a folder that is inside the checkout and leads out of it, or None."""
    place, inside = Path(os.path.abspath(folder)), _is_inside(_checkout())
    for each in (*reversed(place.parents), place):
        if each.is_symlink() and inside(each.parent) and not inside(each):
            return each
    return None


def stage(path: Path, data: bytes) -> Path:
    """Write data to a new file next to a path, to be renamed to it, and return that file. Raises OSError, without
    leaving a file.
    """
    staged = path.with_name(f".{path.name}.{os.urandom(6).hex()}{STAGED}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    descriptor = os.open(staged, flags, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if path.exists():
            staged.chmod(path.stat().st_mode & 0o7777)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise
    return staged


def flush(places: Iterable[Path]) -> None:
    """Flush files, or the entries of folders, to the disk."""
    for place in places:
        descriptor = os.open(place, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _checkout() -> Path:
    """The repository that apigen runs in, or the working directory if it is not in one."""
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def _is_inside(root: Path) -> Callable[[Path], bool]:
    real = Path(os.path.realpath(root))
    return lambda path: Path(os.path.realpath(path)).is_relative_to(real)
