"""The import statements of `.proto` files, and the folders that they are found from."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from os.path import relpath
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.diagnostics.quoting import quote
from apigen.files.regular_files import read_regular

_TOKENS = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
      | \bimport\s+(?:(?:public|weak|option)\s+)?(?P<quote>["'])(?P<path>[^"'\\\n]+)(?P=quote)
    """,
    re.VERBOSE | re.DOTALL,
)
_ANCESTORS = 8
"""Maximum number of parent folders of an input that are searched."""


def imports_of(text: str) -> Iterator[str]:
    """The files that a file imports, as it writes them."""
    return (match["path"] for match in _TOKENS.finditer(text) if match["path"])


def roots_of(folder: Path, files: dict[Path, str]) -> tuple[Path, ...]:
    """The folders that names of files begin at, the deepest first, so that every import is found if it can be.

    `files` are those of the input, all below `folder`, with their text. An import may begin at a folder below, as in a
    repository with several trees, or above, where only a part of a tree is compared.
    """
    roots = {folder}
    imported = {path for text in files.values() for path in imports_of(text)}
    for path in sorted(imported):
        if any((root / path).is_file() for root in roots):
            continue
        above = (each for each in list(folder.parents)[:_ANCESTORS] if (each / path).is_file())
        root_of_import = next((each for each in chain(_below(files, path), above) if each not in roots), None)
        if root_of_import is not None:
            roots.add(root_of_import)
    # without the folder itself if its files are imported by names that begin in a parent folder: a file has one name
    outer = [root for root in roots if root != folder and folder.is_relative_to(root)]
    if any((root / path).is_relative_to(folder) for root in outer for path in imported if (root / path).is_file()):
        roots = roots - {folder}
    return tuple(sorted(roots, key=lambda root: (-len(root.parts), str(root))))


def _below(files: Iterable[Path], path: str) -> Iterator[Path]:
    """The folders that a path leads from to a file of the input."""
    parts = Path(path).parts
    for file in files:
        if len(file.parts) > len(parts) and file.parts[-len(parts) :] == parts:
            yield Path(*file.parts[: -len(parts)])


_MOST_FILES = 20_000
_LARGEST = 64 * 2**20
_SKIPPED = {"node_modules", "__pycache__"}


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of an input with their text, by path, and the folders that their names begin at, deepest first."""

    roots: tuple[Path, ...]
    files: dict[Path, str]

    def name(self, file: Path) -> str:
        """Return the name of a file in imports."""
        root = next(root for root in self.roots if file.is_relative_to(root))
        return file.relative_to(root).as_posix()


@dataclass(frozen=True, slots=True)
class OmittedFile:
    """A file that cannot be compiled, for the file that it imports, which is nowhere or omitted itself."""

    file: Path
    imported: str
    is_nowhere: bool

    @property
    def reason(self) -> str:
        """The reason, for messages."""
        return f'"{self.imported}" is {"missing" if self.is_nowhere else "not compared"}, so this file is not compared'


def without_unresolved(tree: Tree, known: Callable[[str], bool]) -> tuple[Tree, tuple[OmittedFile, ...]]:
    """Return a tree without the files that import a missing file, directly or indirectly; `known` are the names of
    other files.
    """
    own = {tree.name(file): file for file in tree.files}
    imports = {file: tuple(imports_of(text)) for file, text in tree.files.items()}
    left_out: dict[Path, OmittedFile] = {}
    for file, paths in imports.items():
        for path in paths:
            exists = path in own or known(path) or any((root / path).exists() for root in tree.roots)
            if not exists:
                left_out.setdefault(file, OmittedFile(file, path, is_nowhere=True))
    importers: dict[Path, list[Path]] = {}
    for file, paths in imports.items():
        for path in paths:
            if path in own:
                importers.setdefault(own[path], []).append(file)
    waiting = list(left_out)
    while waiting:
        omitted = waiting.pop()
        for file in importers.get(omitted, ()):
            if file not in left_out:
                left_out[file] = OmittedFile(file, tree.name(omitted), is_nowhere=False)
                waiting.append(file)
    files = {file: text for file, text in tree.files.items() if file not in left_out}
    return Tree(tree.roots, files), tuple(left_out[file] for file in tree.files if file in left_out)


def read_tree(path: Path, display_path: str, report: Report) -> Tree | None:
    """Return the files of a folder, or one file. None, with AG1444 or AG1445, if the folder has none, or too many."""
    paths = [path] if path.is_file() else sorted(proto_files(path))
    if not paths:
        message = f"no `.proto` file in {quote(display_path)}"
        report.error("AG1445", Place(display_path), message, hint="pass their folder")
        return None
    if len(paths) > _MOST_FILES:
        message = f"more than {_MOST_FILES:,} files are not compared; pass a subfolder"
        report.error("AG1444", Place(display_path), message)
        return None
    files: dict[Path, str] = {}
    for each in paths:
        text = _text(each, display_path, report)
        if text is None:
            return None
        files[each] = text
    tree = Tree(roots_of(path.parent if path.is_file() else path, files), files)
    imported = dict.fromkeys(each for text in files.values() for each in imports_of(text))
    # a compiler would wait for the output of a pipe
    existing = (root / each for root in tree.roots for each in imported if (root / each).exists())
    odd = next((each for each in existing if not each.is_file()), None)
    if odd is None:
        return tree
    report.error(
        "AG1445",
        Place(display_path),
        f"{quote(odd.name)} is imported, but is not a file",
        hint="compare regular files only",
    )
    return None


def proto_files(folder: Path) -> Iterator[Path]:
    """The `.proto` files below a folder; hidden folders are omitted, links to folders are not followed."""
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _SKIPPED)
        paths = (Path(at, name) for name in names if name.endswith(".proto"))
        yield from (path for path in paths if path.is_file())


def _text(path: Path, display_path: str, report: Report) -> str | None:
    try:
        if path.stat().st_size > _LARGEST:
            report.error("AG1444", Place(path.name), f"a file of more than {_LARGEST >> 20} MB is not read")
            return None
        return read_regular(path).decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    except OSError as error:
        report.error("AG1445", Place(display_path), f"{quote(path.name)} cannot be read: {error.strerror or error}")
        return None


_TAB = 8
"""The width of a tab in protoc's columns."""


def character(text: str, column: int) -> int:
    """Return the position in a line of a column; both count from 0."""
    if text.isascii() and "\t" not in text:
        return column
    reached = 0
    for index, each in enumerate(text):
        if reached >= column:
            return index
        reached += _TAB - reached % _TAB if each == "\t" else len(each.encode("utf-8", "surrogatepass"))
    return len(text)


_LONGEST = 60
"""Seconds. All of Kubernetes' files take one."""

_ERROR = re.compile(r"(?P<file>[^\n]+?\.proto):(?:(?P<line>\d+):(?P<column>\d+):)? (?P<text>[^\n]+)")
_UNFOUND = re.compile(r'Import "(?P<path>[^"]*)" was not found or had errors')
_MOST_ERRORS = 100


def is_installed() -> bool:
    """Return whether the libraries of the extra `proto` are installed."""
    from importlib.util import find_spec

    return all(find_spec(name) is not None for name in ("google", "google.protobuf", "grpc_tools"))


def is_bundled(name: str) -> bool:
    """Return whether a file is bundled with the compiler."""
    from importlib.util import find_spec

    found = find_spec("grpc_tools")
    folders = () if found is None else found.submodule_search_locations or ()
    return any(Path(folder, "_proto", name).is_file() for folder in folders)


def compile_tree(tree: Tree, display_path: Callable[[str], str], report: Report) -> bytes | None:
    """A descriptor set of the files and all that they import, with source positions.

    None, with AG1440 for invalid protobuf, AG1441 for a missing import, or AG1444 for a timeout.
    """
    import subprocess  # most folders have no file of protobuf
    import tempfile

    base = tree.roots[-1]
    with tempfile.TemporaryDirectory(prefix="apigen-proto-") as folder:
        out, arguments = Path(folder, "set.binpb"), Path(folder, "arguments")
        options = ["--include_imports", "--include_source_info", "--retain_options", f"--descriptor_set_out={out}"]
        roots = [f"--proto_path={relpath(root, base)}" for root in tree.roots]
        files = [f"./{relpath(file, base)}" for file in tree.files]
        arguments.write_text("\n".join([*options, *roots, *files]), "utf-8", "surrogateescape")
        command = [sys.executable, "-P", "-m", "grpc_tools.protoc", f"@{arguments}"]
        place = Place(display_path(tree.name(next(iter(tree.files)))))
        try:
            process = subprocess.run(command, cwd=base, capture_output=True, timeout=_LONGEST, check=False)
        except subprocess.TimeoutExpired:
            report.error("AG1444", place, f"protoc was stopped after {_LONGEST} seconds")
            return None
        if process.returncode == 0 and out.is_file():
            return out.read_bytes()
    _report(process.stderr.decode("utf-8", "replace"), process.returncode, place, _Places(tree, display_path), report)
    return None


class _Places:
    """The locations that protoc reports, in the files of a tree."""

    def __init__(self, tree: Tree, display_path: Callable[[str], str]) -> None:
        self._texts = {tree.name(file): text for file, text in tree.files.items()}
        self._display_path = display_path
        self._lines: dict[str, list[str]] = {}

    def of(self, match: re.Match[str]) -> Place:
        """Return the location of an error, with the column in characters."""
        file, line, column = match["file"], int(match["line"] or 0), int(match["column"] or 0)
        lines = self._lines.setdefault(file, self._texts.get(file, "").split("\n")) if line else []
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        return Place(self._display_path(file), line, character(text, column - 1) + 1 if line else 0)


def _report(output: str, code: int, place: Place, places: _Places, report: Report) -> None:
    known = 0
    for match in list(_ERROR.finditer(output))[:_MOST_ERRORS]:
        text = match["text"].strip()
        if text.startswith("warning:"):
            continue
        at = places.of(match)
        unfound = _UNFOUND.match(text)
        path = "" if unfound is None else unfound["path"]
        if f"{path}: File not found." in output and path:
            hint = "pass a folder that contains it, or a descriptor set: protoc --include_imports --descriptor_set_out=FILE"
            report.error("AG1441", at, f'"{path}" was not found', hint=hint)
        elif unfound is not None:  # a file that has other errors is reported with these
            if not re.search(rf"^{re.escape(path)}:\d+:\d+: (?!warning)", output, re.MULTILINE):
                report.error("AG1440", at, f'protoc cannot read "{path}"')
        elif match["line"]:
            report.error("AG1440", at, f"protoc reports: {text}", hint="fix the file so that protoc accepts it")
        else:
            continue
        known += 1
    if not known:
        words = output.strip().splitlines()
        text = words[0] if words else f"it ended with code {code}"
        report.error("AG1440", place, f"protoc reports: {text}")
