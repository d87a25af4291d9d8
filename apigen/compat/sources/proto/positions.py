"""Where the parts of a `.proto` file stand, and the comments before them."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.descriptor_pb2 import FileDescriptorProto, SourceCodeInfo

from apigen.compat.sources.proto.columns import character
from apigen.diagnostics import Place

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
                text = self._lines[line] if line < len(self._lines) else ""
                return Place(self.shown, line + 1, character(text, column) + 1)
            path = path[:-1]
        return Place(self.shown)

    def doc(self, *path: int) -> str | None:
        """The comment before a part, or behind it."""
        location = self._locations.get(path)
        if location is None:
            return None
        text: str | bytes = location.leading_comments or location.trailing_comments
        if isinstance(text, bytes):  # what the library gives for text that is no UTF-8
            text = text.decode("utf-8", "replace")
        return "\n".join(line.strip() for line in text.strip().splitlines()) or None
