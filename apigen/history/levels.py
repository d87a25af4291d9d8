"""The depth to which records are merged: entries below it are recorded as a whole if anything in them changed."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.dataclass import dataclass, field
from apigen.language.folders import FEATURES_FILE, GROUP_FILE, SUFFIX

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

    named: Mapping[str, Level | None] = field(default_factory=dict)
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
