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

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from apigen.build.built import Changes
from apigen.build.publisher import in_place, swapping
from apigen.build.publisher.locking import locked, work_folders
from apigen.build.publisher.output_folder import (
    MANIFEST_NAME,
    WORK,
    Manifest,
    Obstacle,
    Plan,
    PublishError,
    Survey,
    describe,
    make_plan,
)
from apigen.codegen.output import OutputFile, has_mark
from apigen.dataclass import dataclass
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
    if in_place.needs_recovery(root) or swapping.needs_recovery(root, work_folder):
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
        swapping.recover_from_swapping(root, work_folder)
    if (root / WORK).is_dir():
        in_place.recover_in_place(root)


def _carry_out(plan: Plan, root: Path, work: Path | None) -> None:
    if work is None:
        raise PublishError(f"cannot write the output to {root}: neither it nor its parent folder is writable")
    if work.name != WORK and swapping.can_swap(root):
        try:
            swapping.publish_by_swapping(root, plan, work)
        except swapping.CannotSwap:
            in_place.publish_in_place(root, plan)
    else:
        in_place.publish_in_place(root, plan)


@contextmanager
def _raised_as_publish_errors(doing: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise describe(error, doing) from error


NOTHING = "/dev/null"


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that differs from the generated one.

    Attributes:
        path: the file.
        found: its bytes; `None` if it is missing; else a description of the object at its path.
        expected: the bytes that a run would write; None if it would remove the file.
    """

    path: str
    found: bytes | None | Obstacle
    expected: bytes | None

    def unified_diff(self) -> str:
        """Return the difference in the format of `diff -u`; for binary files, a line that they differ."""
        before = f"a/{self.path}" if self.found is not None else NOTHING
        after = f"b/{self.path}" if self.expected is not None else NOTHING
        if isinstance(self.found, Obstacle):
            at = "" if self.found.path == self.path else f"{self.found.path} is "
            return f"--- {before}\n+++ {after}\n{self.path}: {at}{self.found.reason}\n"
        old, new = _text(self.found), _text(self.expected)
        if old is None or new is None:
            return f"Binary files {before} and {after} differ\n"
        lines = list(difflib.unified_diff(_lines(old), _lines(new), before, after))
        return "".join(_ended(lines)) if lines else f"--- {before}\n+++ {after}\n"


def compare(files: Sequence[OutputFile], root: Path) -> tuple[Difference, ...]:
    """Return the differences of an output folder from the result of `publish`, by path. Raises PublishError if it cannot be
    read.

    A different manifest counts only if there is no other difference. A formatter other
    than the recorded one is not a difference if it gives the same output.
    """
    recover(root)
    root = root.resolve()
    try:
        return tuple(_differences(files, root))
    except OSError as error:
        raise describe(error, f"compare the output in {root}") from error


def _differences(files: Sequence[OutputFile], root: Path) -> Iterator[Difference]:
    survey = Survey(root)
    listed = Manifest.read(root)
    expected = {file.path: file.content for file in files}
    is_clean = True
    for path in sorted(expected.keys() | listed.files.keys()):
        present = survey.look(path)
        content = expected.get(path)
        if present != content and (content is not None or _is_stale(path, present, listed)):
            is_clean = False
            yield Difference(path, present, content)
    if is_clean and (expected or listed.files):
        present = survey.look(MANIFEST_NAME)
        content = Manifest.of(expected, listed.formatter).to_bytes()
        if present != content:
            yield Difference(MANIFEST_NAME, present, content)


def _is_stale(path: str, found: bytes | None | Obstacle, listed: Manifest) -> bool:
    return isinstance(found, bytes) and (listed.has(path, found) or has_mark(found))


def _text(content: bytes | None) -> str | None:
    """Return the content as text, or `None` if it is not valid UTF-8."""
    try:
        text = (content or b"").decode()
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _lines(text: str) -> list[str]:
    """Return the lines of a text with their line feeds; no other character ends a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _ended(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
