"""An output folder: its manifest and files on disk, and the changes that a run makes there, with their conflicts."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import json
import os
import re
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from apigen.codegen.output import OutputFile, check_path, has_mark
from apigen.dataclass import dataclass, field
from apigen.files.whole_file import flush


class PublishError(Exception):
    """The output could not be written. The message names the obstacle; the folder is unchanged.

    `hint` is the fix; None where it is that of the diagnostic's code.
    """

    hint: str | None = None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A file or folder at or above the path of a generated file that apigen did not create and does not change."""

    path: str
    reason: str


class PublishConflict(PublishError):
    """Files that apigen did not generate would be overwritten. No file was changed."""

    def __init__(self, root: Path, obstacles: tuple[Obstacle, ...]) -> None:
        self.obstacles = obstacles
        count = f"{len(obstacles)} files" if len(obstacles) > 1 else "a file"
        lines = "".join(f"\n  {root / obstacle.path}: {obstacle.reason}" for obstacle in obstacles)
        super().__init__(
            f"the output would replace {count} that apigen did not generate, so no file was written:{lines}\n"
            "Move or delete these files, or choose another output folder; then run again."
        )


def describe(error: OSError, doing: str) -> PublishError:
    """Return a PublishError for an error of the system."""
    where = f" ({error.filename})" if error.filename else ""
    return PublishError(f"cannot {doing}: {error.strerror or error}{where}")


MANIFEST_NAME = ".apigen-manifest.json"
COMMENT = "Written by apigen: the list of generated files, which distinguishes them from yours. Commit it with them."

_ENTRY = re.compile(r'^\s*("(?:[^"\\]|\\.)+"): "([0-9a-f]{64})",?\s*$', re.MULTILINE)

_FORMATTER = re.compile(r'^\s*"formatter": "([a-z]+(?: [0-9a-z.]+)?)",$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Path of each file -> SHA-256 of its bytes, in hexadecimal; `formatter` is what formatted them, empty if not
    known.
    """

    files: Mapping[str, str]
    formatter: str = ""

    @classmethod
    def of(cls, contents: Mapping[str, bytes], formatter: str = "") -> Manifest:
        """Return the manifest of an output."""
        return cls({path: digest(content) for path, content in contents.items()}, formatter)

    @classmethod
    def read(cls, root: Path) -> Manifest:
        """Return the manifest of a folder, or an empty one. Paths that lead out of the folder are omitted."""
        try:
            text = (root / MANIFEST_NAME).read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return cls({})
        found = _FORMATTER.search(text)
        files = {path: hashed for path, hashed in _entries(text) if _is_plain(path)}
        return cls(files, found[1] if found else "")

    def to_bytes(self) -> bytes:
        """Return the content of the manifest: one line for each file, in order; equal for equal outputs."""
        lines = (f'\n  {_quoted(path)}: "{hashed}"' for path, hashed in sorted(self.files.items()))
        files = f"{{{','.join(lines)}\n }}" if self.files else "{}"
        formatter = f' "formatter": {_quoted(self.formatter)},\n' if self.formatter else ""
        return f'{{\n "comment": {_quoted(COMMENT)},\n{formatter} "files": {files}\n}}\n'.encode()

    def has(self, path: str, content: bytes) -> bool:
        """Return whether the file is listed with this content."""
        return self.files.get(path) == digest(content)


def digest(content: bytes) -> str:
    """Return the SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _entries(text: str) -> list[tuple[str, str]]:
    """Return all entries, read line by line, so that a manifest with a merge conflict has the files of both sides."""
    found = _ENTRY.findall(text)
    return [(json.loads(path) if "\\" in path else path[1:-1], hashed) for path, hashed in found]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_plain(path: str) -> bool:
    try:
        check_path(path)
    except ValueError:
        return False
    return path != MANIFEST_NAME


WORK = ".apigen-work"
"""A folder in the output folder that apigen works in and removes."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The changes of a run in the folder.

    Attributes:
        created: new files.
        changed: existing files with other contents.
        unchanged: paths of files with the same contents.
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
        return {**files, MANIFEST_NAME: self.after.to_bytes()} if self.new_lists or files or self.removed else files

    @property
    def is_empty(self) -> bool:
        """Return whether no file must be changed."""
        return not self.written


@dataclass(frozen=True, slots=True)
class Survey:
    """Reader of the files of a folder, which does not follow symbolic links."""

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
            return Obstacle(path, _description(self.root / path, mode))
        with open(place, "rb") as stream:  # noqa: PTH123 -- creating a Path for each of a thousand files is slow
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
        return None if stat.S_ISDIR(mode) else Obstacle(folder, _description(place, mode))


def make_plan(files: Sequence[OutputFile], root: Path, formatter: str = "") -> Plan:
    """Compare the generated files with the folder. Raises PublishConflict if they would overwrite files that apigen did
    not create.
    """
    contents = _by_path(files)
    before = Manifest.read(root)
    after = Manifest.of(contents, formatter)
    survey = Survey(root)
    removed, kept = _stale(sorted(before.files.keys() - contents.keys()), before, survey)
    created: dict[str, bytes] = {}
    changed: dict[str, bytes] = {}
    unchanged: list[str] = []
    obstacles: list[Obstacle] = []
    for path, content in sorted(contents.items()):
        match survey.look(path):
            case None:
                created[path] = content
            case bytes(found) if found == content:
                unchanged.append(path)
            case bytes(found) if path in before.files and (before.has(path, found) or has_mark(found)):
                changed[path] = content
            case bytes():
                obstacles.append(Obstacle(path, _origin(path in before.files)))
            case Obstacle() as obstacle if _goes_away(root, obstacle.path, set(removed)):
                created[path] = content
            case Obstacle(at, description):
                obstacles.append(Obstacle(path, description if at == path else f"{at} is {description}"))
    if obstacles:
        raise PublishConflict(root, tuple(obstacles))
    new_lists = bool(files or before.files) and survey.look(MANIFEST_NAME) != after.to_bytes()
    return Plan(created, changed, tuple(unchanged), tuple(removed), tuple(kept), before, after, new_lists)


def folders_above(paths: Sequence[str]) -> set[str]:
    """Return all parent folders of the paths."""
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
    """Return the contents by path. Raises ValueError for two files with one path, or a file below another one."""
    contents: dict[str, bytes] = {}
    for file in files:
        if file.path in contents:
            raise ValueError(f"two files have the path {file.path}")
        if file.path == MANIFEST_NAME or file.path.split("/")[0] == WORK:
            raise ValueError(f"a file has a reserved name of apigen: {file.path}")
        contents[file.path] = file.content
    clashing = contents.keys() & folders_above(tuple(contents))
    if clashing:
        raise ValueError(f"a file and a folder have the path {min(clashing)}")
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


def _origin(is_generated: bool) -> str:
    if is_generated:
        return "a generated file that was edited"
    return "a file that apigen did not generate"


def _description(place: Path, mode: int) -> str:
    if stat.S_ISLNK(mode):
        return f"a symbolic link to {place.readlink()}, which apigen does not follow"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a file" if stat.S_ISREG(mode) else "neither file nor folder"


_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2

_MANY = 20


def write_all(folder: Path, files: dict[str, bytes]) -> None:
    """Write new files below a folder, create their folders, and flush them to the disk."""
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        with place.open("xb") as stream:
            stream.write(content)
    if len(files) > _MANY and sys.platform == "linux":
        os.sync()  # waits for all files at once; one by one, each takes 4 ms
        return
    flush(folder / path for path in files)
    flush([folder, *(folder / inner for inner in folders_above(tuple(files)))])


def exchange(first: Path, second: Path) -> None:
    """Exchange two names atomically. Raises OSError with ENOSYS if the system does not support it."""
    arguments: tuple[object, ...]
    if sys.platform == "darwin":
        name, arguments = "renamex_np", (os.fsencode(first), os.fsencode(second), _RENAME_SWAP)
    else:
        paths = (os.fsencode(first), _AT_FDCWD, os.fsencode(second))
        name, arguments = "renameat2", (_AT_FDCWD, *paths, _RENAME_EXCHANGE)
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(second))
    if function(*arguments) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), str(second))


def discard(folder: Path) -> None:
    """Remove a folder of apigen with its contents, even if it is partly removed or not writable."""
    if folder.is_symlink() or not folder.is_dir():
        folder.unlink(missing_ok=True)
        return
    for place, folders, _ in os.walk(folder):
        for name in (*folders, "."):
            inner = Path(place, name)
            mode = inner.lstat().st_mode
            if stat.S_ISDIR(mode) and mode & stat.S_IRWXU != stat.S_IRWXU:
                inner.chmod(mode | stat.S_IRWXU)
    shutil.rmtree(folder)
