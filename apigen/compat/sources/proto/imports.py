"""The import statements of `.proto` files, and the folders that they are found from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

_TOKENS = re.compile(
    r"""//[^\n]*
      | /\*.*?\*/
      | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*'
      | \bimport\s+(?:(?:public|weak|option)\s+)?(?P<quote>["'])(?P<path>[^"'\\\n]+)(?P=quote)
    """,
    re.VERBOSE | re.DOTALL,
)
_ANCESTORS = 8
"""How many folders above an input are looked into."""


def imports_of(text: str) -> Iterator[str]:
    """The files that a file imports, as it writes them."""
    return (match["path"] for match in _TOKENS.finditer(text) if match["path"])


def roots_of(folder: Path, files: dict[Path, str]) -> tuple[Path, ...]:
    """The folders that names of files begin at, the deepest first, so that every import is found if it can be.

    `files` are those of the input, all below `folder`, with their text. An import may begin at a folder below, as in a
    repository with several trees, or above, where only a part of a tree is compared.
    """
    roots = {folder}
    wanted = {path for text in files.values() for path in imports_of(text)}
    for path in sorted(wanted):
        if any((root / path).is_file() for root in roots):
            continue
        found = next((each for each in (*_below(files, path), *_above(folder, path)) if each not in roots), None)
        if found is not None:
            roots.add(found)
    return _without_covered(folder, roots, wanted)


def _below(files: Iterable[Path], path: str) -> Iterator[Path]:
    """The folders that a path leads from to a file of the input."""
    parts = Path(path).parts
    for file in files:
        if len(file.parts) > len(parts) and file.parts[-len(parts) :] == parts:
            yield Path(*file.parts[: -len(parts)])


def _above(folder: Path, path: str) -> Iterator[Path]:
    return (above for above in list(folder.parents)[:_ANCESTORS] if (above / path).is_file())


def _without_covered(folder: Path, roots: set[Path], wanted: set[str]) -> tuple[Path, ...]:
    """Without the folder itself, where its own files are imported by names that begin above: a file has one name."""
    above = [root for root in roots if root != folder and folder.is_relative_to(root)]
    if any((root / path).is_relative_to(folder) for root in above for path in wanted if (root / path).is_file()):
        roots = roots - {folder}
    return tuple(sorted(roots, key=lambda root: (-len(root.parts), str(root))))
