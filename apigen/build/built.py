"""The result of building a project, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from apigen.codegen.output import OutputFile
from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic
from apigen.files.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class Lock:
    """The new content of a lock: its file, its path in messages, its text."""

    path: str
    display_path: str
    text: str

    @property
    def present(self) -> bytes | None:
        """Return the current content of the file; None if it does not exist."""
        try:
            return Path(self.path).read_bytes()
        except FileNotFoundError:
            return None

    def write(self) -> None:
        """Replace the old file atomically. Raises OSError."""
        write_whole(Path(self.path), self.text.encode())


@dataclass(frozen=True, slots=True)
class Built:
    """The files of the output folder, formatted by `formatter`, the locks of the spec folder, and the warnings of the
    build.
    """

    files: tuple[OutputFile, ...]
    locks: tuple[Lock, ...]
    warnings: tuple[Diagnostic, ...] = ()
    formatter: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of building a project without the contents: the SHA-256 of each file, by path."""

    digests: Mapping[str, str]
    locks: tuple[Lock, ...]
    warnings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of a run: paths, in order.

    `unchanged` already had the wanted contents. `removed` are obsolete files of an earlier run, `kept` those that were
    edited: apigen no longer manages them.
    """

    created: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    unchanged: tuple[str, ...]

    @property
    def differs(self) -> bool:
        """Return whether the run changed any file."""
        return bool(self.created or self.changed or self.removed or self.kept)
