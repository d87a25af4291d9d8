"""`tombstones:` of a struct, an enum or a group: removed names that are never reused. `reserved:` numbers of a struct."""

from __future__ import annotations

import re

from apigen.diagnostics.quoting import quote
from apigen.language.context import Context
from apigen.language.keys import Key, Keys, Part
from apigen.language.model import Located, NumberRange, Tombstone
from apigen.language.nodes import Node, Scalar
from apigen.language.shapes import Definitions, ListOf, Schema, Shape, map_of, mapped
from apigen.language.words import REASON, RELEASE, WHOLE

_PLAIN_RELEASE = mapped(RELEASE, lambda release, *_: release.value)
_PROTOBUF = Key("protobuf", WHOLE, "The protobuf number of the field.")
_REMOVED = Key("removed", _PLAIN_RELEASE, "The first release without the element.")
_REASON = Key(
    "reason", mapped(REASON, lambda reason, *_: reason.value), "The reason of the removal, and the replacement."
)
_MIGRATED = Key("migrated", _PLAIN_RELEASE, "The release since which no object is stored in the version.")


_tombstone = Part(Tombstone, (_PROTOBUF, _REMOVED, _REASON, _MIGRATED)).named

FIELD_TOMBSTONES = map_of(
    Keys("fieldTombstone", "a field's tombstone", (_PROTOBUF, _REMOVED, _REASON)),
    _tombstone,
    "a mapping of names of fields to their tombstones",
    owner=(),
)
"""The `tombstones:` of a struct."""

VALUE_TOMBSTONES = map_of(
    Keys(
        "valueTombstone",
        "a value's tombstone",
        (_REMOVED, _REASON),
        elsewhere={_PROTOBUF.name: "a value of an enum has no number"},
    ),
    _tombstone,
    "a mapping of values to their tombstones",
    owner=(),
)
"""The `tombstones:` of an enum."""


REMOVED_VERSIONS = Key(
    "versions",
    map_of(
        Keys("versionTombstone", "a version's tombstone", (_REMOVED, _MIGRATED, _REASON)),
        _tombstone,
        "a mapping of names of versions to their tombstones",
        owner=(),
    ),
    "Removed versions.",
)
REMOVED_KINDS = Key(
    "kinds",
    map_of(
        Keys(
            "kindTombstone",
            "a kind's tombstone",
            (_REMOVED, _REASON),
            elsewhere={_MIGRATED.name: "it belongs to a version"},
        ),
        _tombstone,
        "a mapping of names of kinds to their tombstones",
        owner=(),
    ),
    "Removed kinds.",
)
GROUP_TOMBSTONES = Keys("groupTombstones", "the tombstones of a group", (REMOVED_VERSIONS, REMOVED_KINDS))
"""The `tombstones:` of a group."""


class _NumbersShape(Shape[Located[NumberRange]]):
    """A number, or the first and the last of several: `4`, `9-11`."""

    expected = "a number, or two with a dash between them: `9-11`"
    _pattern = re.compile(r"([1-9][0-9]{0,9})(?:-([1-9][0-9]{0,9}))?")

    def read(self, node: Node, context: Context) -> Located[NumberRange] | None:
        if not isinstance(node, Scalar) or node.value is None or isinstance(node.value, bool | float):
            context.mismatch(node, self.expected)
            return None
        match = self._pattern.fullmatch(node.text)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first:
            context.error("AG0210", node.place, f"expected {self.expected}, found {quote(node.text)}")
            return None
        return Located(NumberRange(first, last), node.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"type": ["integer", "string"], "minimum": 1, "pattern": f"^{self._pattern.pattern}$"}


NUMBERS = ListOf(_NumbersShape(), "a list of numbers: `[4, 9-11]`", least=1)
"""The `reserved:` of a struct."""
