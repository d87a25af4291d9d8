"""Types with `fields`: structs of a version, and overrides of hub structs in hub.yaml."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, Part
from apigen.language.model import Located, SecondHubSpec, UnionSpec
from apigen.language.nodes import Node, Scalar
from apigen.language.readers.common import (
    DOC,
    HUB,
    IGNORE,
    LIFECYCLE,
    SECOND_HUB_NAME,
    TYPE_MERGE,
)
from apigen.language.readers.constraints import TYPE_CONSTRAINTS
from apigen.language.readers.defaults import PATH_DEFAULTS
from apigen.language.readers.fields import FIELDS, HUB_FIELDS
from apigen.language.readers.gates import GATE_RULES
from apigen.language.readers.lenses import HUB_ONLY, LENSES
from apigen.language.readers.tombstones import FIELD_TOMBSTONES, NUMBERS
from apigen.language.shapes import ByForm, ListOf, map_of, mapped
from apigen.language.words import PLAIN_FLAG, SOME_TEXTS, TEXT, TEXTS, Choice

_Member = tuple[Located[str] | None, Located[str]]

_Members = tuple[_Member, ...]
"""The value of `members:`; empty for all fields."""


def _have_values(members: _Members) -> bool:
    return any(value is not None for value, _ in members)


def _by_value(value: Scalar, field: Located[str], _: Context) -> _Member:
    return Located(value.text, value.place), field


def _with_values(members: _Members, node: Node, context: Context) -> _Members | None:
    if not members:
        context.error("AG0211", node.place, "a union without members")
    return members or None


MEMBERS = Key(
    "members",
    ByForm[_Members](
        "`all`, a list of fields, or a mapping of values of the discriminator to fields",
        scalar=mapped(Choice("all"), lambda *_: ()),
        mapping=mapped(map_of(TEXT, _by_value, "a mapping of values to fields"), _with_values),
        sequence=mapped(SOME_TEXTS, lambda fields, *_: tuple((None, field) for field in fields)),
    ),
    "The fields: `all`, a list, or by the value of the discriminator.",
    required=True,
)
DISCRIMINATOR = Key("discriminator", TEXT, "The field that selects the member.")
EMPTY = Key("empty", TEXTS, "Values of the discriminator that select no member.")
_KEYS = Keys(
    "union",
    "a union",
    (MEMBERS, DISCRIMINATOR, EMPTY, Key("optional", PLAIN_FLAG, "Whether all members may be unset.")),
)
_UNION = Part(UnionSpec, _KEYS.keys)


def _union(found: Found, node: Node, context: Context) -> UnionSpec | None:
    members = found.get(MEMBERS)
    if members is None or not _fits(found, members, context):
        return None
    return _UNION.of(found, place=node.place)


def _fits(found: Found, members: _Members, context: Context) -> bool:
    """Return whether there are values of the discriminator if and only if there is a discriminator."""
    if found.is_written(DISCRIMINATOR) and not _have_values(members):
        message = "a union with a `discriminator` has its members by value"
        context.error("AG0212", found.place_of(MEMBERS), message, hint="write `members: {Value: field}`")
        return False
    if _have_values(members) and not found.is_written(DISCRIMINATOR):
        message = "members by value need a `discriminator`"
        context.error("AG0212", found.place_of(MEMBERS), message, hint="without one, write `members: [field, …]`")
        return False
    if found.is_written(EMPTY) and not found.is_written(DISCRIMINATOR):
        context.error("AG0212", found.place_of(EMPTY), "`empty` needs a `discriminator`")
        return False
    return True


UNIONS = ListOf(mapped(_KEYS, _union), "a list of unions")
"""The `unions:` of a struct."""


FIELDS_KEY = Key("fields", FIELDS, "A struct: its fields, in the order of class and JSON.", required=True)
HUB_FIELDS_KEY = Key("fields", HUB_FIELDS, "Fields that only the hub has, or that differ there.")
UNIONS_KEY = Key("unions", UNIONS, "Unions: fields of which only one is set.")
TOMBSTONES = Key("tombstones", FIELD_TOMBSTONES, "Removed fields, whose names and numbers are reserved.")
RESERVED = Key("reserved", NUMBERS, "Numbers that are never assigned, because unknown fields had them: `[4, 9-11]`.")
DEFAULTS = Key("defaults", PATH_DEFAULTS, "Defaults by path, in the order of their application.")
LENSES_KEY = Key("lenses", LENSES, "Lenses by path, for this place of use only.")
HUB_ONLY_KEY = Key("hubOnly", HUB_ONLY, "Hub fields that this version does not have, by hub path.")


_SECOND_HUB = Part(SecondHubSpec, (LENSES_KEY, HUB_ONLY_KEY))


def _second_hub(name: Scalar, found: Found, context: Context) -> SecondHubSpec | None:
    hub = SECOND_HUB_NAME.read(name, context)
    return None if hub is None else _SECOND_HUB.of(found, hub=hub)


ALSO_HUB = Key(
    "alsoHub",
    map_of(
        Keys("alsoHub", "a second hub", _SECOND_HUB.keys),
        _second_hub,
        "a mapping of types of other hubs to how they are mapped",
    ),
    "Other hub types to which it is converted, too, each with its own `lenses` and `hubOnly`.",
)
GATES = Key("gates", GATE_RULES, "The paths that are dropped while a gate is disabled.")

_SHARED: KeySet = (DOC, UNIONS_KEY, *TYPE_CONSTRAINTS.keys, *TYPE_MERGE.keys, *LIFECYCLE.keys, IGNORE)

STRUCT_KEYS: KeySet = (FIELDS_KEY, *_SHARED, HUB, TOMBSTONES, RESERVED, DEFAULTS, LENSES_KEY, HUB_ONLY_KEY, ALSO_HUB)
HUB_STRUCT_KEYS: KeySet = (HUB_FIELDS_KEY, *_SHARED, GATES)

NOT_IN_VERSIONS = {GATES.name: "declare rules by path in hub.yaml"}
NOT_IN_HUB = {
    HUB.name: "this is the hub",
    TOMBSTONES.name: "hub objects are never encoded",
    RESERVED.name: "hub objects are never encoded",
    DEFAULTS.name: "defaults run in the versions, before conversion",
    LENSES_KEY.name: "declare lenses in the versions",
    HUB_ONLY_KEY.name: "declare lenses in the versions",
    ALSO_HUB.name: "declare lenses in the versions",
}
