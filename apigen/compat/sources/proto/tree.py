"""The `.proto` files of an input."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from apigen.compat.sources.proto.imports import imports_of, roots_of
from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.regular_files import read_regular

_MOST_FILES = 20_000
_LARGEST = 64 * 2**20
_SKIPPED = {"node_modules", "__pycache__"}


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of an input with their text, by path, and the folders that their names begin at, deepest first."""

    roots: tuple[Path, ...]
    files: dict[Path, str]

    def name(self, file: Path) -> str:
        """What imports call a file."""
        root = next(root for root in self.roots if file.is_relative_to(root))
        return file.relative_to(root).as_posix()


def read_tree(path: Path, shown: str, report: Report) -> Tree | None:
    """The files of a folder, or one file. None, with AG1444 or AG1445, where there is nothing to read, or too much."""
    paths = [path] if path.is_file() else sorted(proto_files(path))
    if not paths or len(paths) > _MOST_FILES:
        _refuse(shown, len(paths), report)
        return None
    files: dict[Path, str] = {}
    for each in paths:
        text = _text(each, shown, report)
        if text is None:
            return None
        files[each] = text
    tree = Tree(roots_of(path.parent if path.is_file() else path, files), files)
    odd = next((found for root in tree.roots for found in _no_files(root, files.values())), None)
    if odd is None:
        return tree
    report.error("AG1445", Place(shown), f"{quote(odd.name)} is imported, and is no file", hint="compare files alone")
    return None


def _no_files(root: Path, texts: Iterable[str]) -> Iterator[Path]:
    """What texts import that is there and no file: a compiler would wait for what comes out of a pipe."""
    wanted = dict.fromkeys(path for text in texts for path in imports_of(text))
    return (found for path in wanted if (found := root / path).exists() and not found.is_file())


def proto_files(folder: Path) -> Iterator[Path]:
    """The `.proto` files below a folder; hidden folders are left out, links to folders are not followed."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        paths = (Path(at, name) for name in names if name.endswith(".proto"))
        yield from (path for path in paths if path.is_file())


def _refuse(shown: str, count: int, report: Report) -> None:
    if count:
        report.error("AG1444", Place(shown), f"more than {_MOST_FILES:,} files are not compared; name a folder of it")
    else:
        report.error("AG1445", Place(shown), f"no `.proto` file is in {quote(shown)}", hint="name their folder")


def _text(path: Path, shown: str, report: Report) -> str | None:
    try:
        if path.stat().st_size > _LARGEST:
            report.error("AG1444", Place(path.name), f"a file of more than {_LARGEST >> 20} MB is not read")
            return None
        return read_regular(path).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        report.error("AG1445", Place(shown), f"{quote(path.name)} cannot be read: {error.strerror or error}")
        return None
