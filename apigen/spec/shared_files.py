"""What was read of the files of one side of a comparison, for the other side: most of what it says is the same text.

A file with the same text is not read again, and of a version's file those types are not that have the same text. Both sides
then share what was made of them, down to their places, which are those of the first side: `moved` tells which places of the
second side they stand for. What is wrong with a file is found, and told, as if nothing were shared.
"""

from __future__ import annotations

from typing import TypeVar

from apigen.dataclass import dataclass
from apigen.diagnostics.moved_places import MovedFile, MovedPlaces
from apigen.spec.broken import Name
from apigen.spec.context import Context
from apigen.spec.mixing import mixed
from apigen.spec.model import VersionFile
from apigen.spec.read_before import Make
from apigen.spec.source import SourceFile

T = TypeVar("T")

_Key = tuple[str, Name, str]


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read without a word: how it is shown, its text, and what it says."""

    name: str
    text: str
    value: object


class SharedFiles:
    """The files of one side; with `first`, those of the second, which takes what it can from that one."""

    def __init__(self, first: SharedFiles | None = None) -> None:
        self._first = first
        self._read: dict[_Key, list[_Read]] = {}
        self._moved: dict[str, MovedFile] = {}
        self._seen: set[str] = set()

    @property
    def moved(self) -> MovedPlaces:
        """Which places of this side the places of the other one stand for that it has taken over."""
        return MovedPlaces(self._moved)

    @property
    def is_ambiguous(self) -> bool:
        """Whether a file of the other side whose places stand for those of another file is part of this side, too."""
        return not self._seen.isdisjoint(self._moved)

    def value(self, class_: type[T], file: SourceFile, context: Context, make: Make[T]) -> T | None:
        """What `make` makes of a file that belongs to what `context` is of, or what was made of the same on the other side."""
        key = class_.__name__, context.owner, file.path.name
        self._seen.add(file.name)
        if self._first is not None:
            for read in self._first._read.get(key, ()):
                found = self._taken(read, class_, file, context, make)
                if found is not None:
                    return found
        before = context.report.told
        made = make(file, context)
        if self._first is None and made is not None and context.report.told == before:
            self._read.setdefault(key, []).append(_Read(file.name, file.text, made))
        return made

    def _taken(self, read: _Read, class_: type[T], file: SourceFile, context: Context, make: Make[T]) -> T | None:
        """What a file of the other side and this one have in common; None where they have nothing, or this one is broken."""
        if read.name == file.name:
            return read.value if read.text == file.text and isinstance(read.value, class_) else None
        if read.name in self._moved:
            return None
        if read.text == file.text and isinstance(read.value, class_):
            self._moved[read.name] = MovedFile(file.name)
            return read.value
        if not isinstance(read.value, VersionFile):
            return None
        found = mixed(read.text, read.value, file, context, make)
        if found is None or not isinstance(found.version, class_):
            return None
        self._moved[read.name] = found.moved
        return found.version
