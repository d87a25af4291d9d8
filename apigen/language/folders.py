"""Find the group folders and features.yaml files of a spec folder, in a stable order.

A folder with a group.yaml is a group; the spec folder and folders without one only contain groups, and may have a
features.yaml.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NamedTuple

from apigen.dataclass import dataclass, field
from apigen.diagnostics import Place, Related, Report
from apigen.diagnostics.quoting import quote
from apigen.language.source import report_unreadable

GROUP_FILE = "group.yaml"
HUB_FILE = "hub.yaml"
FEATURES_FILE = "features.yaml"
NOT_IMPORTED_FILE = "not-imported.yaml"
"""A file next to the groups of an imported API; only imports read it."""

HISTORY_FOLDER = "history"
"""The records of releases, in the folder of a group, and next to a features.yaml."""

SUFFIX = ".yaml"
LOCK_SUFFIX = ".lock.yaml"

_GROUP_FILES_ELSEWHERE = ("group.yml", "groups.yaml", "groups.yml")
_FEATURES_FILES_ELSEWHERE = ("features.yml", "feature.yaml", "feature.yml", "gates.yaml", "featuregates.yaml")

_DOCUMENT_SUFFIXES = (".md", ".rst", ".adoc")


@dataclass(frozen=True, slots=True)
class SpecFile:
    """A file, and its path in messages. `is_outside`: a link that leads out of the spec folder, as reported."""

    path: Path
    display_path: str
    is_outside: bool = False

    @property
    def place(self) -> Place:
        """The file as a whole."""
        return Place(self.display_path)


@dataclass(frozen=True, slots=True)
class GroupFolder:
    """A folder with a group.yaml; `name` is how specs name the group."""

    name: str
    place: Place
    group_file: SpecFile
    other_files: tuple[SpecFile, ...]

    def file(self, name: str) -> SpecFile | None:
        """Return the file with that name, other than group.yaml."""
        return next((file for file in self.other_files if file.path.name == name), None)

    @property
    def version_names(self) -> tuple[str, ...]:
        """The versions that the folder has files for, by their names."""
        names = (file.path.name for file in self.other_files)
        return tuple(
            name.removesuffix(SUFFIX)
            for name in names
            if name.endswith(SUFFIX) and not name.endswith(LOCK_SUFFIX) and name not in (HUB_FILE, FEATURES_FILE)
        )


@dataclass(frozen=True, slots=True)
class HistoryFolder:
    """A folder of records. `parent` is the folder that contains it, `is_of_group` whether that is a group."""

    path: SpecFile
    parent: SpecFile
    is_of_group: bool


@dataclass(frozen=True, slots=True)
class Folders:
    """The contents of a spec folder."""

    groups: tuple[GroupFolder, ...]
    features: tuple[SpecFile, ...]
    histories: tuple[HistoryFolder, ...] = ()


@dataclass(slots=True)
class _Search:
    """The state of one walk; `outside` are links that lead out of the spec folder, `real` are the resolved paths of
    folders.
    """

    root: Path
    display_root: Path
    report: Report
    groups: dict[str, GroupFolder] = field(default_factory=dict)
    features: list[SpecFile] = field(default_factory=list)
    histories: list[HistoryFolder] = field(default_factory=list)
    visited: set[str] = field(default_factory=set)
    real: dict[Path, str] = field(default_factory=dict)
    outside: set[Path] = field(default_factory=set)

    def file(self, path: Path) -> SpecFile:
        """Return a file or folder with its path for messages: relative to the folder in which apigen runs, if it is
        below.
        """
        text, start = str(path), f"{self.display_root}{os.sep}".replace("//", "/")
        if os.sep == "/" and text.startswith(start):
            display_path = text[len(start) :]
        else:
            display_path = (
                path.relative_to(self.display_root) if path.is_relative_to(self.display_root) else path
            ).as_posix()
        return SpecFile(path, display_path, bool(self.outside) and path in self.outside)

    def add_history(self, folder: Path, *, is_of_group: bool) -> None:
        """Add the folder of records in a folder."""
        path = folder / HISTORY_FOLDER
        self.histories.append(HistoryFolder(self.file(path), self.file(folder), is_of_group))


class _Entry(NamedTuple):
    """An entry of a folder."""

    path: Path
    name: str
    is_link: bool
    is_own_folder: bool

    @property
    def is_folder(self) -> bool:
        """Return whether it is a folder, or a link to one."""
        return self.path.is_dir() if self.is_link else self.is_own_folder

    @property
    def is_yaml(self) -> bool:
        """Return whether it has the name of a spec file. Hidden files are already excluded."""
        return self.name.endswith(SUFFIX)


def is_document(name: str) -> bool:
    """Return whether a file is documentation, which is allowed in all folders."""
    return name.endswith(_DOCUMENT_SUFFIXES) or name in ("OWNERS", "LICENSE")


def find_folders(root: Path, report: Report, display_root: Path) -> Folders:
    """Walk a spec folder. Groups are in order of name; paths are shown relative to `display_root`."""
    top = Path(os.path.abspath(root))
    search = _Search(top, Path(os.path.abspath(display_root)), report)
    pending = [top]
    while pending:
        folder = pending.pop()
        pending.extend(reversed(_visit(folder, search)))
    if not search.groups and not report.has_errors:
        message = "no group found; a group is a folder with a group.yaml"
        report.error("AG0125", search.file(top).place, message)
    groups = tuple(search.groups[name] for name in sorted(search.groups))
    return Folders(groups, tuple(search.features), tuple(search.histories))


def _visit(folder: Path, search: _Search) -> list[Path]:
    """Read one folder; return its folders to visit."""
    entries = _entries(folder, search)
    if folder != search.root and any(entry.name == GROUP_FILE for entry in entries):
        _add_group(folder, entries, search)
        return []
    misnamed = next((entry for entry in entries if entry.name in _GROUP_FILES_ELSEWHERE and not entry.is_folder), None)
    if misnamed is not None:
        hint = f"rename it to `{GROUP_FILE}`"
        message = f"{quote(misnamed.name)} is not read: the file of a group is named `{GROUP_FILE}`"
        search.report.error("AG0122", search.file(misnamed.path).place, message, hint=hint)
        return []
    subfolders: list[Path] = []
    for entry in entries:
        path = entry.path
        if entry.is_link and path in search.outside:
            continue
        if entry.is_folder:
            if entry.name == HISTORY_FOLDER:
                _add_history(path, search)
            else:
                subfolders.append(path)
        elif entry.name == FEATURES_FILE:
            search.features.append(search.file(path))
        elif path.suffix in (SUFFIX, ".yml") and entry.name != NOT_IMPORTED_FILE:
            _reject_stray(search.file(path), entry.name, search)
    return subfolders


def _entries(folder: Path, search: _Search) -> list[_Entry]:
    """The entries of a folder by name, without hidden ones and, YAML files aside, links that lead outside."""
    place = search.file(folder).place
    real = search.real.get(folder) or os.path.realpath(folder)
    if real in search.visited:
        hint = "a symbolic link refers to a folder that is already read"
        search.report.error("AG0106", place, "the folder is reached twice", hint=hint)
        return []
    search.visited.add(real)
    try:
        with os.scandir(folder) as scanned:
            entries = [_entry(folder, each) for each in scanned if not each.name.startswith(".")]
    except OSError as error:
        if folder.is_symlink() and error.errno == errno.ENOENT:
            message = f"the symbolic link leads to {folder.readlink()}, which does not exist"
            search.report.error(
                "AG0101", place, message, hint="correct the link, or set `specs` to the folder of the specs"
            )
        else:
            report_unreadable(search.report, place, error)
        return []
    entries.sort(key=lambda entry: entry.name)
    for entry in entries:
        if entry.is_own_folder:
            search.real[entry.path] = f"{real}{os.sep}{entry.name}"
        elif entry.is_link and _leads_outside(entry.path, search):
            search.report.error(
                "AG0106", search.file(entry.path).place, "the symbolic link refers to a path outside of the spec folder"
            )
            search.outside.add(entry.path)
    return [entry for entry in entries if entry.is_yaml or not entry.is_link or entry.path not in search.outside]


def _entry(folder: Path, found: os.DirEntry[str]) -> _Entry:
    return _Entry(folder / found.name, found.name, found.is_symlink(), found.is_dir(follow_symlinks=False))


def _leads_outside(link: Path, search: _Search) -> bool:
    root = os.path.realpath(search.root)
    return os.path.commonpath((root, os.path.realpath(link))) != root


def _add_group(folder: Path, entries: list[_Entry], search: _Search) -> None:
    place = search.file(folder).place
    first = search.groups.get(folder.name)
    if first is not None:
        message = f"a second folder is named {quote(folder.name)}, but other specs refer to groups by folder name"
        search.report.error("AG0124", place, message, related=[Related(first.place, "the first folder")])
        return
    folders = {entry.name for entry in entries if not entry.is_yaml and entry.is_folder}
    if HISTORY_FOLDER in folders:
        search.add_history(folder, is_of_group=True)
    for name in sorted(folders - {HISTORY_FOLDER}):
        hint = "place groups next to each other; a folder that only contains groups has no group.yaml"
        search.report.error("AG0121", search.file(folder / name).place, "a folder inside of a group", hint=hint)
    names = (entry.name for entry in entries if entry.name != GROUP_FILE and entry.name not in folders)
    files = tuple(search.file(folder / name) for name in names)
    search.groups[folder.name] = GroupFolder(folder.name, place, search.file(folder / GROUP_FILE), files)


def _add_history(path: Path, search: _Search) -> None:
    if (path / GROUP_FILE).exists():
        hint = "rename the folder; other specs refer to the group by this name"
        message = f"a folder {quote(HISTORY_FOLDER)} is reserved for records of releases and cannot be a group"
        search.report.error("AG0121", search.file(path).place, message, hint=hint)
        return
    search.add_history(path.parent, is_of_group=False)


def _reject_stray(file: SpecFile, name: str, search: _Search) -> None:
    if name == GROUP_FILE:
        message, hint = "the spec folder itself cannot be a group", "move it, and its files, to a subfolder"
        search.report.error("AG0123", file.place, message, hint=hint)
        return
    hint = "add a group.yaml next to its versions; declare feature gates in features.yaml"
    if name.lower() in _FEATURES_FILES_ELSEWHERE:
        hint = f"rename it to `{FEATURES_FILE}`"
    search.report.error("AG0122", file.place, f"{quote(name)} is not in a group folder", hint=hint)
