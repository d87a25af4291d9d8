"""Where the parts of a `.proto` file stand, and the comments before them."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.descriptor_pb2 import FileDescriptorProto, SourceCodeInfo

from apigen.diagnostics import Place

_TAB = 8
"""What protoc takes a tab for."""

Path = tuple[int, ...]
"""A part of a file, as descriptors number it: fields of descriptor.proto and positions in them, in turns."""


class Positions:
    """The positions of a file. `shown` is its name for people; `lines` its text, empty where there is none."""

    def __init__(self, file: FileDescriptorProto, shown: str, lines: Sequence[str] = ()) -> None:
        self.shown = shown
        self._lines = lines
        self._locations: dict[Path, SourceCodeInfo.Location] = {}
        for location in file.source_code_info.location:
            self._locations.setdefault(tuple(location.path), location)

    def at(self, *path: int) -> Place:
        """Where a part begins; where nothing tells that, the nearest part around it."""
        while path:
            location = self._locations.get(path)
            if location is not None and len(location.span) > 2:
                line, column = location.span[0], location.span[1]
                return Place(self.shown, line + 1, self._character(line, column) + 1)
            path = path[:-1]
        return Place(self.shown)

    def doc(self, *path: int) -> str | None:
        """The comment before a part, or behind it."""
        location = self._locations.get(path)
        if location is None:
            return None
        text = location.leading_comments or location.trailing_comments
        return "\n".join(line.strip() for line in text.strip().splitlines()) or None

    def _character(self, line: int, column: int) -> int:
        """The character that a column of protoc stands for, which counts bytes, and tabs by their width."""
        text = self._lines[line] if line < len(self._lines) else ""
        if text.isascii() and "\t" not in text:
            return column
        reached = 0
        for index, character in enumerate(text):
            if reached >= column:
                return index
            reached += _TAB - reached % _TAB if character == "\t" else len(character.encode("utf-8", "surrogatepass"))
        return len(text)
