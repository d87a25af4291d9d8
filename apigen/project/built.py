"""What a run makes of a project, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Diagnostic
from apigen.emit.output import OutputFile
from apigen.whole_file import write_whole


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock as it has to be: its file, how people see its path, its text."""

    path: Path
    shown: str
    text: str

    @property
    def present(self) -> bytes | None:
        """What the file has now; None if it is not there."""
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return None

    def write(self) -> None:
        """Put the text in place of the old file at once. Raises OSError."""
        write_whole(self.path, self.text.encode())


Borrowed = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class MadeOf:
    """What an output was made of.

    `groups` has a key for each package, for what the files of its group are made of (see `apigen.project.units`), and
    `keys`, for each file of a group, its package and a key for what it is made of besides; of files that turned out not
    to be, too. `links` tells which other groups each group leads to, by folder, and `words` what types say, and
    `borrowed` whose classes hubs borrow, as pairs of a type of a hub and one of a version. `common` is a key for what is the same for all groups, `releases` the releases that the package emulates by default, and `specs` has the
    files of the folder of specs.
    """

    common: str
    releases: str
    specs: Mapping[str, bytes]
    groups: Mapping[str, str]
    keys: Mapping[str, tuple[str, str]]
    links: Mapping[str, tuple[str, ...]]
    words: Mapping[str, bytes]
    borrowed: tuple[Borrowed, ...]


@dataclass(frozen=True, slots=True)
class Built:
    """The files of the output folder, the locks of the spec folder, and the warnings that came up.

    `made_of` is what the next run may begin from, None where that is not known.
    """

    files: tuple[OutputFile, ...]
    locks: tuple[Lock, ...]
    warnings: tuple[Diagnostic, ...] = ()
    made_of: MadeOf | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """What was built, without the contents: the SHA-256 of each file, by path."""

    digests: Mapping[str, str]
    locks: tuple[Lock, ...]
    warnings: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """What a run wrote: paths as shown to people. `kept` are files that it no longer makes, but somebody rewrote."""

    created: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[str, ...]
    unchanged: int

    @property
    def differs(self) -> bool:
        """Whether the run left anything otherwise than it was."""
        return bool(self.created or self.changed or self.removed or self.kept)
