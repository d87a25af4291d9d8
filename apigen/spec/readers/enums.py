"""Types with `enum`."""

from __future__ import annotations

from apigen.spec.context import Context
from apigen.spec.keys import Found, Key, Keys, KeySet
from apigen.spec.model import EnumValueSpec, TypeForm, TypeSpec
from apigen.spec.nodes import Scalar
from apigen.spec.readers.common import (
    DOC,
    FEATURE_GATE,
    HUB,
    IGNORE,
    LIFECYCLE_KEYS,
    MEMBER_LIFECYCLE_KEYS,
    PY_NAME,
    lifecycle,
)
from apigen.spec.readers.tombstones import VALUE_TOMBSTONES
from apigen.spec.shapes import map_of
from apigen.spec.words import FLAG, RELEASE, TEXT


def _value(name: Scalar, found: Found, _: Context) -> EnumValueSpec:
    return EnumValueSpec(
        name=name.text,
        place=name.place,
        doc=found.get(DOC),
        feature_gate=found.get(FEATURE_GATE),
        lifecycle=lifecycle(found),
        tolerated=found.get(TOLERATED),
        py_name=found.get(PY_NAME),
    )


TOLERATED = Key(
    "tolerated",
    RELEASE,
    "The release from which on objects that have it may keep it; from `introduced` on every object may have it.",
)
_VALUE = Keys(
    "enumValue",
    "a value",
    (DOC, FEATURE_GATE, TOLERATED, *MEMBER_LIFECYCLE_KEYS, PY_NAME),
    exclusive=((FEATURE_GATE, TOLERATED),),
)

ENUM = Key("enum", map_of(_VALUE, _value, "a mapping of values", owner=()), "An enum: its values.", required=True)
UNKNOWN = Key("unknown", TEXT, "The value that a client takes for one that it does not know.")
OPEN = Key(
    "open", FLAG, "`true`: the values are known ones, any other text is as good. `false`: no value will ever be added."
)
TOMBSTONES = Key("tombstones", VALUE_TOMBSTONES, "Values that are gone and never return.")

ENUM_KEYS: KeySet = (ENUM, OPEN, DOC, HUB, UNKNOWN, TOMBSTONES, *LIFECYCLE_KEYS, IGNORE)

ENUM_EXCLUSIVE: tuple[KeySet, ...] = ((OPEN, UNKNOWN),)
"""What any text is good for has no value that the others count as."""


def enum(name: Scalar, found: Found) -> TypeSpec:
    """An enum."""
    return TypeSpec(
        name=name.text,
        place=name.place,
        form=TypeForm.ENUM,
        doc=found.get(DOC),
        hub=found.get(HUB),
        values=found.some(ENUM),
        value_tombstones=found.some(TOMBSTONES),
        unknown=found.get(UNKNOWN),
        open=found.is_on(OPEN),
        closed=found.is_written(OPEN) and not found.is_on(OPEN),
        lifecycle=lifecycle(found),
        ignore=found.some(IGNORE),
    )
