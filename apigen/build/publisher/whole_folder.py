"""Write an output folder by building the new one next to it and exchanging the two.

Unchanged files, and files that apigen does not know, are hard-linked into the new folder, so that they keep their
inodes and times. The exchange is one system call: at every moment the folder is either the old one or
the new one. If the file system does not support it, two renames are used; after a run that was killed between them, the
next run moves the new folder to its place.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from apigen.build.publisher.output_folder import (
    MANIFEST_NAME,
    WORK,
    Manifest,
    Plan,
    compiled_from,
    discard,
    exchange,
    folders_above,
    write_all,
)
from apigen.dataclass import dataclass, field
from apigen.files.whole_file import flush

_UNSUPPORTED = (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP)
_CANNOT_EXCHANGE = (*_UNSUPPORTED, errno.EXDEV, errno.EPERM, errno.EACCES, errno.EBUSY, errno.EMLINK)


Carried = dict[str, list[int]]
"""Path of each file and link that stays -> its number (inode) in the old folder and in the new one."""


class CannotExchange(Exception):
    """The folder cannot or must not be replaced as a whole. No file was changed."""


def can_exchange(root: Path) -> bool:
    """Return whether a folder may be replaced as a whole: it is not a working directory, a repository or a mount point."""
    if not root.exists():
        return True
    return not (
        _stands_in(root) or (root / ".git").exists() or root.is_mount() or root.stat().st_dev != _device(root.parent)
    )


def publish_whole_folder(root: Path, plan: Plan, work: Path) -> None:
    """Carry out a plan. Raises CannotExchange, without changes, if the folder cannot be exchanged."""
    tree = work / "tree"
    try:
        carrier = _Carrier(root, tree, plan)
        try:
            carrier.carry()
        except OSError as error:
            raise _cannot_exchange(error) from error
        write_all(tree, plan.written)
        _keep_modes(root, tree, plan)
        _note_state(work, tree, carrier.carried)
        old = _put_in_place(tree, root, work / "old")
    except BaseException:
        recover_whole_folder(root, work)
        raise
    with suppress(OSError):  # the output is in place; the next run removes the rest
        _clean(old, root, work, carrier.carried)


def needs_recovery(root: Path, work: Path) -> bool:
    """Return whether a run was killed between two renames, so that no output folder is there."""
    return not root.exists() and (work / "old").exists()


def recover_whole_folder(root: Path, work: Path) -> None:
    """Clean up after a killed run. The output folder is complete or missing."""
    tree, old = work / "tree", work / "old"
    if needs_recovery(root, work):
        (tree if tree.exists() else old).rename(root)
    state = _state(work)
    if state is not None and root.exists() and state.identity == _identity(root):
        _clean(old if old.exists() else tree, root, work, state.carried)
    else:
        _clean(None, root, work, {})


def _stands_in(folder: Path) -> bool:
    try:
        return Path.cwd().is_relative_to(folder)
    except FileNotFoundError:  # the working directory was removed
        return False


def _device(folder: Path) -> int:
    return folder.stat().st_dev


def _cannot_exchange(error: OSError) -> Exception:
    return CannotExchange(str(error)) if error.errno in _CANNOT_EXCHANGE else error


# --- building the new folder


@dataclass(frozen=True, slots=True)
class _Carrier:
    """Build the unchanged part of `root` in `tree`."""

    root: Path
    tree: Path
    plan: Plan
    carried: Carried = field(default_factory=dict)

    def carry(self) -> None:
        """Create the folder and fill it."""
        discard(self.tree)
        self.tree.mkdir()
        if self.root.exists():
            compiled = {compiled_from(path) for path in self.plan.removed}
            created_folders = folders_above(tuple(self.plan.before.files)) | {folder for folder, _ in compiled}
            dropped = {*self.plan.changed, *self.plan.removed, MANIFEST_NAME, WORK}
            self._carry_folder("", dropped, compiled, created_folders - folders_above(tuple(self.plan.written)))

    def _carry_folder(
        self, folder: str, dropped: set[str], compiled: set[tuple[str, str]], created_folders: set[str]
    ) -> bool:
        """Move the contents of a folder. Return whether to keep the folder: not if it was only created for removed
        files.
        """
        source, target = self.root / folder, self.tree / folder
        is_empty = True
        with os.scandir(source) as entries:
            for entry in entries:
                path = f"{folder}/{entry.name}" if folder else entry.name
                if path in dropped or _is_compiled(folder, entry.name, compiled):
                    continue
                if entry.is_symlink():
                    _copy_link(Path(entry.path), target / entry.name)
                    self.carried[path] = [entry.inode(), (target / entry.name).lstat().st_ino]
                elif entry.is_dir(follow_symlinks=False):
                    (target / entry.name).mkdir()
                    if not self._carry_folder(path, dropped, compiled, created_folders):
                        (target / entry.name).rmdir()
                        continue
                else:
                    os.link(entry.path, target / entry.name, follow_symlinks=False)
                    self.carried[path] = [(target / entry.name).lstat().st_ino] * 2
                is_empty = False
        if is_empty and folder in created_folders:
            return False
        _copy_nature(source, target)
        return True


def _is_compiled(folder: str, name: str, compiled: set[tuple[str, str]]) -> bool:
    return name.endswith(".pyc") and any(folder == at and name.startswith(start) for at, start in compiled)


def _copy_link(source: Path, target: Path) -> None:
    target.symlink_to(source.readlink())
    _copy_nature(source, target)


def _copy_nature(source: Path, target: Path) -> None:
    """Copy owner, mode and times of a folder or link to another."""
    source_status, target_status = source.lstat(), target.lstat()
    if (source_status.st_uid, source_status.st_gid) != (target_status.st_uid, target_status.st_gid):
        os.chown(target, source_status.st_uid, source_status.st_gid, follow_symlinks=False)
    shutil.copystat(source, target, follow_symlinks=False)


def _keep_modes(root: Path, tree: Path, plan: Plan) -> None:
    for path in plan.changed:
        (tree / path).chmod((root / path).stat().st_mode)


# --- exchanging


def _put_in_place(tree: Path, root: Path, backup: Path) -> Path | None:
    """Move the new folder to its place. Return the new path of the old folder."""
    if not root.exists():
        tree.rename(root)
        return None
    try:
        old = _exchange(tree, root, backup)
    except OSError as error:
        raise _cannot_exchange(error) from error
    with suppress(OSError):  # the exchange is done; only a power failure can undo it
        flush([root.parent])
    return old


def _exchange(tree: Path, root: Path, backup: Path) -> Path:
    try:
        exchange(tree, root)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        root.rename(backup)
        try:
            tree.rename(root)
        except OSError:
            backup.rename(root)
            raise
        return backup
    return tree


@dataclass(frozen=True, slots=True)
class _State:
    """The state that a run records before the exchange: which folder is the new one, and the files moved into it."""

    identity: list[int]
    carried: Carried


def _note_state(work: Path, tree: Path, carried: Carried) -> None:
    """Write the state file, by which a later run recognizes whether the exchange took place, and what it replaced."""
    state = _State(_identity(tree), carried)
    write_all(work, {"state": json.dumps([state.identity, state.carried]).encode()})


def _state(work: Path) -> _State | None:
    with suppress(OSError, ValueError, TypeError):
        return _State(*json.loads((work / "state").read_bytes()))
    return None


def _identity(folder: Path) -> list[int]:
    status = folder.stat()
    return [status.st_dev, status.st_ino]


# --- afterwards


def _clean(old: Path | None, root: Path, work: Path, carried: Carried) -> None:
    """Remove the rest of the work folder, after moving files that were added to the old folder in the meantime."""
    if old is not None and old.exists():
        _bring_over(old, root, carried)
    (work / "state").unlink(missing_ok=True)  # added files cannot be identified in a partly removed folder
    discard(work / "tree")
    discard(work / "old")


def _bring_over(old: Path, root: Path, carried: Carried) -> None:
    """Move files that apigen did not generate and that were changed while the new folder was built.

    After a killed run, users may have worked in the new folder for a long time. Files that they changed or removed
    there are not overwritten.
    """
    before, after = Manifest.read(old).files.keys(), Manifest.read(root).files.keys()
    compiled = {compiled_from(path) for path in before - after}
    for path in _files(old):
        folder, _, name = path.rpartition("/")
        if path in before or path in after or path == MANIFEST_NAME or _is_compiled(folder, name, compiled):
            continue
        source, target = old / path, root / path
        was, became = carried.get(path, (None, None))
        if _number(source) != was and _number(target) == became:
            target.parent.mkdir(parents=True, exist_ok=True)
            source.replace(target)


def _files(folder: Path, above: str = "") -> Iterator[str]:
    """Yield the files and links below a folder, as relative paths; unreadable folders are skipped."""
    entries: list[os.DirEntry[str]] = []
    with suppress(OSError), os.scandir(folder) as found:
        entries = list(found)
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path), f"{above}{entry.name}/")
        else:
            yield f"{above}{entry.name}"


def _number(place: Path) -> int | None:
    """Return the inode number of a file, which identifies it; None if it does not exist."""
    try:
        return place.lstat().st_ino
    except (FileNotFoundError, NotADirectoryError):
        return None
