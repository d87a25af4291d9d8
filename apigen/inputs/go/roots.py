"""The locations of Go packages: folders, their import paths, and the files of a package."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.model import shown_path
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular
from apigen.language.source import report_unreadable

MOST_FOLDERS = 50_000
"""Folders of a root that are looked through; all of Kubernetes has some 6,000."""

MAX_FILE_BYTES = 4 * 1024 * 1024
"""Maximum size of a file; the largest hand-written file of Kubernetes has half a megabyte."""

HEAD_BYTES = 64 * 1024
"""Number of bytes of a file that are searched for its package clause and the comments above it."""

_VERSION = re.compile(r"v\d+([a-z]+\d+)?")
_MODULE = re.compile(
    r"""^[ \t]*module[ \t]+(?:"([^"\s]+)"|`([^`\s]+)`|([^\s"`()/][^\s"`()]*))[ \t]*(?://.*)?\r?$""", re.MULTILINE
)
_GENERATED_NAME = re.compile(r"zz_generated.*|generated\.pb|.*\.pb|.*_generated")
_GENERATED_LINE = re.compile(rb"^// Code generated .* DO NOT EDIT\.\r?$", re.MULTILINE)
_NOT_CODE = re.compile(rb"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_PACKAGE = re.compile(rb"package\s+([^\s;/]+)")
_SKIPPED_FOLDERS = {"testdata", "vendor", "node_modules"}


@dataclass(frozen=True, slots=True)
class GoRoot:
    """A folder that contains Go packages.

    `path` is the import path of the folder itself; `display_path` is its name in the locations of diagnostics, such as
    `k8s.io/api@v0.36.6`. Packages of a root that `is_reference` are read only where others refer to them.
    """

    folder: Path
    path: str
    display_path: str
    is_reference: bool = False

    def folder_of(self, path: str) -> Path | None:
        """Return the folder of a package; None if the root does not contain it."""
        if path == self.path:
            return self.folder
        rest = path.removeprefix(f"{self.path}/")
        folder = self.folder / rest
        return None if rest == path or ".." in rest.split("/") or not os.path.isdir(folder) else folder  # noqa: PTH112

    def path_of(self, folder: Path) -> str:
        """The import path of a folder of the root."""
        rest = folder.relative_to(self.folder).as_posix()
        return self.path if rest == "." else f"{self.path}/{rest}"

    def shown_as(self, path: Path) -> str:
        """Return the path of a file or folder of the root in messages."""
        rest = path.relative_to(self.folder).as_posix()
        return self.display_path if rest == "." else f"{self.display_path}/{rest}".removeprefix("./")


def root_of(folder: Path, report: Report, *, path: str | None = None, display_path: str | None = None) -> GoRoot | None:
    """Return a folder as a root: a Go module, or packages within one.

    `path` is its import path, by default that of the go.mod in it or in a parent folder. None, with an error, if the
    folder does not exist or its import path is unknown. `display_path` is by default its path relative to the working
    directory.
    """
    folder = Path(os.path.abspath(folder))
    display_path = shown_path(folder) if display_path is None else display_path
    if not folder.is_dir():
        report_unreadable(
            report, Place(display_path), NotADirectoryError(20, "") if folder.exists() else FileNotFoundError(2, "")
        )
        return None
    path = module_path(folder) if path is None else path
    if path is None:
        hint = "pass the folder of a Go module, or a subfolder"
        report.error(
            "AG1206",
            Place(display_path),
            "the import path of this folder is unknown, because neither it nor a parent folder has a go.mod",
            hint=hint,
        )
        return None
    return GoRoot(folder, path, display_path)


def module_path(folder: Path) -> str | None:
    """Return the import path of a folder, by the go.mod in it or in the nearest parent folder; None without a
    go.mod.
    """
    for module in (folder, *folder.parents):
        with suppress(OSError):
            text = read_regular(module / "go.mod", MAX_FILE_BYTES).decode("utf-8", "replace")
            found = _MODULE.search(text)
            name = None if found is None else found[1] or found[2] or found[3]
            rest = folder.relative_to(module).as_posix()
            return name if name is None or rest == "." else f"{name}/{rest}"
    return None


def with_modules(roots: Iterable[GoRoot]) -> list[GoRoot]:
    """Return the roots, and the modules that contain them as references, in which packages next to them are found."""
    roots = list(roots)
    modules = [module for root in roots if not root.is_reference and (module := module_of(root)) is not None]
    return [*roots, *dict.fromkeys(modules)]


def module_of(root: GoRoot) -> GoRoot | None:
    """Return the module that contains a root, to which its packages may refer; None if the root is the whole module, or
    without a go.mod.
    """
    for folder in root.folder.parents:
        if (folder / "go.mod").is_file() and not (root.folder / "go.mod").is_file():
            path = module_path(folder)
            is_above = path is not None and root.path == f"{path}/{root.folder.relative_to(folder).as_posix()}"
            return GoRoot(folder, path, shown_path(folder), is_reference=True) if path and is_above else None
    return None


def versioned_packages(root: GoRoot, report: Report) -> list[str]:
    """Return the import paths of all packages of a root whose last element is a version (`v1`, `v1beta2`), in order."""
    paths = [root.path_of(folder) for folder in _folders(root, report)]
    is_module = (root.folder / "go.mod").is_file()
    return [
        path for path in paths if _VERSION.fullmatch(path.rpartition("/")[2]) and not (is_module and path == root.path)
    ]


def go_files(folder: Path, *, generated: bool = False) -> list[Path]:
    """Return the files of a package by name, without tests, and without generated files unless requested. Raises
    OSError.
    """
    names = sorted(name for name in os.listdir(folder) if name.endswith(".go") and not name.startswith((".", "_")))
    names = [name for name in names if not name.endswith("_test.go")]
    return [folder / name for name in names if generated or not _GENERATED_NAME.fullmatch(name[:-3])]


def has_go_files(folder: Path) -> bool:
    """Return whether a folder has Go files. True for an unreadable folder, so that the error is reported."""
    try:
        return bool(go_files(folder))
    except OSError:
        return True


def is_all_generated(folder: Path) -> bool:
    """Return whether all Go files of a folder have the comment of generated code; false if one cannot be read."""
    try:
        heads = [read_regular(path, HEAD_BYTES) for path in go_files(folder)]
    except OSError:
        return False
    return bool(heads) and all(is_generated(head) for head in heads)


def is_generated(data: bytes) -> bool:
    """Return whether a file has the comment of generated code above its package clause."""
    return _GENERATED_LINE.search(data, 0, _end_of_head(data)) is not None


def package_clause(data: bytes) -> str | None:
    """The name in the package clause of a file; None without one."""
    found = _PACKAGE.match(data, _end_of_head(data))
    return None if found is None else found[1].decode("utf-8", "replace")


def read_go(path: Path, place: Place, root: GoRoot, report: Report) -> bytes | None:
    """Return the text of a Go file, without a byte order mark; None, with an error, if it cannot be read."""
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root.folder)):
        report.error("AG0106", place, "the symbolic link refers to a path outside of the folder of the Go packages")
        return None
    try:
        if not path.is_file():
            report.error("AG0103", place, "expected a regular file")
            return None
        with path.open("rb") as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        report_unreadable(report, place, error)
        return None
    if len(data) > MAX_FILE_BYTES:
        message = f"the file is too large: at most {MAX_FILE_BYTES // 1024**2} MB of Go is the maximum"
        report.error("AG1203", place, message, hint="generated files are skipped if they have the standard comment")
        return None
    return data.removeprefix(b"\xef\xbb\xbf") if _is_text(data, place, report) else None


def _is_text(data: bytes, place: Place, report: Report) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        position, problem = error.start, f"the byte 0x{data[error.start]:02x} is not UTF-8"
    else:
        position, problem = data.find(b"\0"), "it contains a zero byte"
    if position < 0:
        return True
    line = data.count(b"\n", 0, position) + 1
    before = data[data.rfind(b"\n", 0, position) + 1 : position].removeprefix(b"\xef\xbb\xbf")
    where = Place(place.file, line, len(before.decode("utf-8")) + 1)
    report.error("AG1202", where, f"this is not Go source: {problem}", hint="Go sources are UTF-8")
    return False


def _end_of_head(data: bytes) -> int:
    """Return the end of the comments at the beginning of a file."""
    found = _NOT_CODE.match(data)
    assert found is not None, "it also matches the empty string"
    return found.end()


def _folders(root: GoRoot, report: Report) -> Iterator[Path]:
    """Yield the folders of a root that contain Go files, in order of path, without those of other modules in it."""
    todo, seen = [root.folder], 0
    while todo:
        folder = todo.pop()
        seen += 1
        if seen > MOST_FOLDERS:
            message = f"there are more than {MOST_FOLDERS:,} subfolders; the others are skipped"
            report.error("AG1203", Place(root.display_path), message, hint="pass the packages, or a subfolder")
            return
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            report_unreadable(report, Place(root.shown_as(folder)), error)
            continue
        if any(entry.name.endswith(".go") for entry in entries):
            yield folder
        todo.extend(Path(entry.path) for entry in reversed(entries) if _is_searched(entry, root, report))


def _is_searched(entry: os.DirEntry[str], root: GoRoot, report: Report) -> bool:
    """Return whether a folder may contain packages of this module, by the rules of the go command."""
    if (
        entry.name.startswith((".", "_"))
        or entry.name in _SKIPPED_FOLDERS
        or not os.path.isdir(entry.path)  # noqa: PTH112
    ):
        return False
    if entry.is_symlink():
        place = Place(root.shown_as(Path(entry.path)))
        report.warning("AG0106", place, f"the symbolic link {quote(entry.name)} is not followed")
        return False
    return not os.path.exists(os.path.join(entry.path, "go.mod"))  # noqa: PTH110, PTH118


def find_folder(path: str, roots: Sequence[GoRoot]) -> tuple[GoRoot, Path] | None:
    """Return the root and folder of a package; of several roots, the one with the longest path."""
    found = [(root, folder) for root in roots if (folder := root.folder_of(path)) is not None]
    return max(found, key=lambda pair: len(pair[0].path), default=None)
