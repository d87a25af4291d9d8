"""`fields:` of a struct, in a version and in hub.yaml."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.language.context import Context
from apigen.language.habits import habitual_enum
from apigen.language.keys import Found, Key, Keys, KeySet, names_of
from apigen.language.model import FieldSpec, LensSpec, TypeExpr
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.readers.common import (
    DOC,
    FEATURE_GATE,
    HUB_TYPE_NAME,
    IGNORE,
    MEMBER_LIFECYCLE_KEYS,
    MERGE_KEYS,
    PY_NAME,
    lifecycle,
    merging,
)
from apigen.language.readers.constraints import (
    INNER_CONSTRAINT_KEYS,
    ITEMS,
    KEYS,
    OWN_CONSTRAINT_KEYS,
    VALUES,
    constraints,
    inner_constraints,
)
from apigen.language.readers.defaults import DEFAULT_CASES
from apigen.language.readers.lenses import LENS, SNAPSHOT
from apigen.language.shapes import Mapped, map_of
from apigen.language.words import FLAG, LITERAL, TEXT, TYPE, WHOLE

NULLABLE = Key("nullable", FLAG, "The value may be `None`, which is written as `null`.")
OPTIONAL = Key("optional", FLAG, "The value may be `None`, and is then omitted.")
OMIT_EMPTY = Key("omitEmpty", FLAG, "The field is omitted if it is zero or empty.")
REQUIRED = Key("required", FLAG, "Whether schemas require the field; by default if it is always written.")

_TYPE_DOC = "The type: string, int32, []T, map[string]T, Type, group/version.Type …"
TYPE_KEY = Key("type", TYPE, _TYPE_DOC, required=True)
HUB_TYPE_KEY = Key("type", TYPE, _TYPE_DOC)
INLINE = Key(
    "inline", FLAG, "The fields of this struct belong to its parent, but to a message of their own in protobuf."
)
PROTOBUF = Key("protobuf", WHOLE, "The protobuf field number; default: the next free one.")
PROTOBUF_NAME = Key("protobufName", TEXT, "The name in the `.proto` file, if it differs from the JSON name.")
DEFAULT = Key("default", DEFAULT_CASES, "The default of an unset field.")
HUB = Key("hub", LENS, "The mapping to the hub, if the hub has no field of the same name.")
HUB_TYPE = Key("hubType", HUB_TYPE_NAME, "The hub type of the struct at this field, if it differs from other fields.")
DEFAULTS = Key("defaults", FLAG, "Whether a type of another release series is defaulted here (default: false).")
ABSENT = Key("absent", LITERAL, "The hub value of `None` in a version.")

_EVERYWHERE: KeySet = (
    DOC,
    NULLABLE,
    OPTIONAL,
    OMIT_EMPTY,
    REQUIRED,
    FEATURE_GATE,
    PY_NAME,
    INLINE,
    *OWN_CONSTRAINT_KEYS,
    *INNER_CONSTRAINT_KEYS,
    *MERGE_KEYS,
    *MEMBER_LIFECYCLE_KEYS,
    IGNORE,
)
_PRESENCE: KeySet = (NULLABLE, OPTIONAL, OMIT_EMPTY)
_NEVER_WRITTEN = "hub objects are never encoded"

_FIELD = Keys(
    "field",
    "a field",
    (TYPE_KEY, *_EVERYWHERE, PROTOBUF, PROTOBUF_NAME, DEFAULT, DEFAULTS, HUB, HUB_TYPE, SNAPSHOT),
    exclusive=(_PRESENCE,),
    elsewhere={ABSENT.name: "it belongs in hub.yaml, or below `hub:` of this field"},
    hint="write a field as `name: {type: string}`",
)
_HUB_FIELD = Keys(
    "hubField",
    "a field of the hub",
    (HUB_TYPE_KEY, ABSENT, *_EVERYWHERE),
    exclusive=(_PRESENCE,),
    elsewhere={
        PROTOBUF.name: _NEVER_WRITTEN,
        PROTOBUF_NAME.name: _NEVER_WRITTEN,
        DEFAULT.name: "defaults run in the versions, before conversion",
        DEFAULTS.name: "defaults run in the versions, before conversion",
        HUB.name: "this is the hub",
        HUB_TYPE.name: "this is the hub",
        SNAPSHOT.name: "this is the hub",
    },
)


_OFTEN = names_of((TYPE_KEY, DOC, OPTIONAL, OMIT_EMPTY, REQUIRED, PROTOBUF))
"""Keys of most fields; most fields have no others."""


def _field(name: Scalar, found: Found, type_: TypeExpr | None) -> FieldSpec:
    doc, required, protobuf = found.get(DOC), found.get(REQUIRED), found.get(PROTOBUF)
    optional, omit_empty = found.is_true(OPTIONAL), found.is_true(OMIT_EMPTY)
    if found.has_only(_OFTEN):
        return FieldSpec(
            name.text,
            name.place,
            type_,
            doc,
            optional=optional,
            omit_empty=omit_empty,
            required=required,
            protobuf=protobuf,
        )
    return FieldSpec(
        name=name.text,
        place=name.place,
        type=type_,
        doc=doc,
        nullable=found.is_true(NULLABLE),
        optional=optional,
        omit_empty=omit_empty,
        inline=found.is_true(INLINE),
        required=required,
        protobuf=protobuf,
        protobuf_name=found.get(PROTOBUF_NAME),
        py_name=found.get(PY_NAME),
        default=found.some(DEFAULT),
        defaults=found.is_true(DEFAULTS),
        hub=_lens(name, found),
        hub_type=found.get(HUB_TYPE),
        absent=found.get(ABSENT),
        feature_gate=found.get(FEATURE_GATE),
        constraints=constraints(found),
        item_constraints=inner_constraints(found, ITEMS),
        key_constraints=inner_constraints(found, KEYS),
        value_constraints=inner_constraints(found, VALUES),
        merge=merging(found),
        lifecycle=lifecycle(found),
        ignore=found.some(IGNORE),
    )


def _lens(name: Scalar, found: Found) -> LensSpec | None:
    """The lens of a field, with the `preserve` of the field."""
    lens, snapshot = found.get(HUB), found.get(SNAPSHOT)
    return lens if snapshot is None else replace(lens or LensSpec(name.place), preserve=snapshot)


def _version_field(name: Scalar, found: Found, _: Context) -> FieldSpec | None:
    type_ = found.get(TYPE_KEY)
    return None if type_ is None else _field(name, found, type_)


def _hub_field(name: Scalar, found: Found, _: Context) -> FieldSpec | None:
    return None if found.is_bad(HUB_TYPE_KEY) else _field(name, found, found.get(HUB_TYPE_KEY))


def _read_field(node: Node, context: Context) -> Found | None:
    """Read the keys of a field. An enum in place of its type is one error, which declares it as a type."""
    if isinstance(node, Mapping):
        hint = habitual_enum(context.owner[-1], node.entries)
        if hint is not None:
            context.error("AG0207", node.place, "an enum is declared as a type, not in a field", hint=hint)
            return None
    return _FIELD.read(node, context)


_EXPECTED = "a mapping of names to fields"

FIELDS = map_of(Mapped(_FIELD, _read_field), _version_field, _EXPECTED, owner=())
"""The `fields:` of a struct of a version."""

HUB_FIELDS = map_of(_HUB_FIELD, _hub_field, _EXPECTED, owner=())
"""The `fields:` of a struct of hub.yaml."""
