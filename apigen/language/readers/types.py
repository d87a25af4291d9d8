"""Version files and hub.yaml with their types. The table of keys of a type follows from `fields`, `enum` or `is`."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import replace
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet
from apigen.language.model import EnumValueSpec, TypeForm, TypeSpec
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.readers.common import (
    DOC,
    FEATURE_GATE,
    HUB,
    IGNORE,
    LIFECYCLE_KEYS,
    MEMBER_LIFECYCLE_KEYS,
    PY_NAME,
    TYPE_MERGE_KEYS,
    lifecycle,
    merging,
)
from apigen.language.readers.constraints import (
    INNER_CONSTRAINT_KEYS,
    ITEMS,
    KEYS,
    TYPE_CONSTRAINT_KEYS,
    VALUES,
    constraints,
    inner_constraints,
)
from apigen.language.readers.structs import (
    FIELDS_KEY,
    HUB_STRUCT_KEYS,
    NOT_IN_HUB,
    NOT_IN_VERSIONS,
    STRUCT_KEYS,
    hub_struct,
    struct,
)
from apigen.language.readers.tombstones import VALUE_TOMBSTONES
from apigen.language.shapes import Definitions, Schema, Shape, map_of
from apigen.language.words import FLAG, RELEASE, TEXT, TYPE


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
    "The release since which objects that have the value may keep it; since `introduced`, all objects may have it.",
)
_VALUE = Keys(
    "enumValue",
    "a value",
    (DOC, FEATURE_GATE, TOLERATED, *MEMBER_LIFECYCLE_KEYS, PY_NAME),
    exclusive=((FEATURE_GATE, TOLERATED),),
)

ENUM = Key(
    "enum",
    map_of(_VALUE, _value, "a mapping of values", owner=(), needs_no_value=True),
    "An enum: its values.",
    required=True,
)
UNKNOWN = Key("unknown", TEXT, "The value that clients substitute for an unknown one.")
OPEN = Key("open", FLAG, "`true`: any other string is valid, too. `false`: the enum never gets another value.")
TOMBSTONES = Key("tombstones", VALUE_TOMBSTONES, "Removed values, whose names are reserved.")

ENUM_KEYS: KeySet = (ENUM, OPEN, DOC, HUB, UNKNOWN, TOMBSTONES, *LIFECYCLE_KEYS, IGNORE)

ENUM_EXCLUSIVE: tuple[KeySet, ...] = ((OPEN, UNKNOWN),)
"""An open enum, which accepts any string, has no value for unknown ones."""


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
        open=found.is_true(OPEN),
        closed=found.is_written(OPEN) and not found.is_true(OPEN),
        lifecycle=lifecycle(found),
        ignore=found.some(IGNORE),
    )


IS = Key("is", TYPE, "Another name for a type.", required=True)
NULLABLE = Key("nullable", FLAG, "Values of the type may be `None`, also in a map.")

ALIAS_KEYS: KeySet = (
    IS,
    DOC,
    HUB,
    NULLABLE,
    *TYPE_CONSTRAINT_KEYS,
    *INNER_CONSTRAINT_KEYS,
    *TYPE_MERGE_KEYS,
    *LIFECYCLE_KEYS,
    IGNORE,
)


def alias(name: Scalar, found: Found) -> TypeSpec | None:
    """A name for another type."""
    target = found.get(IS)
    if target is None:
        return None
    return TypeSpec(
        name=name.text,
        place=name.place,
        form=TypeForm.ALIAS,
        doc=found.get(DOC),
        hub=found.get(HUB),
        constraints=constraints(found),
        item_constraints=inner_constraints(found, ITEMS),
        key_constraints=inner_constraints(found, KEYS),
        value_constraints=inner_constraints(found, VALUES),
        merge=merging(found),
        alias=target,
        nullable=found.is_true(NULLABLE),
        lifecycle=lifecycle(found),
        ignore=found.some(IGNORE),
    )


Make = Callable[[Scalar, Found], TypeSpec | None]
Form = tuple[Keys, Make]
Body = tuple[Make, Found]


class TypeBody(Shape[Body]):
    """Return the body of a type: its form is that of the first key in `forms` that it has, or else `otherwise`."""

    expected = "a type as a mapping"

    def __init__(self, forms: AbstractMapping[str, Form], otherwise: Form) -> None:
        self._forms = forms
        self._otherwise = otherwise

    def read(self, node: Node, context: Context) -> Body | None:
        keys, make = self._form_of(node)
        found = keys.read(node, context)
        return None if found is None else (make, found)

    def schema(self, definitions: Definitions) -> Schema:
        return {"anyOf": [keys.schema(definitions) for keys, _ in self._forms.values()]}

    def _form_of(self, node: Node) -> Form:
        entries = node.entries if isinstance(node, Mapping) else ()
        return next(
            (self._forms[entry.key.text] for entry in entries if entry.key.text in self._forms), self._otherwise
        )


def _type(name: Scalar, body: Body, _: Context) -> TypeSpec | None:
    make, found = body
    return make(name, found)


def _elsewhere(own: KeySet, reasons: AbstractMapping[str, str]) -> dict[str, str]:
    """Return, by key of another form, why it does not belong to the form with the keys `own`."""
    own_names = {key.name for key in own}
    all_reasons = {form.name: "a type has one of `fields`, `enum` and `is`" for form in (FIELDS_KEY, ENUM, IS)}
    for form, keys in ((FIELDS_KEY, STRUCT_KEYS), (ENUM, ENUM_KEYS), (IS, ALIAS_KEYS)):
        for key in keys:
            all_reasons.setdefault(key.name, f"it belongs to a type with `{form.name}`")
    return {name: reason for name, reason in {**all_reasons, **reasons}.items() if name not in own_names}


def _no_type(name: Scalar, found: Found) -> None:
    """Return None for a type of which only the name is known; its errors are already reported."""


_ALIAS: Form = (Keys("alias", "a type with `is`", ALIAS_KEYS, elsewhere=_elsewhere(ALIAS_KEYS, {})), alias)
_ENUM: Form = (
    Keys("enum", "a type with `enum`", ENUM_KEYS, exclusive=ENUM_EXCLUSIVE, elsewhere=_elsewhere(ENUM_KEYS, {})),
    enum,
)
_STRUCT: Form = (
    Keys("struct", "a type with `fields`", STRUCT_KEYS, elsewhere=_elsewhere(STRUCT_KEYS, NOT_IN_VERSIONS)),
    struct,
)
_HUB_STRUCT: Form = (
    Keys("hubStruct", "a struct of the hub", HUB_STRUCT_KEYS, elsewhere=_elsewhere(HUB_STRUCT_KEYS, NOT_IN_HUB)),
    hub_struct,
)
_UNKNOWN: Form = (
    Keys(
        "unknownType",
        "a type",
        tuple({key.name: replace(key, required=False) for key in (*ALIAS_KEYS, *ENUM_KEYS, *STRUCT_KEYS)}.values()),
        one_of=(FIELDS_KEY, ENUM, IS),
    ),
    _no_type,
)

_EXPECTED = "a mapping of names to types"

TYPES = map_of(
    TypeBody({FIELDS_KEY.name: _STRUCT, ENUM.name: _ENUM, IS.name: _ALIAS}, _UNKNOWN), _type, _EXPECTED, owner=()
)
"""The `types:` of a version."""

HUB_TYPES = map_of(
    TypeBody({FIELDS_KEY.name: _HUB_STRUCT, ENUM.name: _ENUM, IS.name: _ALIAS}, _HUB_STRUCT),
    _type,
    _EXPECTED,
    owner=(),
)
"""The `types:` of hub.yaml."""


TYPES_KEY = Key("types", TYPES, "The types of this version.", required=True)
HUB_TYPES_KEY = Key("types", HUB_TYPES, "Types of the hub, with their additional and different fields.", required=True)

VERSION_KEYS = Keys(
    "versionFile", "a version's file", (TYPES_KEY,), hint="indent the types, and write `types:` above them"
)
HUB_KEYS = Keys("hubFile", "hub.yaml", (HUB_TYPES_KEY,))
