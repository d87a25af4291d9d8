"""Reads the files of a spec folder as text and remembers their lines, which diagnostics show."""

from __future__ import annotations

import codecs
import errno
import re
import stat
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path, PurePath

from apigen.dataclass import dataclass
from apigen.diagnostics import Place, Report
from apigen.files.regular_files import NotAFileError, read_regular

MAX_FILE_BYTES = 10 * 1024 * 1024
"""The largest file that is read. All of Kubernetes' API is 2 MB in some 60 files."""

_LINE_BREAK = re.compile(r"\r\n|\n|\r")
_MARKER = "<<<<<<<"
_CONFLICT = re.compile(r"<{7}(?: |$)")
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f"
_HIDDEN = (
    "\x7f-\x9f"  # control characters; U+0085 is a line break to YAML 1.1 only
    "\u2028\u2029"  # line breaks to YAML 1.1 only
    "\u202a-\u202e\u2066-\u2069"  # turn the direction of text, so that a reviewer sees other text than we do
    "\ufeff\ufffe\uffff\ud800-\udfff"
)
HIDDEN = f"[{_HIDDEN}]"
"""The pattern of invisible characters and of those that YAML interprets differently; strings in JSON may contain them.
"""

_FORBIDDEN = f"[{_CONTROLS}{_HIDDEN}]"
_FORBIDDEN_IN_JSON = f"[{_CONTROLS}]"
_ORDINARY = bytes((9, 10, 13, *range(32, 127)))
"""The ASCII characters that are not forbidden."""

_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class SourceFile:
    """A file that was read. `name` is its path in messages; a byte order mark is not part of `text`."""

    path: Path
    name: str
    text: str

    @property
    def place(self) -> Place:
        """The file as a whole."""
        return Place(self.name)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their breaks."""
        return tuple(_LINE_BREAK.split(self.text) if "\r" in self.text else self.text.split("\n"))

    def place_of(self, offset: int) -> Place:
        """The place of a character, given by its offset in `text`."""
        breaks = list(_LINE_BREAK.finditer(self.text, 0, offset))
        start = breaks[-1].end() if breaks else 0
        return Place(self.name, len(breaks) + 1, offset - start + 1)


class Sources:
    """Reads files for one run; errors are added to the report, which gets the lines of files from here."""

    def __init__(self, report: Report, contents: Mapping[str, bytes] | None = None) -> None:
        """With `contents`, by absolute path, those files are not read: they are taken to have these."""
        self._report = report
        self._contents = contents or {}
        self._files: dict[str, SourceFile] = {}
        report.use_source(self.line)

    def read(self, path: Path, name: str, *, is_json: bool = False) -> SourceFile | None:
        """The text of a file shown as `name`; None, with diagnostics, if it cannot be used. JSON may have hidden
        characters.
        """
        place = Place(name)
        data = self._bytes(path, place)
        if data is None:
            return None
        try:
            text, bad = _decoded(data, "strict"), None
        except UnicodeDecodeError as error:
            text, bad = _decoded(data, "replace"), len(data) - len(error.object) + error.start
        file = SourceFile(path, name, text)
        self._files[name] = file
        if bad is not None:
            self._not_utf8(file, data, bad)
            return None
        return file if self._is_sound(file, _FORBIDDEN_IN_JSON if is_json else _FORBIDDEN) else None

    def line(self, place: Place) -> str | None:
        """The text of the line of a place, if its file was read."""
        file = self._files.get(place.file)
        if file is None or not 0 < place.line <= len(file.lines):
            return None
        return file.lines[place.line - 1]

    def _bytes(self, path: Path, place: Place) -> bytes | None:
        if self._contents and str(path) in self._contents:
            return self._contents[str(path)]
        try:
            status = path.stat()
            if stat.S_ISREG(status.st_mode) and status.st_size > MAX_FILE_BYTES:
                self._too_large(place, status.st_size)
                return None
            data = read_regular(path, MAX_FILE_BYTES + 1)
        except NotAFileError as error:
            self._report.error("AG0103", place, f"expected a file, found {error.description}")
            return None
        except OSError as error:
            report_unreadable(self._report, place, error)
            return None
        if len(data) > MAX_FILE_BYTES:
            self._too_large(place, len(data))
            return None
        return data

    def _too_large(self, place: Place, size: int) -> None:
        limit = MAX_FILE_BYTES // 1024**2
        self._report.error(
            "AG0105",
            place,
            f"the file is too large: {size / 1024**2:.1f} MB, the maximum is {limit} MB",
            hint="a spec is split by group and version; all of Kubernetes' API is 2 MB",
        )

    def _not_utf8(self, file: SourceFile, data: bytes, offset: int) -> None:
        if data.startswith(_UTF16):
            self._report.error("AG0104", file.place, "the file is UTF-16, not UTF-8", hint=_SAVE_AS_UTF8)
            return
        place = file.place_of(len(_decoded(data[:offset], "strict")))
        self._report.error("AG0104", place, f"the byte 0x{data[offset]:02x} is not UTF-8", hint=_SAVE_AS_UTF8)

    def _is_sound(self, file: SourceFile, forbidden_pattern: str) -> bool:
        """Return whether the text has no content that is invalid in every spec and lock."""
        lines = file.lines if _MARKER in file.text else ()
        conflicts = [number for number, line in enumerate(lines, 1) if _CONFLICT.match(line)]
        for number in conflicts:
            place = Place(file.name, number, 1)
            self._report.error("AG0108", place, "merge-conflict markers", hint=_conflict_hint(file.name))
        if conflicts:
            return False
        forbidden = None if _is_ordinary(file.text) else re.search(forbidden_pattern, file.text)
        if forbidden is None:
            return True
        self._report.error(
            "AG0107",
            file.place_of(forbidden.start()),
            f"the character U+{ord(forbidden[0]):04X} must be escaped",
            hint=f'in a double-quoted string, write "\\u{ord(forbidden[0]):04x}"',
        )
        return False


def _is_ordinary(text: str) -> bool:
    """Return whether a text only has ordinary ASCII characters, as most texts; the check is fast."""
    return text.isascii() and not text.encode().translate(None, _ORDINARY)


def report_unreadable(report: Report, place: Place, error: OSError) -> None:
    """Say why the system did not give a file or folder."""
    if error.errno == errno.ENOENT:
        report.error("AG0101", place, "no such file or folder")
    elif error.errno == errno.ENOTDIR:
        report.error("AG0103", place, "expected a folder, found a file")
    elif error.errno == errno.ELOOP:
        report.error("AG0106", place, "a loop of symbolic links")
    else:
        report.error("AG0102", place, f"cannot be read: {error.strerror or 'unknown reason'}")


_SAVE_AS_UTF8 = "save it as UTF-8"


def _conflict_hint(name: str) -> str:
    if name.endswith(".lock.yaml"):
        return (
            f"take the whole file of one side (`git checkout --ours {name}` or `--theirs`), then run"
            " `apigen generate`, which adds the lines of the other side"
        )
    folder = PurePath(name).parent
    if folder.name == "history":
        return (
            f"take the whole folder of one side (`git checkout --ours {folder.as_posix()}` or `--theirs`), and record the"
            " changes of the other side as the next release"
        )
    return "resolve the conflict and remove the markers"


def _decoded(data: bytes, errors: str) -> str:
    return data.removeprefix(codecs.BOM_UTF8).decode("utf-8", errors)
