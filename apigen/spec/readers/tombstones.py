"""`tombstones:` of a struct or an enum: what is gone and never comes back."""

from __future__ import annotations

from apigen.spec.context import Context
from apigen.spec.keys import Found, Key, Keys
from apigen.spec.model import TombstoneSpec
from apigen.spec.nodes import Scalar
from apigen.spec.shapes import map_of
from apigen.spec.words import REASON, RELEASE, WHOLE

_PROTOBUF = Key("protobuf", WHOLE, "The number that it had.")
_REMOVED = Key("removed", RELEASE, "The first release without it.")
_REASON = Key("reason", REASON, "Why it went, and what took its place.")


def _tombstone(name: Scalar, found: Found, _: Context) -> TombstoneSpec:
    return TombstoneSpec(
        name=name.text,
        place=name.place,
        protobuf=found.get(_PROTOBUF),
        removed=found.get(_REMOVED),
        reason=found.get(_REASON),
    )


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
