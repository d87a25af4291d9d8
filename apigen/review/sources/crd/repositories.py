"""Finds the CRDs of a repository among its other files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from apigen.files.regular_files import read_regular
from apigen.language.source import MAX_FILE_BYTES
from apigen.review.sources.schemas.files import SUFFIXES
from apigen.review.sources.source import names_below

_MARKS = (".git", ".github", "go.mod", "PROJECT", "Makefile", "LICENSE")
"""Files at the root of repositories, but not in folders of CRDs."""

_OF_OTHERS = frozenset(
    {
        *("vendor", "node_modules", "third_party", "testdata", "test", "tests", "e2e", "hack"),
        *("example", "examples", "sample", "samples", "docs"),
    }
)
"""Folders of a repository whose CRDs are third-party or test data."""

_LOOKS_LIKE = re.compile(rb"""kind["']?\s*:\s*["']?CustomResourceDefinition(?:List)?\b""")
_TEMPLATE = re.compile(rb"(?m)^[ \t]*(?:- )?\{\{")
_USUAL_FOLDERS = ("config/crd/bases", "config/crd", "crds", "crd")
"""Folders of CRDs, the most common first."""


def is_repository(folder: Path) -> bool:
    """Return whether a folder is the root of a repository."""
    return any((folder / mark).exists() for mark in _MARKS)


def has_definition(path: Path) -> bool:
    """Return whether a file may contain a CustomResourceDefinition; it is searched as text, not parsed."""
    return _LOOKS_LIKE.search(_content(path)) is not None


def definition_files(folder: Path) -> tuple[Path, ...]:
    """Yield the files with CRDs of the repository itself, those of the usual folders first; templates are skipped."""
    files = (path for path in _files(folder) if has_definition(path) and not _TEMPLATE.search(_content(path)))
    return tuple(sorted(files, key=lambda path: _rank(path.parent.relative_to(folder).as_posix(), path.name)))


def has_own_definitions(folder: Path) -> bool:
    """Return whether a folder contains CustomResourceDefinitions of its own project."""
    return any(map(has_definition, _files(folder)))


def _files(folder: Path) -> Iterator[Path]:
    names = names_below(folder, lambda name: name.startswith(".") or name in _OF_OTHERS)
    return (path for at, name in names if (path := Path(at, name)).suffix in SUFFIXES)


def _content(path: Path) -> bytes:
    try:
        return read_regular(path, MAX_FILE_BYTES) if path.suffix in SUFFIXES else b""
    except OSError:
        return b""


def _rank(folder: str, name: str) -> tuple[int, str, str]:
    parts = PurePosixPath(folder).parts
    for number, usual_folder in enumerate(_USUAL_FOLDERS):
        usual_parts = PurePosixPath(usual_folder).parts
        if any(parts[at : at + len(usual_parts)] == usual_parts for at in range(len(parts))):
            return number, folder, name
    return len(_USUAL_FOLDERS), folder, name
