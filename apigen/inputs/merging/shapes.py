"""Who owns which key of a mapping: the source that is imported, or the person who edits the YAML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, StrEnum

from apigen.dataclass import dataclass, field
from apigen.inputs.merging.values import Value

Beside = Callable[[Mapping[str, object], Value], Value]
"""What is wanted of a key, given what is written next to it."""

Same = Callable[[object, Value], bool]
"""Whether what is written says the same as what is wanted."""


class Owner(Enum):
    """What happens to a key that is written with another value than the source says, if no import is recorded.

    If one is, FOLLOW, CORRECT and KEEP are alike: values without an edit since then follow the source.
    """

    FOLLOW = "follow"
    """The source is law: the value is replaced, and a key that the source does not want is removed."""

    CORRECT = "correct"
    """As FOLLOW, but what the source says nothing of stays."""

    KEEP = "keep"
    """The person's value stays and is noted; where nothing is written, the key is added."""

    ONCE = "once"
    """Written with a new entry; neither changed nor added later."""

    QUIET = "quiet"
    """As KEEP, and nothing is noted."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How one mapping is merged.

    Attributes:
        owners: the keys that the importer may write, in the order in which new ones are written. Others are the person's.
        children: keys whose values are mappings with a shape of their own.
        each: the shape of every value, of a mapping of names; its entries are the importer's to add and the person's
            to remove.
        union: the values of two of these keys exclude each other (the forms of a type): the one that is written stays.
        plainest: whole entries that give way to another form of the union.
        same: for keys whose values can be written in several ways.
        beside: for keys of which less is wanted where something else is written.
        stays_gone: what is no longer wanted in a mapping of names is not even noted.
    """

    owners: Mapping[str, Owner] = field(default_factory=dict)
    children: Mapping[str, Shape] = field(default_factory=dict)
    each: Shape | None = None
    union: tuple[str, ...] = ()
    plainest: tuple[Mapping[str, object], ...] = ()
    same: Mapping[str, Same] = field(default_factory=dict)
    beside: Mapping[str, Beside] = field(default_factory=dict)
    stays_gone: bool = False


class NoteKind(StrEnum):
    """What happened to an entry or key."""

    ADDED = "added"
    FOLLOWED = "followed"
    KEPT = "kept"
    REMOVED = "removed"
    NOT_WANTED = "not wanted"


@dataclass(frozen=True, slots=True)
class Note:
    """What happened at a path of keys. `line` and `column` count from 1 in the old text; 0 where nothing was there.

    `written` is the text that was there, `wanted` what the source says.
    """

    kind: NoteKind
    path: tuple[str, ...]
    line: int = 0
    column: int = 0
    written: str = ""
    wanted: str = ""
