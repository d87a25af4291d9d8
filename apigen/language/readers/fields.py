"""`fields:` of a struct, in a version and in hub.yaml."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.language.context import Context
from apigen.language.habits import habitual_enum
from apigen.language.keys import Found, Key, Keys, KeySet, Part
from apigen.language.model import FieldSpec, LensSpec
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.readers.common import (
    DOC,
    FEATURE_GATE,
    HUB_TYPE_NAME,
    IGNORE,
    MEMBER_LIFECYCLE,
    MERGE,
    PY_NAME,
)
from apigen.language.readers.constraints import INNER_CONSTRAINT_KEYS, OWN_CONSTRAINTS
from apigen.language.readers.defaults import DEFAULT_CASES
from apigen.language.readers.lenses import LENS, SNAPSHOT
from apigen.language.shapes import Mapped, map_of
from apigen.language.words import FLAG, LITERAL, PLAIN_FLAG, TEXT, TYPE, WHOLE

_PRESENCE: KeySet = (
    Key("nullable", PLAIN_FLAG, "The value may be `None`, which is written as `null`."),
    Key("optional", PLAIN_FLAG, "The value may be `None`, and is then omitted."),
    Key("omitEmpty", PLAIN_FLAG, "The field is omitted if it is zero or empty."),
)
_EVERYWHERE: KeySet = (
    DOC,
    *_PRESENCE,
    Key("required", FLAG, "Whether schemas require the field; by default if it is always written."),
    FEATURE_GATE,
    PY_NAME,
    Key(
        "inline",
        PLAIN_FLAG,
        "The fields of this struct belong to its parent, but to a message of their own in protobuf.",
    ),
    *OWN_CONSTRAINTS.keys,
    *INNER_CONSTRAINT_KEYS,
    *MERGE.keys,
    *MEMBER_LIFECYCLE.keys,
    IGNORE,
)
_TYPE_DOC = "The type: string, int32, []T, map[string]T, Type, group/version.Type …"
TYPE_KEY = Key("type", TYPE, _TYPE_DOC, required=True)
HUB_TYPE_KEY = Key("type", TYPE, _TYPE_DOC)
_ABSENT = Key("absent", LITERAL, "The hub value of `None` in a version.")
_IN_VERSIONS: KeySet = (
    Key("protobuf", WHOLE, "The protobuf field number; default: the next free one."),
    Key("protobufName", TEXT, "The name in the `.proto` file, if it differs from the JSON name."),
    Key("default", DEFAULT_CASES, "The default of an unset field."),
    Key("defaults", PLAIN_FLAG, "Whether a type of another release series is defaulted here (default: false)."),
    Key("hub", LENS, "The mapping to the hub, if the hub has no field of the same name."),
    Key(
        "hubType",
        HUB_TYPE_NAME,
        "The hub type of the struct at this field, if it differs from other fields.",
    ),
)

_FIELD = Keys(
    "field",
    "a field",
    (TYPE_KEY, *_EVERYWHERE, *_IN_VERSIONS, SNAPSHOT),
    exclusive=(_PRESENCE,),
    elsewhere={_ABSENT.name: "it belongs in hub.yaml, or below `hub:` of this field"},
    hint="write a field as `name: {type: string}`",
)
_HUB_FIELD = Keys(
    "hubField",
    "a field of the hub",
    (HUB_TYPE_KEY, _ABSENT, *_EVERYWHERE),
    exclusive=(_PRESENCE,),
    elsewhere={
        **dict.fromkeys(("protobuf", "protobufName"), "hub objects are never encoded"),
        **dict.fromkeys(("default", "defaults"), "defaults run in the versions, before conversion"),
        **dict.fromkeys(("hub", "hubType", SNAPSHOT.name), "this is the hub"),
    },
)


_FIELD_SPEC = Part(
    FieldSpec,
    (TYPE_KEY, _ABSENT, *_EVERYWHERE, *_IN_VERSIONS),
    constraints=OWN_CONSTRAINTS,
    merge=MERGE,
    lifecycle=MEMBER_LIFECYCLE,
)


def _version_field(name: Scalar, found: Found, context: Context) -> FieldSpec | None:
    """Return a field of a version, its lens with the `preserve` of the field."""
    field, snapshot = _FIELD_SPEC.named(name, found, context), found.get(SNAPSHOT)
    if field is None or snapshot is None:
        return field
    return replace(field, hub=replace(field.hub or LensSpec(name.place), preserve=snapshot))


def _hub_field(name: Scalar, found: Found, _: Context) -> FieldSpec | None:
    return None if found.is_bad(HUB_TYPE_KEY) else _FIELD_SPEC.of(found, name=name.text, place=name.place)


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
