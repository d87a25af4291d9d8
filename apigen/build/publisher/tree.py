"""Plans the changes of an output folder: compares wanted files with existing ones, and finds conflicts."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from apigen.build.publisher.errors import Obstacle, PublishConflict
from apigen.build.publisher.manifest import NAME, Manifest
from apigen.codegen.output import OutputFile, has_mark
from apigen.dataclass import dataclass, field

WORK = ".apigen-work"
"""A folder in the output folder that apigen works in and removes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes of a run in the folder.

    Attributes:
        created: new files.
        changed: existing files with other contents.
        unchanged: paths of files with the wanted contents.
        removed: paths of obsolete files of an earlier run.
        kept: paths of obsolete files that were edited since; they are kept, but no longer managed.
        before: the existing manifest.
        after: the new manifest.
    """

    created: Mapping[str, bytes]
    changed: Mapping[str, bytes]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    before: Manifest
    after: Manifest
    new_lists: bool

    @property
    def written(self) -> dict[str, bytes]:
        """All files to be written, the manifest among them."""
        files = {**self.created, **self.changed}
        return {**files, NAME: self.after.to_bytes()} if self.new_lists or files or self.removed else files

    @property
    def is_empty(self) -> bool:
        """Return whether everything is as it should be."""
        return not self.written


@dataclass(frozen=True, slots=True)
class Survey:
    """Looks at the files of a folder, and never through a symbolic link."""

    root: Path
    _above: dict[str, Obstacle | None] = field(default_factory=dict)

    def look(self, path: str) -> bytes | None | Obstacle:
        """Return the content of a file; None if it does not exist; else what is in its place."""
        folder = path.rpartition("/")[0]
        above = self._look_above(folder) if folder else None
        if above is not None:
            return above
        place = f"{self.root}{os.sep}{path}"
        try:
            mode = os.lstat(place).st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        if not stat.S_ISREG(mode):
            return Obstacle(path, _what(self.root / path, mode))
        with open(place, "rb") as stream:  # noqa: PTH123 -- a Path for each of a thousand files takes a while
            return stream.read()

    def _look_above(self, folder: str) -> Obstacle | None:
        if folder not in self._above:
            parent = folder.rpartition("/")[0]
            self._above[folder] = (self._look_above(parent) if parent else None) or self._look_at_folder(folder)
        return self._above[folder]

    def _look_at_folder(self, folder: str) -> Obstacle | None:
        place = self.root / folder
        try:
            mode = place.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return None
        return None if stat.S_ISDIR(mode) else Obstacle(folder, _what(place, mode))


def make_plan(files: Sequence[OutputFile], root: Path, formatter: str = "") -> Plan:
    """Compare the wanted files with the folder. Raises PublishConflict if they would overwrite what apigen did not make."""
    wanted = _by_path(files)
    before = Manifest.read(root)
    after = Manifest.of(wanted, formatter)
    survey = Survey(root)
    removed, kept = _stale(sorted(before.files.keys() - wanted.keys()), before, survey)
    created: dict[str, bytes] = {}
    changed: dict[str, bytes] = {}
    unchanged: list[str] = []
    obstacles: list[Obstacle] = []
    for path, content in sorted(wanted.items()):
        match survey.look(path):
            case None:
                created[path] = content
            case bytes(found) if found == content:
                unchanged.append(path)
            case bytes(found) if path in before.files and (before.has(path, found) or has_mark(found)):
                changed[path] = content
            case bytes():
                obstacles.append(Obstacle(path, _whose(path in before.files)))
            case Obstacle() as obstacle if _goes_away(root, obstacle.path, set(removed)):
                created[path] = content
            case Obstacle(at, what):
                obstacles.append(Obstacle(path, what if at == path else f"{at} is {what}"))
    if obstacles:
        raise PublishConflict(root, tuple(obstacles))
    new_lists = bool(files or before.files) and survey.look(NAME) != after.to_bytes()
    return Plan(created, changed, tuple(unchanged), tuple(removed), tuple(kept), before, after, new_lists)


def folders_above(paths: Sequence[str]) -> set[str]:
    """All folders that the paths lead through."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return found


def compiled_from(module: str) -> tuple[str, str]:
    """Return the folder and the name prefix of the compiled forms of a module."""
    folder, _, name = module.rpartition("/")
    return (f"{folder}/__pycache__" if folder else "__pycache__"), f"{name.removesuffix('.py')}."


def _by_path(files: Sequence[OutputFile]) -> dict[str, bytes]:
    """The contents by path. Two files of one path, or one within the other, are a bug in a backend."""
    contents: dict[str, bytes] = {}
    for file in files:
        if file.path in contents:
            raise ValueError(f"two files have the path {file.path}")
        if file.path == NAME or file.path.split("/")[0] == WORK:
            raise ValueError(f"a file has a reserved name of apigen: {file.path}")
        contents[file.path] = file.content
    both = contents.keys() & folders_above(tuple(contents))
    if both:
        raise ValueError(f"a file and a folder have the path {min(both)}")
    return contents


def _stale(paths: Sequence[str], before: Manifest, survey: Survey) -> tuple[list[str], list[str]]:
    """Return the obsolete paths to remove, and those that were edited."""
    removed: list[str] = []
    kept: list[str] = []
    for path in paths:
        found = survey.look(path)
        if isinstance(found, bytes):
            (removed if before.has(path, found) or has_mark(found) else kept).append(path)
    return removed, kept


def _goes_away(root: Path, path: str, removed: set[str]) -> bool:
    """Return whether everything at `path` is removed anyway."""
    return path in removed or (
        (root / path).is_dir() and not (root / path).is_symlink() and _all_in(root, path, removed)
    )


def _all_in(root: Path, folder: str, removed: set[str]) -> bool:
    entries = list(_entries_below(root / folder))
    return bool(entries) and all(entry.relative_to(root).as_posix() in removed for entry in entries)


def _entries_below(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            yield from _entries_below(entry)
        else:
            yield entry


def _whose(was_made: bool) -> str:
    if was_made:
        return "a generated file that was edited"
    return "a file that apigen did not generate"


def _what(place: Path, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return f"a symbolic link to {place.readlink()}, which apigen does not follow"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "neither file nor folder"
