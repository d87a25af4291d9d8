"""The files of a spec folder.

group.yaml and features.yaml: the name of a group, its versions, its hub and its kinds with their strategies (generation,
fields that operations keep and reset, hooks); feature gates and their stages; and release series.

Version files and hub.yaml with their types: structs with their fields, enums and aliases. The table of keys of a type follows
from `fields`, `enum` or `is`. Removed names have tombstones, which are never reused; `reserved:` are numbers of a struct.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import replace
from apigen.diagnostics.quoting import quote
from apigen.language.habits import REQUIRED, habitual_enum
from apigen.language.habits import STAGES as STAGES_ELSEWHERE
from apigen.language.model import (
    EnumValueSpec,
    ExceptionSpec,
    FeaturesFile,
    FeatureSpec,
    FeatureStageSpec,
    FieldSpec,
    GateSpec,
    GenerationSpec,
    Items,
    KindSpec,
    LensSpec,
    LifecycleSpec,
    LiteralNode,
    Located,
    MergeSpec,
    NumberRange,
    OperationSpec,
    Path,
    PreserveSpec,
    PrinterColumnSpec,
    ScaleSpec,
    SecondHubSpec,
    SeriesSpec,
    Stage,
    StrategySpec,
    Tombstone,
    TypeForm,
    TypeSpec,
    UnionSpec,
    VersionHeader,
)
from apigen.language.nodes import Context, Entry, Mapping, Node, Scalar
from apigen.language.readers.values import (
    CONDITION,
    DEFAULT_CASES,
    GATE,
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
    ANNOTATION_KEY,
    COUNT,
    FLAG,
    LITERAL,
    PATH,
    PATHS,
    PLAIN_FLAG,
    PLAIN_TEXT,
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
    empty_hint,
    made,
    map_of,
    mapped,
    read_path,
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


_SERIES_NAME = text_shape("the name of a release series, such as kubernetes", r"[a-z][a-z0-9]*(?:[-.][a-z0-9]+)*")
"""Names are written before `=` on the command line and are keys of configurations."""

SERIES = Key(
    "series",
    mapped(_SERIES_NAME, lambda name, *_: name.value),
    "The release series; default: that of the features.yaml in a parent folder.",
)

_SERIES = made(
    Keys(
        "series",
        "a release series",
        (
            Key("name", _SERIES_NAME, "The name of the series.", required=True),
            Key("release", RELEASE, "The release of the specs."),
        ),
    ),
    SeriesSpec,
)

SERIES_OF_FOLDER = Key(
    "series",
    ByForm(
        "the name of a release series, or {name: …, release: …}",
        mapped(_SERIES_NAME, lambda name, *_: SeriesSpec(name)),
        _SERIES,
    ),
    "The release series of the gates of this file, and of the groups below its folder; at the root of the specs, the name of"
    " the project's own series.",
)


_STAGE = made(
    Keys(
        "stage",
        "a stage",
        (
            Key("release", RELEASE, "The first release of the stage.", required=True),
            Key(
                "stage",
                mapped(choice(*Stage, habits=STAGES_ELSEWHERE), lambda stage, *_: Stage(stage.value)),
                "alpha, beta, ga or deprecated.",
                required=True,
            ),
            Key("default", PLAIN_FLAG, "Whether the gate is enabled by default (default: false)."),
            Key("locked", PLAIN_FLAG, "The gate cannot be set."),
            Key(
                "minCompatibility",
                RELEASE,
                "For a second stage of the same release: it applies if no server of the control plane is older than this release.",
            ),
        ),
    ),
    FeatureStageSpec,
)

_GATE_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
"""Names of gates are parts of the names of generated functions."""


_FEATURE_KEYS = Keys(
    "feature",
    "a feature gate",
    (
        Key("owner", PLAIN_TEXT, "The owner."),
        DOC,
        Key(
            "stages",
            ListOf(_STAGE, "a list of stages", example=f"write `{REQUIRED['stages']}`"),
            "The stages, by release.",
            required=True,
        ),
        Key("dependsOn", TEXTS, "Gates that must be enabled if this one is."),
        Key(
            "removed",
            RELEASE,
            "The first release without the gate; its elements keep the state of the last stage.",
        ),
        SERIES,
        IGNORE,
    ),
)
_FEATURE = Part(FeatureSpec, _FEATURE_KEYS.keys)


def _feature(name: Scalar, found: Found, context: Context) -> FeatureSpec | None:
    if not _GATE_NAME.fullmatch(name.text):
        context.error(
            "AG0210", name.place, f"expected the name of a gate, such as `Frobber2D`, found {quote(name.text)}"
        )
        return None
    return _FEATURE.named(name, found, context)


_GATES = map_of(_FEATURE_KEYS, _feature, "a mapping of names to feature gates", owner=())


class _FeaturesShape(Shape[FeaturesFile]):
    """Gates by name, and next to them `series:`."""

    expected = _GATES.expected

    def read(self, node: Node, context: Context) -> FeaturesFile | None:
        series: SeriesSpec | None = None
        if isinstance(node, Mapping) and any(each.key.text == SERIES_OF_FOLDER.name for each in node.entries):
            for key, value in node.entries:
                if key.text == SERIES_OF_FOLDER.name:
                    series = SERIES_OF_FOLDER.shape.read(value, context)
            node = node._replace(entries=[each for each in node.entries if each.key.text != SERIES_OF_FOLDER.name])
        gates = _GATES.read(node, context)
        if gates is None:
            return None
        if series is not None:
            gates = tuple(each if each.series else replace(each, series=series.name.value) for each in gates)
        return FeaturesFile(gates, series)

    def schema(self, definitions: Definitions) -> Schema:
        own = SERIES_OF_FOLDER.shape.schema(definitions)
        return {**_GATES.schema(definitions), "properties": {SERIES_OF_FOLDER.name: own}}


FEATURES = _FeaturesShape()
"""All of features.yaml."""


_NONE = "none"


class StartShape(Shape[Located[int | None]]):
    """A number, or `none`."""

    expected = "`none` or an integer of at least 0"

    def read(self, node: Node, context: Context) -> Located[int | None] | None:
        if isinstance(node, Scalar) and node.value == _NONE:
            return Located(None, node.place)
        if not isinstance(node, Scalar) or not isinstance(node.value, int):
            context.mismatch(node, self.expected)
            return None
        number = COUNT.read(node, context)
        return None if number is None else Located(number.value, number.place)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [COUNT.schema(definitions), {"enum": [_NONE]}]}


def _declared(word: str) -> Shape[bool]:
    """Return the shape of an option that is declared by a word."""
    return mapped(choice(word), lambda *_: True)


_START = Key("start", StartShape(), "The generation of a new object; `none` keeps the submitted one.")
_AT_LEAST = Key("atLeast", COUNT, "The minimum for a new object, instead of `start`.")
_CHANGES = Part(
    GenerationSpec,
    (
        Key("bump", PATHS, "A change below one of these paths increases the generation."),
        Key("before", _declared("drop"), "Compare before gated fields are dropped.", to="before_drop"),
        Key("equality", _declared("exact"), "Treat unset and empty as different.", to="exact"),
        Key("from", _declared("new"), "Increase the number of the submitted object.", to="from_new"),
    ),
)
_GENERATION = Keys("generation", "the generation", (_START, _AT_LEAST, *_CHANGES.keys))


def _generation(found: Found, _: object, context: Context) -> GenerationSpec:
    if found.is_written(_START) and found.is_written(_AT_LEAST):
        context.error("AG0212", found.place_of(_AT_LEAST), "a new object has `start` or `atLeast`, not both")
    start, at_least = found.get(_START), found.get(_AT_LEAST)
    first = at_least.value if at_least is not None else 1 if start is None else start.value
    return _CHANGES.of(found, start=first, at_least=at_least is not None)


def _at(path: Scalar, value: LiteralNode, context: Context) -> tuple[Path, LiteralNode] | None:
    read = read_path(path, context)
    return None if read is None else (read, value)


def _items_at(path: Scalar, value: LiteralNode, context: Context) -> tuple[Path, LiteralNode] | None:
    if not isinstance(value, Items) or not value.items:
        context.error("AG0210", value.place, "expected a list of values with at least one element")
        return None
    return _at(path, value, context)


_RESET = Key("reset", PATHS, "The fields that are cleared.")
_KEEP = Key("keep", PATHS, "The fields that keep their value from the old object.")
_EXCEPT_PATH = Key("path", PATH, "What changes.", required=True)
_EXCEPTION = Keys("exception", "an exception", (_EXCEPT_PATH, GATE))


def _exception(found: Found, node: Node, _: Context) -> ExceptionSpec | None:
    path, joined = found.get(_EXCEPT_PATH), found.get(GATE)
    if path is None:
        return None
    return ExceptionSpec(path, None if joined is None else GateSpec(joined[1], joined[0], node.place))


_EXCEPTIONS = ListOf(
    ByForm(
        "a path or `{path: …, gate: Name}`",
        scalar=mapped(PATH, lambda path, *_: ExceptionSpec(path)),
        mapping=mapped(_EXCEPTION, _exception),
    ),
    "a list of paths",
)
_EXCEPT = Key("except", _EXCEPTIONS, "Exceptions below `keep`; on create, exceptions below `reset`.", to="except_")
_FILL = Key("fill", PATHS, "The fields that are copied from the old object if they are omitted.")
_SET = Key(
    "set",
    map_of(LITERAL, _at, "a mapping from paths to values"),
    "The fields that are always set to a value.",
    to="sets",
)
_ADD = Key(
    "add",
    map_of(LITERAL, _items_at, "a mapping from paths to lists"),
    "The elements that are added to lists if they are missing.",
    to="adds",
)
_WHEN = Key("when", CONDITION, "The condition of all of this, on the submitted object and gates.")
_NO_OLD = "there is no old object"
_CREATE = Keys(
    "createOperation",
    "`create`",
    (_RESET, _EXCEPT, _SET, _ADD, _WHEN),
    elsewhere={key.name: _NO_OLD for key in (_KEEP, _FILL)},
)
_CHANGE = Keys("operation", "an operation", (_KEEP, _EXCEPT, _RESET, _FILL, _SET, _ADD, _WHEN))


_OPERATION = Part(OperationSpec, _CHANGE.keys)


def _change(name: Scalar, found: Found, context: Context) -> tuple[str, OperationSpec]:
    if found.is_written(_EXCEPT) and not found.is_written(_KEEP):
        context.error("AG0212", found.place_of(_EXCEPT), "`except` needs `keep`")
    return name.text, _OPERATION.of(found, place=name.place)


GENERATION = Key(
    "generation",
    ByForm(
        "`none` or a mapping",
        scalar=mapped(choice("none"), lambda *_: GenerationSpec(none=True, start=None)),
        mapping=mapped(_GENERATION, _generation),
    ),
    "When `metadata.generation` increases.",
)


def _counter(path: Scalar, counter: GenerationSpec, context: Context) -> tuple[Path, GenerationSpec] | None:
    read = read_path(path, context)
    if read is not None and counter.bump is None:
        context.error("AG0212", path.place, f"`{path.text}` counts changes: declare the counted paths with `bump`")
        return None
    return None if read is None else (read, counter)


COUNTERS = Key(
    "counters",
    map_of(mapped(_GENERATION, _generation), _counter, "a mapping of paths to counters"),
    "Other counters of changes that clients cannot set.",
)
HOOKS = Key("hooks", TEXTS, "Operations after whose generated steps a function of the server runs.")
CREATE = Key("create", _CREATE, "The steps of create; without `reset`, status is cleared.")

_FIXED_KEYS: KeySet = (GENERATION, COUNTERS, HOOKS, CREATE)
_FIXED_NAMES = tuple(key.name for key in _FIXED_KEYS)
_STRATEGY = Part(StrategySpec, (GENERATION, COUNTERS, HOOKS))
_FIXED = Keys("strategy", "a strategy", _FIXED_KEYS)
_OPERATIONS = map_of(_CHANGE, _change, "a mapping of operations")


def _is_operation(name: str, context: Context) -> bool:
    """Return whether a key names an operation and is not one of the fixed keys, or a misspelled one."""
    if name in _FIXED_NAMES:
        return False
    return context.nearest(name, (*_FIXED_NAMES, "update")) in (None, "update")


def _partition(entries: Iterable[Entry], context: Context) -> tuple[list[Entry], list[Entry]]:
    """The entries with fixed keys, and those of operations."""
    parts: tuple[list[Entry], list[Entry]] = ([], [])
    for entry in entries:
        parts[_is_operation(entry.key.text, context)].append(entry)
    return parts


class StrategyShape(Shape[StrategySpec]):
    """A strategy. Keys other than the fixed ones are operations: `update`, `status` and each other subresource."""

    expected = "a mapping"

    def read(self, node: Node, context: Context) -> StrategySpec | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected)
            return None
        fixed, operations = _partition(node.entries, context)
        found = _FIXED.read(node._replace(entries=fixed), context)
        changes = _OPERATIONS.read(node._replace(entries=operations), context)
        if found is None or changes is None:
            return None
        create = found.get(CREATE)
        if create is not None:
            changes = (("create", _OPERATION.of(create, place=found.place_of(CREATE))), *changes)
        return _STRATEGY.of(found, operations=changes)

    def schema(self, definitions: Definitions) -> Schema:
        _FIXED.schema(definitions)
        definitions[_FIXED.name]["additionalProperties"] = _CHANGE.schema(definitions)
        return {"$ref": f"#/$defs/{_FIXED.name}"}


STRATEGY = StrategyShape()
"""A kind's `strategy:`."""


_PATH_TEXT: Shape[str] = mapped(PATH, lambda path, *_: str(path))
_SCALE_KEYS = Keys(
    "scale",
    "the scale subresource",
    (
        Key("specReplicasPath", _PATH_TEXT, "The path of the desired number of replicas.", required=True),
        Key("statusReplicasPath", _PATH_TEXT, "The path of the actual number of replicas.", required=True),
        Key("labelSelectorPath", _PATH_TEXT, "The path of the label selector as a string."),
    ),
)
_SCALE = made(_SCALE_KEYS, ScaleSpec)
_PLAIN = Keys("subresource", "a subresource", ())

Subresource = tuple[Located[str], ScaleSpec | None]


class SubresourcesShape(Shape[tuple[Subresource, ...]]):
    """`status`, `scale` with its paths, and others by name."""

    expected = "a mapping of names to subresources"

    def read(self, node: Node, context: Context) -> tuple[Subresource, ...] | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected, empty_hint(node))
            return None
        if node.damaged or node.repeated:
            context.mark_broken()
        return tuple(
            (Located(entry.key.text, entry.key.place), self._scale_of(entry.key, entry.value, context))
            for entry in node.entries
        )

    def schema(self, definitions: Definitions) -> Schema:
        return {
            "type": "object",
            "properties": {_SCALE_KEYS.name: _SCALE.schema(definitions)},
            "additionalProperties": _PLAIN.schema(definitions),
        }

    def _scale_of(self, name: Scalar, node: Node, context: Context) -> ScaleSpec | None:
        if name.text == _SCALE_KEYS.name:
            return _SCALE.read(node, context)
        _PLAIN.read(node, context)
        return None


_COLUMN_KEYS = Keys(
    "printerColumn",
    "a printer column",
    (
        Key(
            "type",
            choice("integer", "number", "string", "boolean", "date"),
            "The type in `kubectl`: `integer`, `number`, `string`, `boolean` or `date`.",
            required=True,
        ),
        Key("path", TEXT, "The JSONPath of the value in the version, such as `spec.replicas`.", required=True),
        Key(
            "name",
            PLAIN_TEXT,
            "The heading, if several columns have the same one, for different versions (default: the key).",
        ),
        Key("description", PLAIN_TEXT, "The description of the column."),
        Key("format", PLAIN_TEXT, "An OpenAPI format, such as `name` or `int32`."),
        Key(
            "priority",
            mapped(WHOLE, lambda number, *_: number.value),
            "If above 0, only `kubectl get -o wide` prints the column.",
        ),
        Key("versions", TEXTS, "The versions with the column (default: all)."),
    ),
)
_COLUMN = Part(PrinterColumnSpec, _COLUMN_KEYS.keys)


_PRESERVE = made(
    Keys(
        "preserve",
        "what preserves data",
        (
            Key("annotation", ANNOTATION_KEY, "The annotation with the object of the hub.", required=True),
            Key(
                "when",
                choice("unchanged"),
                "Which values are restored: `unchanged`, those that the version did not change (default).",
            ),
        ),
    ),
    lambda annotation, when=None: PreserveSpec(annotation),
)


def _selectable(label: Scalar, path: Path, _: Context) -> tuple[Located[str], Path]:
    return Located(label.text, label.place), path


SUBRESOURCES = Key("subresources", SubresourcesShape(), "`status`, `scale` and others.")
_KIND_KEYS: KeySet = (
    Key("scope", choice("Namespaced", "Cluster"), "Whether objects are namespaced."),
    Key("plural", TEXT, "The plural, which is part of URLs."),
    Key("singular", TEXT, "The singular; default: the kind in lowercase."),
    Key("shortNames", TEXTS, "Short names for the command line."),
    Key("categories", TEXTS, "Categories of the kind, such as `all`."),
    SUBRESOURCES,
    Key("list", PLAIN_FLAG, "Whether the kind has a list kind (default: true)."),
    Key("typeMeta", PLAIN_FLAG, "Whether objects have `apiVersion` and `kind` (default: true)."),
    OWN_HUB,
    Key(
        "selectableFields",
        map_of(PATH, _selectable, "a mapping of labels to hub paths"),
        "The supported field selectors, with their hub paths.",
    ),
    Key(
        "printerColumns",
        map_of(_COLUMN_KEYS, _COLUMN.named, "a mapping of names to columns"),
        "The columns of `kubectl get`, in order.",
    ),
    Key(
        "preserve",
        _PRESERVE,
        "Data that a version cannot hold, preserved in one annotation and restored where that version did not change it.",
    ),
    Key("strategy", STRATEGY, "Additional steps of create and update."),
)
_KIND = Part(KindSpec, tuple(key for key in _KIND_KEYS if key is not SUBRESOURCES))


def _kind(name: Scalar, found: Found, _: Context) -> KindSpec:
    subresources = found.some(SUBRESOURCES)
    return _KIND.of(
        found,
        name=name.text,
        place=name.place,
        subresources=tuple(subresource for subresource, _ in subresources),
        scale=next((scale for _, scale in subresources if scale is not None), None),
    )


KINDS = map_of(
    Keys("kind", "a kind", _KIND_KEYS),
    _kind,
    "a mapping of names to kinds",
    owner=("kind",),
    needs_no_value=True,
)
"""The `kinds:` of group.yaml."""


_VERSION_KEYS = Keys(
    "version",
    "a version",
    (
        *LIFECYCLE.keys,
        Key("storage", PLAIN_FLAG, "The storage version."),
        Key("served", PLAIN_FLAG, "Whether the version is served (default: true)."),
        Key("preferred", PLAIN_FLAG, "The preferred version; default: the storage version."),
        Key(
            "defaulted",
            PLAIN_FLAG,
            "Whether objects of the version are defaulted, with the values of other versions in them (default: true).",
        ),
    ),
)
_VERSION = Part(VersionHeader, _VERSION_KEYS.keys, lifecycle=LIFECYCLE)

GROUP = Key("group", TEXT, "The name of the group in `apiVersion`; empty for the core group.", required=True)
VERSIONS = Key(
    "versions",
    map_of(
        _VERSION_KEYS,
        _VERSION.named,
        "a mapping of names to versions",
        owner=("version",),
        needs_no_value=True,
    ),
    "The versions; each has a file of its name with its types.",
    required=True,
)
HUB = Key("hub", TEXT, "The version that the hub follows.")
PROTOBUF = Key("protobuf", choice("none"), "`none` if the group has no protobuf encoding, and its fields no numbers.")
KINDS_KEY = Key("kinds", KINDS, "The kinds.")

TOMBSTONES = Key("tombstones", GROUP_TOMBSTONES, "Removed versions and kinds, whose names are reserved.")


def removed_versions(group: Found) -> tuple[Tombstone, ...]:
    """Return the removed versions of a group."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(REMOVED_VERSIONS)


def removed_kinds(group: Found) -> tuple[Tombstone, ...]:
    """Return the removed kinds of a group."""
    tombstones = group.get(TOMBSTONES)
    return () if tombstones is None else tombstones.some(REMOVED_KINDS)


GROUP_KEYS = Keys("groupFile", "group.yaml", (GROUP, VERSIONS, HUB, PROTOBUF, KINDS_KEY, SERIES, TOMBSTONES))
