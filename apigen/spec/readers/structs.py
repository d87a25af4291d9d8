"""Types with `fields`: structs of a version, and what hub.yaml says of structs of the hub."""

from __future__ import annotations

from apigen.spec.context import Context
from apigen.spec.keys import Found, Key, Keys, KeySet
from apigen.spec.model import SecondHubSpec, TypeForm, TypeSpec
from apigen.spec.nodes import Scalar
from apigen.spec.readers.common import (
    DOC,
    HUB,
    IGNORE,
    LIFECYCLE_KEYS,
    SECOND_HUB_NAME,
    TYPE_MERGE_KEYS,
    lifecycle,
    merging,
)
from apigen.spec.readers.constraints import TYPE_CONSTRAINT_KEYS, constraints
from apigen.spec.readers.defaults import PATH_DEFAULTS
from apigen.spec.readers.fields import FIELDS, HUB_FIELDS
from apigen.spec.readers.gates import GATE_RULES
from apigen.spec.readers.lenses import HUB_ONLY, LENSES
from apigen.spec.readers.tombstones import FIELD_TOMBSTONES, NUMBERS
from apigen.spec.readers.unions import UNIONS
from apigen.spec.shapes import map_of

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
