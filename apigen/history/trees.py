"""Compute the change between two node trees of records, and apply a change to a tree.

A change is a tree of the same levels with only what differs; removed entries are `null`. Entries that are new are appended;
for another position, or if others have moved, an order names the entry before it. Levels are the depth to which records are
merged: entries below it are recorded as a whole if anything in them changed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import dataclass, field
from apigen.language.folders import FEATURES_FILE, GROUP_FILE, SUFFIX
from apigen.language.nodes import Entry, Mapping, Node, Scalar, Sequence

FUNCTIONS = "functions"
"""The section of a record with the hand-written functions."""

GROUPS = "groups"
"""The section of the spec folder's own records: the last record of each group, which binds all records together."""

ORDER = "order"
"""The section of a record with the positions of entries that were not appended."""


@dataclass(frozen=True, slots=True)
class Level:
    """A mapping whose entries are merged one by one; each entry is a level itself, or is recorded as a whole (None).

    `named` are the levels of some keys, `each` is that of all others. `is_ordered`: the order of its entries is
    significant; the order of keywords is not.
    """

    named: AbstractMapping[str, Level | None] = field(default_factory=dict)
    each: Level | None = None
    is_ordered: bool = True

    def inside(self, key: str) -> Level | None:
        """Return the level of an entry; None if it is recorded as a whole."""
        return self.named.get(key, self.each)


ENTRIES = Level()
KEYWORDS = Level(is_ordered=False)
TYPE = Level(
    dict.fromkeys(("fields", "enum", "tombstones", "defaults", "lenses", "hubOnly"), ENTRIES), is_ordered=False
)
TYPES = Level(each=TYPE)
GROUP = Level(
    {"versions": Level(each=KEYWORDS), "kinds": Level(each=KEYWORDS), "tombstones": Level(each=ENTRIES)},
    is_ordered=False,
)


@dataclass(frozen=True, slots=True)
class _Record(Level):
    """The content of a record, by the file of the spec folder that declares it."""

    def inside(self, key: str) -> Level | None:
        if is_types(key):
            return TYPES
        return GROUP if key == GROUP_FILE else ENTRIES


RECORD = _Record(is_ordered=False)


def is_types(section: str) -> bool:
    """Return whether a section of a record holds types: those of a version, or of hub.yaml."""
    return section.endswith(SUFFIX) and section not in (GROUP_FILE, FEATURES_FILE)


Keys = tuple[str, ...]
"""The keys on the path to a mapping."""

Moves = AbstractMapping[str, str | None]
"""Entry -> the entry before it; `None` for the first place."""

NOTHING = Mapping((), frozenset(), False, "", 0, 0)


@dataclass(slots=True)
class Change:
    """The change between two trees."""

    tree: Mapping = NOTHING
    order: dict[Keys, Moves] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Return whether nothing changes."""
        return not self.tree.entries and not self.order


def difference(old: Mapping, new: Mapping, level: Level) -> Change:
    """Return the change from `old` to `new`."""
    order: dict[Keys, Moves] = {}
    return Change(mapping(_changed(old, new, level, (), order)), order)


def merged(old: Mapping, change: Change, level: Level) -> Mapping:
    """Return the tree after a change is applied to `old`."""
    tree = _merged(old, change.tree, level)
    for path, moves in change.order.items():
        tree = _with_moves(tree, path, moves)
    return tree


def mapping(entries: Iterable[Entry], at: Mapping | None = None) -> Mapping:
    """Return a mapping of entries, at the place of `at`."""
    at = at or NOTHING
    return Mapping(tuple(entries), frozenset(), False, at.file, at.line, at.column)


def scalar(text: str | int | None) -> Scalar:
    """Return a scalar without a place."""
    return Scalar(text, "null" if text is None else str(text), not isinstance(text, str), "", 0, 0, 0)


def entry(key: str, value: Node) -> Entry:
    """Return an entry whose key has no place."""
    return Entry(scalar(key), value)


def child(node: Mapping, key: str) -> Node | None:
    """Return the value of a key."""
    return next((value for name, value in node.entries if name.text == key), None)


def branch(node: Mapping, *keys: str) -> Mapping:
    """Return the mapping at a path of keys, or an empty one."""
    for key in keys:
        found = child(node, key)
        if not isinstance(found, Mapping):
            return NOTHING
        node = found
    return node


def same(one: Node, other: Node) -> bool:
    """Return whether two nodes are equal, apart from their places."""
    match one, other:
        case Scalar(), Scalar():
            return one.text == other.text and type(one.value) is type(other.value)
        case Sequence(), Sequence():
            return len(one.items) == len(other.items) and all(map(same, one.items, other.items))
        case Mapping(), Mapping():
            return len(one.entries) == len(other.entries) and all(
                a.key.text == b.key.text and same(a.value, b.value)
                for a, b in zip(one.entries, other.entries, strict=True)
            )
    return False


def _changed(old: Mapping, new: Mapping, level: Level, path: Keys, order: dict[Keys, Moves]) -> list[Entry]:
    before, after = _by_key(old), _by_key(new)
    changed: list[Entry] = []
    for key, written in after.items():
        known = before.get(key)
        if known is None:
            changed.append(written)
            continue
        inner = level.inside(key)
        if inner is not None and isinstance(known.value, Mapping) and isinstance(written.value, Mapping):
            entries = _changed(known.value, written.value, inner, (*path, key), order)
            if entries:
                changed.append(Entry(written.key, mapping(entries)))
        elif not same(known.value, written.value):
            changed.append(written)
    changed += (entry(key, scalar(None)) for key in before if key not in after)
    appended = [*(key for key in before if key in after), *(key for key in after if key not in before)]
    if level.is_ordered and appended != list(after):
        order[path] = _moves(appended, list(after))
    return changed


def _merged(old: Mapping, change: Mapping, level: Level) -> Mapping:
    entries = _by_key(old)
    for written in change.entries:
        key = written.key.text
        known, inner = entries.get(key), level.inside(key)
        old_value, value = None if known is None else known.value, written.value
        if isinstance(value, Scalar) and value.value is None:
            entries.pop(key, None)
        elif known is not None and inner is not None and isinstance(old_value, Mapping) and isinstance(value, Mapping):
            entries[key] = Entry(known.key, _merged(old_value, value, inner))
        else:
            entries[key] = written
    return mapping(entries.values(), old if old.entries else change)


def _with_moves(node: Mapping, path: Keys, moves: Moves) -> Mapping:
    entries = _by_key(node)
    if not path:
        return mapping((entries[key] for key in _moved(list(entries), moves)), node)
    found = entries.get(path[0])
    if found is not None and isinstance(found.value, Mapping):
        entries[path[0]] = Entry(found.key, _with_moves(found.value, path[1:], moves))
    return mapping(entries.values(), node)


def _by_key(node: Mapping) -> dict[str, Entry]:
    return {entry.key.text: entry for entry in node.entries}


def _moves(keys: list[str], target: list[str]) -> Moves:
    """Return the smallest set of moves that changes the order of `keys` to `target`, in the order of the moves."""
    position = {key: number for number, key in enumerate(keys)}
    staying = _longest_rising(target, position)
    return {key: before for before, key in zip([None, *target], target, strict=False) if key not in staying}


def _moved(keys: list[str], moves: Moves) -> list[str]:
    """Return the keys with moved ones after their predecessors; in linear time, because records are not trusted."""
    present = dict.fromkeys(keys)
    behind: dict[str | None, list[str]] = {}
    for key, before in moves.items():
        if key in present:
            behind.setdefault(before if before in present else None, []).append(key)
    moved: dict[str, None] = {}
    for start in [None, *(key for key in keys if key not in moves), *keys]:
        waiting = [start]
        while waiting:
            at = waiting.pop()
            if at is not None:
                moved.setdefault(at)
            waiting += behind.pop(at, ())
    return list(moved)


def _longest_rising(target: list[str], position: AbstractMapping[str, int]) -> set[str]:
    """Return the longest subsequence of `target` with increasing positions."""
    ends: list[int] = []  # the lowest position at which an increasing subsequence of each length ends
    last: list[str] = []
    before: dict[str, str | None] = {}
    for key in target:
        at = bisect_left(ends, position[key])
        before[key] = last[at - 1] if at else None
        ends[at : at + 1] = [position[key]]
        last[at : at + 1] = [key]
    staying: set[str] = set()
    following = last[-1] if last else None
    while following is not None:
        staying.add(following)
        following = before[following]
    return staying
