"""Places of one file that are meant for another one, in which the same text stands at other lines."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

from apigen.dataclass import dataclass
from apigen.diagnostics.model import Place


@dataclass(frozen=True, slots=True)
class MovedFile:
    """The file `name` has text of another one. `starts` are the lines at which pieces of it begin there, in order.

    `offsets` say for each by how many lines it stands further down here.
    """

    name: str
    starts: tuple[int, ...] = (1,)
    offsets: tuple[int, ...] = (0,)

    def place(self, line: int, column: int) -> Place:
        """Where the text of a line of the other file stands in this one; line 0 is the file as a whole."""
        if not line:
            return Place(self.name)
        piece = max(0, bisect_right(self.starts, line) - 1)
        return Place(self.name, line + self.offsets[piece], column)


@dataclass(frozen=True, slots=True)
class MovedPlaces:
    """By name, the files whose places are meant for other files. Places in all other files are as they are."""

    files: Mapping[str, MovedFile]

    def shown(self, place: Place) -> Place:
        """The place that is meant."""
        file = self.files.get(place.file)
        return place if file is None else file.place(place.line, place.column)
