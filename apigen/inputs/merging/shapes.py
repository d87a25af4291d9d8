"""Who owns which key of a mapping: the source that is imported, or the person who edits the YAML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum

from apigen.dataclass import dataclass, field
from apigen.inputs.merging.values import Value

Adapt = Callable[[Mapping[str, object], Value], Value]
"""Returns the wanted value of a key, given the existing entries next to it."""

Same = Callable[[object, Value], bool]
"""Whether what is written says the same as what is wanted."""


class Owner(Enum):
    """The treatment of a key whose value differs from that of the source, if no import is recorded.

    After a recorded import, FOLLOW, CORRECT and KEEP are equal: values without an edit since then follow the source.
    """

    FOLLOW = "follow"
    """The value is replaced by that of the source, and a key that the source does not have is removed."""

    CORRECT = "correct"
    """As FOLLOW, but a key that the source does not have is kept."""

    KEEP = "keep"
    """The person's value stays and is noted; where nothing is written, the key is added."""

    ONCE = "once"
    """Written with a new entry; neither changed nor added later."""

    QUIET = "quiet"
    """As KEEP, without a note."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The merge rules of one mapping.

    Attributes:
        owners: the keys that the importer may write, in the order in which new ones are written. Others are the person's.
        children: keys whose values are mappings with a shape of their own.
        each: the shape of every value, of a mapping of names; its entries are the importer's to add and the person's
            to remove.
        union: the values of two of these keys exclude each other (the forms of a type): the one that is written stays.
        plainest: whole entries that give way to another form of the union.
        same: for keys whose values can be written in several ways.
        adapted: for keys whose value depends on the other keys of the mapping.
        stays_gone: entries of a mapping of names that are no longer wanted are not noted.
    """

    owners: Mapping[str, Owner] = field(default_factory=dict)
    children: Mapping[str, Shape] = field(default_factory=dict)
    each: Shape | None = None
    union: tuple[str, ...] = ()
    plainest: tuple[Mapping[str, object], ...] = ()
    same: Mapping[str, Same] = field(default_factory=dict)
    adapted: Mapping[str, Adapt] = field(default_factory=dict)
    stays_gone: bool = False


class NoteKind(StrEnum):
    """The kinds of notes about an entry or key."""

    ADDED = "added"
    FOLLOWED = "followed"
    KEPT = "kept"
    REMOVED = "removed"
    NOT_WANTED = "not wanted"


@dataclass(frozen=True, slots=True)
class Note:
    """A change or difference at a path of keys. `line` and `column` count from 1 in the old text; 0 for a new entry.

    `written` is the existing text, `wanted` the value of the source.
    """

    kind: NoteKind
    path: tuple[str, ...]
    line: int = 0
    column: int = 0
    written: str = ""
    wanted: str = ""
