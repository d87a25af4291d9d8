"""The list of the files that apigen made in an output folder, kept in the folder itself."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

from apigen.codegen.output import check_path
from apigen.dataclass import dataclass

NAME = ".apigen-manifest.json"
COMMENT = "Written by apigen: the list of generated files, which distinguishes them from yours. Commit it with them."

_ENTRY = re.compile(r'^\s*("(?:[^"\\]|\\.)+"): "([0-9a-f]{64})",?\s*$', re.MULTILINE)

_FORMATTER = re.compile(r'^\s*"formatter": "([a-z]+(?: [0-9a-z.]+)?)",$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Manifest:
    """Path of each file -> SHA-256 of its bytes, in hexadecimal; `formatter` is what formatted them, empty if not known."""

    files: Mapping[str, str]
    formatter: str = ""

    @classmethod
    def of(cls, contents: Mapping[str, bytes], formatter: str = "") -> Manifest:
        """The manifest of an output."""
        return cls({path: digest(content) for path, content in contents.items()}, formatter)

    @classmethod
    def read(cls, root: Path) -> Manifest:
        """Return the manifest of a folder, or an empty one. Paths that lead out of the folder are omitted."""
        try:
            text = (root / NAME).read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return cls({})
        found = _FORMATTER.search(text)
        files = {path: hashed for path, hashed in _entries(text) if _is_plain(path)}
        return cls(files, found[1] if found else "")

    def to_bytes(self) -> bytes:
        """The file's content: the same for the same output, one line for each file, in order."""
        lines = (f'\n  {_quoted(path)}: "{hashed}"' for path, hashed in sorted(self.files.items()))
        files = f"{{{','.join(lines)}\n }}" if self.files else "{}"
        formatter = f' "formatter": {_quoted(self.formatter)},\n' if self.formatter else ""
        return f'{{\n "comment": {_quoted(COMMENT)},\n{formatter} "files": {files}\n}}\n'.encode()

    def has(self, path: str, content: bytes) -> bool:
        """Return whether the file is listed with just this content."""
        return self.files.get(path) == digest(content)


def digest(content: bytes) -> str:
    """The SHA-256 of some bytes, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _entries(text: str) -> list[tuple[str, str]]:
    """All entries, line by line, so that a file with both sides of a merge conflict in it tells of the files of both."""
    found = _ENTRY.findall(text)
    return [(json.loads(path) if "\\" in path else path[1:-1], hashed) for path, hashed in found]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _is_plain(path: str) -> bool:
    try:
        check_path(path)
    except ValueError:
        return False
    return path != NAME
