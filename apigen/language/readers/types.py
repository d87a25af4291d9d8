"""Version files and hub.yaml with their types: structs with their fields, enums and aliases. The table of keys of a type follows
from `fields`, `enum` or `is`. Removed names have tombstones, which are never reused; `reserved:` are numbers of a struct.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import replace
from apigen.diagnostics.quoting import quote
from apigen.language.habits import habitual_enum
from apigen.language.model import (
    EnumValueSpec,
    FieldSpec,
    LensSpec,
    LifecycleSpec,
    Located,
    MergeSpec,
    NumberRange,
    SecondHubSpec,
    Tombstone,
    TypeForm,
    TypeSpec,
    UnionSpec,
)
from apigen.language.nodes import Context, Mapping, Node, Scalar
from apigen.language.readers.values import (
    DEFAULT_CASES,
    GATE_MARK,
    GATE_RULES,
    HUB_ONLY,
    INNER_CONSTRAINT_KEYS,
    LENS,
    LENSES,
    OWN_CONSTRAINTS,
    PATH_DEFAULTS,
    SNAPSHOT,
    TYPE_CONSTRAINTS,
)
from apigen.language.shapes import (
    FLAG,
    LITERAL,
    PLAIN_FLAG,
    REASON,
    RELEASE,
    SOME_TEXTS,
    TEXT,
    TEXTS,
    TYPE,
    WHOLE,
    ByForm,
    Definitions,
    Found,
    Key,
    Keys,
    KeySet,
    ListOf,
    Mapped,
    Part,
    Schema,
    Shape,
    Word,
    choice,
    map_of,
    mapped,
    text_shape,
)


def _suppressed(code: Scalar, reason: Located[str], _: Context) -> tuple[Located[str], Located[str]]:
    return Located(code.text, code.place), reason


HUB_TYPE_NAME = text_shape(
    "the name of a type of the hub, such as `Frobber` or `apps/hub.Deployment`",
    r"(?:[A-Za-z0-9][A-Za-z0-9.-]*/hub\.)?[A-Za-z_][A-Za-z0-9_]*",
)
"""The reference of a type or kind to its hub type."""

SECOND_HUB_NAME = text_shape(
    "a type of another group's hub, such as `apps/hub.ReplicaSet`",
    r"[A-Za-z0-9][A-Za-z0-9.-]*/hub\.[A-Za-z_][A-Za-z0-9_]*",
)
"""The reference of a type to a type in a second hub."""

DOC = Key("doc", TEXT, "The description; the first sentence is the summary.")
PY_NAME = Key("pyName", TEXT, "The name in Python, if it differs from the derived one.")
OWN_HUB = Key("hub", HUB_TYPE_NAME, "The type in the hub, if it has another name or group.")
FEATURE_GATE = Key("featureGate", GATE_MARK, "The feature gate of the element.")
IGNORE = Key(
    "ignore",
    map_of(REASON, _suppressed, "a mapping of codes to reasons"),
    "Suppressed findings: the code of each, with the reason.",
)


LIFECYCLE = Part(
    LifecycleSpec,
    (
        Key("introduced", RELEASE, "The first release with the element."),
        Key("deprecated", RELEASE, "The release that deprecates the element."),
        Key("removed", RELEASE, "The first release without the element."),
        Key("replacement", TEXT, "The replacement: a version, or group/version.Kind."),
    ),
)
MEMBER_LIFECYCLE = Part(
    LifecycleSpec, (*LIFECYCLE.keys, Key("returned", RELEASE, "The release that restored the element, unchanged."))
)
"""The lifecycle of a field or an enum value."""

TYPE_MERGE = Part(
    MergeSpec,
    (
        Key("listType", choice("atomic", "set", "map"), "How server-side apply merges the list."),
        Key("listMapKeys", SOME_TEXTS, "The keys of a list map: the fields that identify an element."),
        Key("mapType", choice("atomic", "granular"), "How server-side apply merges the map."),
        Key("structType", choice("atomic", "granular"), "How server-side apply merges the struct."),
    ),
)
MERGE = Part(
    MergeSpec,
    (
        *TYPE_MERGE.keys,
        Key("patchStrategy", TEXT, "How a strategic merge patch treats the field."),
        Key("patchMergeKey", TEXT, "The field that identifies elements in a strategic merge patch."),
    ),
)
"""The merge strategy of a field."""


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


_NUMBERS_PATTERN = r"([1-9][0-9]{0,9})(?:-([1-9][0-9]{0,9}))?"


def _numbers(node: Scalar, context: Context) -> Located[NumberRange] | None:
    match = re.fullmatch(_NUMBERS_PATTERN, node.text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if last < first:
        context.error("AG0210", node.place, f"expected {_NUMBERS.expected}, found {quote(node.text)}")
        return None
    return Located(NumberRange(first, last), node.place)


_NUMBERS: Shape[Located[NumberRange]] = Word(
    "a number, or two with a dash between them: `9-11`",
    (int, str),
    {"type": ["integer", "string"], "minimum": 1, "pattern": f"^{_NUMBERS_PATTERN}$"},
    _numbers,
)
"""A number, or the first and the last of several: `4`, `9-11`."""

NUMBERS = ListOf(_NUMBERS, "a list of numbers: `[4, 9-11]`", least=1)
"""The `reserved:` of a struct."""


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


_EXPECTED_FIELDS = "a mapping of names to fields"

FIELDS = map_of(Mapped(_FIELD, _read_field), _version_field, _EXPECTED_FIELDS, owner=())
"""The `fields:` of a struct of a version."""

HUB_FIELDS = map_of(_HUB_FIELD, _hub_field, _EXPECTED_FIELDS, owner=())
"""The `fields:` of a struct of hub.yaml."""


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
        scalar=mapped(choice("all"), lambda *_: ()),
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
STRUCT_TOMBSTONES = Key("tombstones", FIELD_TOMBSTONES, "Removed fields, whose names and numbers are reserved.")
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

STRUCT_KEYS: KeySet = (
    FIELDS_KEY,
    *_SHARED,
    OWN_HUB,
    STRUCT_TOMBSTONES,
    RESERVED,
    DEFAULTS,
    LENSES_KEY,
    HUB_ONLY_KEY,
    ALSO_HUB,
)
HUB_STRUCT_KEYS: KeySet = (HUB_FIELDS_KEY, *_SHARED, GATES)

NOT_IN_VERSIONS = {GATES.name: "declare rules by path in hub.yaml"}
NOT_IN_HUB = {
    OWN_HUB.name: "this is the hub",
    STRUCT_TOMBSTONES.name: "hub objects are never encoded",
    RESERVED.name: "hub objects are never encoded",
    DEFAULTS.name: "defaults run in the versions, before conversion",
    LENSES_KEY.name: "declare lenses in the versions",
    HUB_ONLY_KEY.name: "declare lenses in the versions",
    ALSO_HUB.name: "declare lenses in the versions",
}


TOLERATED = Key(
    "tolerated",
    RELEASE,
    "The release since which objects that have the value may keep it; since `introduced`, all objects may have it.",
)
_VALUE_KEYS = Keys(
    "enumValue",
    "a value",
    (DOC, FEATURE_GATE, TOLERATED, *MEMBER_LIFECYCLE.keys, PY_NAME),
    exclusive=((FEATURE_GATE, TOLERATED),),
)
_VALUE = Part(EnumValueSpec, _VALUE_KEYS.keys, lifecycle=MEMBER_LIFECYCLE)

ENUM = Key(
    "enum",
    map_of(_VALUE_KEYS, _VALUE.named, "a mapping of values", owner=(), needs_no_value=True),
    "An enum: its values.",
    required=True,
    to="values",
)
UNKNOWN = Key("unknown", TEXT, "The value that clients substitute for an unknown one.")
OPEN = Key("open", PLAIN_FLAG, "`true`: any other string is valid, too. `false`: the enum never gets another value.")
ENUM_TOMBSTONES = Key("tombstones", VALUE_TOMBSTONES, "Removed values, whose names are reserved.")

ENUM_KEYS: KeySet = (ENUM, OPEN, DOC, OWN_HUB, UNKNOWN, ENUM_TOMBSTONES, *LIFECYCLE.keys, IGNORE)

ENUM_EXCLUSIVE: tuple[KeySet, ...] = ((OPEN, UNKNOWN),)
"""An open enum, which accepts any string, has no value for unknown ones."""

IS = Key("is", TYPE, "Another name for a type.", required=True, to="alias")
NULLABLE = Key("nullable", PLAIN_FLAG, "Values of the type may be `None`, also in a map.")

ALIAS_KEYS: KeySet = (
    IS,
    DOC,
    OWN_HUB,
    NULLABLE,
    *TYPE_CONSTRAINTS.keys,
    *INNER_CONSTRAINT_KEYS,
    *TYPE_MERGE.keys,
    *LIFECYCLE.keys,
    IGNORE,
)


Form = tuple[Keys, TypeForm | None]
Body = tuple[TypeForm | None, Found]


class TypeBody(Shape[Body]):
    """Return the body of a type: its form is that of the first key in `forms` that it has, or else `otherwise`."""

    expected = "a type as a mapping"

    def __init__(self, forms: AbstractMapping[str, Form], otherwise: Form) -> None:
        self._forms = forms
        self._otherwise = otherwise

    def read(self, node: Node, context: Context) -> Body | None:
        keys, form = self._form_of(node)
        found = keys.read(node, context)
        return None if found is None else (form, found)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [keys.schema(definitions) for keys, _ in self._forms.values()]}

    def _form_of(self, node: Node) -> Form:
        entries = node.entries if isinstance(node, Mapping) else ()
        return next(
            (self._forms[entry.key.text] for entry in entries if entry.key.text in self._forms), self._otherwise
        )


_TYPE = Part(
    TypeSpec,
    (*ALIAS_KEYS, *ENUM_KEYS, *STRUCT_KEYS, *HUB_STRUCT_KEYS),
    constraints=TYPE_CONSTRAINTS,
    merge=TYPE_MERGE,
    lifecycle=LIFECYCLE,
)


def _type(name: Scalar, body: Body, _: Context) -> TypeSpec | None:
    """Return a type; None for one of which only the name is known, whose errors are already reported."""
    form, found = body
    if form is None or (form is TypeForm.ALIAS and found.get(IS) is None):
        return None
    is_closed = found.is_written(OPEN) and not found.get(OPEN)
    return _TYPE.of(found, name=name.text, place=name.place, form=form, closed=is_closed)


def _elsewhere(own: KeySet, reasons: AbstractMapping[str, str]) -> dict[str, str]:
    """Return, by key of another form, why it does not belong to the form with the keys `own`."""
    own_names = {key.name for key in own}
    all_reasons = {form.name: "a type has one of `fields`, `enum` and `is`" for form in (FIELDS_KEY, ENUM, IS)}
    for form, keys in ((FIELDS_KEY, STRUCT_KEYS), (ENUM, ENUM_KEYS), (IS, ALIAS_KEYS)):
        for key in keys:
            all_reasons.setdefault(key.name, f"it belongs to a type with `{form.name}`")
    return {name: reason for name, reason in {**all_reasons, **reasons}.items() if name not in own_names}


_ALIAS = Keys("alias", "a type with `is`", ALIAS_KEYS, elsewhere=_elsewhere(ALIAS_KEYS, {}))
_ENUM = Keys("enum", "a type with `enum`", ENUM_KEYS, exclusive=ENUM_EXCLUSIVE, elsewhere=_elsewhere(ENUM_KEYS, {}))
_STRUCT = Keys("struct", "a type with `fields`", STRUCT_KEYS, elsewhere=_elsewhere(STRUCT_KEYS, NOT_IN_VERSIONS))
_HUB_STRUCT = Keys(
    "hubStruct", "a struct of the hub", HUB_STRUCT_KEYS, elsewhere=_elsewhere(HUB_STRUCT_KEYS, NOT_IN_HUB)
)
_UNKNOWN = Keys(
    "unknownType",
    "a type",
    tuple({key.name: replace(key, required=False) for key in (*ALIAS_KEYS, *ENUM_KEYS, *STRUCT_KEYS)}.values()),
    one_of=(FIELDS_KEY, ENUM, IS),
)
_FORMS: dict[str, Form] = {ENUM.name: (_ENUM, TypeForm.ENUM), IS.name: (_ALIAS, TypeForm.ALIAS)}

_EXPECTED_TYPES = "a mapping of names to types"

TYPES = map_of(
    TypeBody({FIELDS_KEY.name: (_STRUCT, TypeForm.STRUCT), **_FORMS}, (_UNKNOWN, None)),
    _type,
    _EXPECTED_TYPES,
    owner=(),
)
"""The `types:` of a version."""

HUB_TYPES = map_of(
    TypeBody({FIELDS_KEY.name: (_HUB_STRUCT, TypeForm.STRUCT), **_FORMS}, (_HUB_STRUCT, TypeForm.OVERRIDE)),
    _type,
    _EXPECTED_TYPES,
    owner=(),
)
"""The `types:` of hub.yaml."""


TYPES_KEY = Key("types", TYPES, "The types of this version.", required=True)
HUB_TYPES_KEY = Key("types", HUB_TYPES, "Types of the hub, with their additional and different fields.", required=True)

VERSION_KEYS = Keys(
    "versionFile", "a version's file", (TYPES_KEY,), hint="indent the types, and write `types:` above them"
)
HUB_KEYS = Keys("hubFile", "hub.yaml", (HUB_TYPES_KEY,))
