"""A TOML file with the locations of its settings, which `tomllib` does not report."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from apigen.dataclass import dataclass
from apigen.diagnostics import Place

_POSITION = r" \(at (?:line (\d+), column (\d+)|end of document)\)$"


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A file and its table with the settings. `display_path` is its path in messages."""

    path: Path
    display_path: str
    text: str
    table: tuple[str, ...]

    def place(self, key: str) -> Place:
        """Return the location of a setting of the table, or that of the table if the setting is not found as text."""
        lines = self.text.splitlines(keepends=True)
        names = [re.escape(name) for name in (*self.table, key)]
        prefixes = "".join(rf"(?:[\"']?{name}[\"']?[ \t]*\.[ \t]*)?" for name in names[:-1])
        pattern = re.compile(rf"[ \t]*(?:\[\[?[ \t]*)?{prefixes}([\"']?{names[-1]}[\"']?)[ \t]*[=.\]]")
        for number, line in enumerate(lines):
            match = pattern.match(line)
            if match and self._begins(lines, number, key):
                return Place(self.display_path, number + 1, match.start(1) + 1)
        return self._header(lines)

    def line(self, place: Place) -> str | None:
        """The text of the line of a place of this file."""
        lines = self.text.splitlines()
        return lines[place.line - 1] if place.file == self.display_path and 0 < place.line <= len(lines) else None

    def _begins(self, lines: list[str], number: int, key: str) -> bool:
        """Return whether the setting begins in this line: the lines before are valid TOML without it, and following lines
        complete it.
        """
        if self._holds(lines[:number], key) is not False:
            return False
        ends = (self._holds(lines[:end], key) for end in range(number + 1, len(lines) + 1))
        return next((holds for holds in ends if holds is not None), False)

    def _holds(self, lines: list[str], key: str) -> bool | None:
        """Return whether these first lines have the setting; None if they are not valid TOML."""
        try:
            return key in (table_in(tomllib.loads("".join(lines)), self.table) or {})
        except tomllib.TOMLDecodeError:
            return None

    def _header(self, lines: list[str]) -> Place:
        name = r"[ \t]*\.[ \t]*".join(map(re.escape, self.table))
        header = re.compile(rf"[ \t]*\[[ \t]*{name}[ \t]*\]")
        for number, line in enumerate(lines, 1):
            if self.table and header.match(line):
                return Place(self.display_path, number, line.index("[") + 1)
        return Place(self.display_path)


@lru_cache(maxsize=4)
def parsed(text: str) -> Mapping[str, object]:
    """Return the document of a text, which must not be modified, because it is cached. Raises TOMLDecodeError."""
    return tomllib.loads(text)


def table_in(document: Mapping[str, object], names: tuple[str, ...]) -> Mapping[str, object] | None:
    """Return the table of that name in a document; None if there is no such table."""
    found: object = document
    for name in names:
        if not isinstance(found, dict) or name not in found:
            return None
        found = found[name]
    return found if isinstance(found, dict) else None


def syntax_error(error: tomllib.TOMLDecodeError, display_path: str, text: str) -> tuple[Place, str]:
    """Return the location of a syntax error, and the message of `tomllib`."""
    words = str(error)
    match = re.search(_POSITION, words)
    if match is None:
        return Place(display_path), words
    line = int(match[1]) if match[1] else max(1, len(text.splitlines()))
    column = int(match[2]) if match[2] else len((text.splitlines() or [""])[-1]) + 1
    return Place(display_path, line, column), words[: match.start()]
