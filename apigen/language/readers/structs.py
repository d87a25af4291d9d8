"""Types with `fields`: structs of a version, and what hub.yaml says of structs of the hub."""

from __future__ import annotations

from apigen.dataclass import dataclass
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet
from apigen.language.model import Located, SecondHubSpec, TypeForm, TypeSpec, UnionSpec
from apigen.language.nodes import Node, Scalar
from apigen.language.readers.common import (
    DOC,
    HUB,
    IGNORE,
    LIFECYCLE_KEYS,
    SECOND_HUB_NAME,
    TYPE_MERGE_KEYS,
    lifecycle,
    merging,
)
from apigen.language.readers.constraints import TYPE_CONSTRAINT_KEYS, constraints
from apigen.language.readers.defaults import PATH_DEFAULTS
from apigen.language.readers.fields import FIELDS, HUB_FIELDS
from apigen.language.readers.gates import GATE_RULES
from apigen.language.readers.lenses import HUB_ONLY, LENSES
from apigen.language.readers.tombstones import FIELD_TOMBSTONES, NUMBERS
from apigen.language.shapes import ByForm, ListOf, made, map_of
from apigen.language.words import FLAG, SOME_TEXTS, TEXT, TEXTS, Choice

_Member = tuple[Located[str] | None, Located[str]]


@dataclass(frozen=True, slots=True)
class _Members:
    """What stands at `members:`; none listed means all fields."""

    listed: tuple[_Member, ...] = ()

    @property
    def have_values(self) -> bool:
        return any(value is not None for value, _ in self.listed)


def _by_value(value: Scalar, field: Located[str], _: Context) -> _Member:
    return Located(value.text, value.place), field


def _with_values(members: tuple[_Member, ...], node: Node, context: Context) -> _Members | None:
    if not members:
        context.error("AG0211", node.place, "a union without members")
        return None
    return _Members(members)


def _without_values(fields: tuple[Located[str], ...], *_: object) -> _Members:
    return _Members(tuple((None, field) for field in fields))


def _all(*_: object) -> _Members:
    return _Members()


MEMBERS = Key(
    "members",
    ByForm(
        "`all`, a list of fields, or a mapping of values of the discriminator to fields",
        scalar=made(Choice("all"), _all),
        mapping=made(map_of(TEXT, _by_value, "a mapping of values to fields"), _with_values),
        sequence=made(SOME_TEXTS, _without_values),
    ),
    "The fields: `all`, a list, or by the value of the discriminator.",
    required=True,
)
DISCRIMINATOR = Key("discriminator", TEXT, "The field that says which member is set.")
EMPTY = Key("empty", TEXTS, "Values of the discriminator that go with no member.")
OPTIONAL = Key("optional", FLAG, "None of the members may be set.")

_KEYS = Keys("union", "a union", (MEMBERS, DISCRIMINATOR, EMPTY, OPTIONAL))


def _union(found: Found, node: Node, context: Context) -> UnionSpec | None:
    members = found.get(MEMBERS)
    if members is None or not _fits(found, members, context):
        return None
    return UnionSpec(
        place=node.place,
        all_members=not members.listed,
        members=members.listed,
        discriminator=found.get(DISCRIMINATOR),
        empty=found.some(EMPTY),
        optional=found.is_on(OPTIONAL),
    )


def _fits(found: Found, members: _Members, context: Context) -> bool:
    """Whether there are values of the discriminator if and only if there is a discriminator."""
    if found.is_written(DISCRIMINATOR) and not members.have_values:
        message = "a union with a `discriminator` has its members by value"
        context.error("AG0212", found.place_of(MEMBERS), message, hint="write `members: {Value: field}`")
        return False
    if members.have_values and not found.is_written(DISCRIMINATOR):
        message = "members by value need a `discriminator`"
        context.error("AG0212", found.place_of(MEMBERS), message, hint="without one, write `members: [field, …]`")
        return False
    if found.is_written(EMPTY) and not found.is_written(DISCRIMINATOR):
        context.error("AG0212", found.place_of(EMPTY), "`empty` needs a `discriminator`")
        return False
    return True


UNIONS = ListOf(made(_KEYS, _union), "a list of unions")
"""The `unions:` of a struct."""


FIELDS_KEY = Key("fields", FIELDS, "A struct: its fields, in the order of class and JSON.", required=True)
HUB_FIELDS_KEY = Key("fields", HUB_FIELDS, "Fields that the hub's struct has besides, or that differ there.")
UNIONS_KEY = Key("unions", UNIONS, "Fields of which one is set.")
TOMBSTONES = Key("tombstones", FIELD_TOMBSTONES, "Fields that are gone: names and numbers that never return.")
RESERVED = Key("reserved", NUMBERS, "Numbers that nobody gets, though it is not known who had them: `[4, 9-11]`.")
DEFAULTS = Key("defaults", PATH_DEFAULTS, "Defaults by path, in the order in which they run.")
LENSES_KEY = Key("lenses", LENSES, "Lenses by path, for this place of use only.")
HUB_ONLY_KEY = Key("hubOnly", HUB_ONLY, "What this version has no field for, by path of the hub.")


def _second_hub(name: Scalar, found: Found, context: Context) -> SecondHubSpec | None:
    hub = SECOND_HUB_NAME.read(name, context)
    if hub is None:
        return None
    return SecondHubSpec(hub, lenses=found.some(LENSES_KEY), hub_only=found.some(HUB_ONLY_KEY))


_SECOND_HUB = Keys("alsoHub", "a second hub", (LENSES_KEY, HUB_ONLY_KEY))
ALSO_HUB = Key(
    "alsoHub",
    map_of(_SECOND_HUB, _second_hub, "a mapping of types of other hubs to how they are mapped"),
    "Types of other hubs that it is seen as too: each with `lenses` and `hubOnly` of its own.",
)
GATES = Key("gates", GATE_RULES, "What is dropped, by path, while a gate is off.")

_SHARED: KeySet = (DOC, UNIONS_KEY, *TYPE_CONSTRAINT_KEYS, *TYPE_MERGE_KEYS, *LIFECYCLE_KEYS, IGNORE)

STRUCT_KEYS: KeySet = (FIELDS_KEY, *_SHARED, HUB, TOMBSTONES, RESERVED, DEFAULTS, LENSES_KEY, HUB_ONLY_KEY, ALSO_HUB)
HUB_STRUCT_KEYS: KeySet = (HUB_FIELDS_KEY, *_SHARED, GATES)

NOT_IN_VERSIONS = {GATES.name: "rules by path belong in hub.yaml"}
NOT_IN_HUB = {
    HUB.name: "this is the hub",
    TOMBSTONES.name: "the hub is never on the wire",
    RESERVED.name: "the hub is never on the wire",
    DEFAULTS.name: "defaults run in the versions, before conversion",
    LENSES_KEY.name: "lenses stand in the versions",
    HUB_ONLY_KEY.name: "lenses stand in the versions",
    ALSO_HUB.name: "lenses stand in the versions",
}


def struct(name: Scalar, found: Found) -> TypeSpec:
    """A struct of a version."""
    return _struct(name, found, TypeForm.STRUCT)


def hub_struct(name: Scalar, found: Found) -> TypeSpec:
    """What hub.yaml says of a struct: with fields of its own, or only of those that it has anyway."""
    return _struct(name, found, TypeForm.STRUCT if found.is_written(HUB_FIELDS_KEY) else TypeForm.OVERRIDE)


def _struct(name: Scalar, found: Found, form: TypeForm) -> TypeSpec:
    return TypeSpec(
        name=name.text,
        place=name.place,
        form=form,
        doc=found.get(DOC),
        fields=found.some(FIELDS_KEY),
        tombstones=found.some(TOMBSTONES),
        reserved=found.some(RESERVED),
        unions=found.some(UNIONS_KEY),
        defaults=found.some(DEFAULTS),
        lenses=found.some(LENSES_KEY),
        hub_only=found.some(HUB_ONLY_KEY),
        also_hub=found.some(ALSO_HUB),
        gates=found.some(GATES),
        hub=found.get(HUB),
        constraints=constraints(found),
        merge=merging(found),
        lifecycle=lifecycle(found),
        ignore=found.some(IGNORE),
    )
