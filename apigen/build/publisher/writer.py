"""Replace an output folder atomically, and keep files that apigen did not generate.

Guarantees:

- A run that fails, or is killed at any moment, leaves either the old or the new folder, byte for byte. The next run
  removes temporary files of a killed one next to it. This does not apply if the folder cannot be exchanged as a whole:
  if it is the working directory or contains it, is a repository or a mount of its own, if its parent folder is not
  writable, or if the file system has no hard links. Then each file is complete at every moment, and the next run,
  `recover` or `compare` completes the changes of a killed run.
- Two runs do not mix: the second one waits.
- An unchanged file is not touched. If all files are unchanged, nothing is.
- A file is overwritten or removed only if an earlier run wrote it and it was not edited since. (If a module is
  removed, so are the `.pyc` files that Python made of it.) Otherwise the run is rejected before it changes anything.
- Symbolic links in the folder are not followed. The folder itself may be reached by one that stays in the checkout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from apigen.build.built import Changes
from apigen.build.publisher import single_files, whole_folder
from apigen.build.publisher.locking import locked, work_folders
from apigen.build.publisher.output_folder import WORK, Plan, PublishError, describe, make_plan
from apigen.codegen.output import OutputFile
from apigen.files.whole_file import link_out_of_checkout

_OWN = ("lock", "journal", "stage", "state", "tree", "old")
"""The entries of a work folder of apigen."""


def publish(files: Sequence[OutputFile], root: Path, formatter: str = "") -> Changes:
    """Replace the generated files of an output folder by `files`. The paths of the changes start at the folder.

    Args:
        files: all of them; files of earlier runs that are not among them are removed.
        root: the output folder, created if it does not exist.
        formatter: the formatter of the files, which is recorded with them.

    Raises:
        PublishConflict: a file that apigen did not create would be overwritten.
        PublishError: the folder cannot be read or written.
    """
    link = link_out_of_checkout(root)
    if link is not None:
        problem = f"{link} is a symbolic link that leads out of the checkout"
        hint = "replace the symbolic link with a folder, or set `output` to another folder"
        raise PublishError(f"cannot write the output to {root}: {problem}", hint)
    root = root.resolve()
    if not files and not root.exists():
        return Changes((), (), (), (), ())
    _check_places(root)
    with _raised_as_publish_errors(f"write the output to {root}"):
        root.parent.mkdir(parents=True, exist_ok=True)
        with locked(root) as work:
            _recover(root)
            plan = make_plan(files, root, formatter)
            if not plan.is_empty:
                _carry_out(plan, root, work)
    return Changes(tuple(plan.created), tuple(plan.changed), plan.removed, plan.kept, plan.unchanged)


def recover(root: Path) -> None:
    """Complete the changes of a killed run, if there is one. `publish` and `compare` call it themselves."""
    root = root.resolve()
    _check_places(root)
    work_folder = work_folders(root)[0]
    if single_files.needs_recovery(root) or whole_folder.needs_recovery(root, work_folder):
        with _raised_as_publish_errors(f"complete the output in {root}"), locked(root):
            _recover(root)


def _check_places(root: Path) -> None:
    if root.exists() and not root.is_dir():
        raise PublishError(f"cannot write the output to {root}: it is a file")
    for work in work_folders(root):
        if work.is_symlink() or (work.exists() and not work.is_dir()):
            raise PublishError(f"cannot write the output to {root}: the working folder {work} is not a folder")
        # An untrusted repository may contain such a link, and its target would be moved or removed.
        for name in _OWN:
            if (work / name).is_symlink():
                raise PublishError(f"cannot write the output to {root}: {work / name} is a symbolic link; remove it")


def _recover(root: Path) -> None:
    work_folder = work_folders(root)[0]
    if work_folder.name != WORK and work_folder.is_dir():
        whole_folder.recover_whole_folder(root, work_folder)
    if (root / WORK).is_dir():
        single_files.recover_single_files(root)


def _carry_out(plan: Plan, root: Path, work: Path | None) -> None:
    if work is None:
        raise PublishError(f"cannot write the output to {root}: neither it nor its parent folder is writable")
    if work.name != WORK and whole_folder.can_exchange(root):
        try:
            whole_folder.publish_whole_folder(root, plan, work)
        except whole_folder.CannotExchange:
            single_files.publish_single_files(root, plan)
    else:
        single_files.publish_single_files(root, plan)


@contextmanager
def _raised_as_publish_errors(doing: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise describe(error, doing) from error
