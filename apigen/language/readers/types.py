"""Version files and hub.yaml with their types. The table of keys of a type follows from `fields`, `enum` or `is`."""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import replace
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, Part
from apigen.language.model import EnumValueSpec, TypeForm, TypeSpec
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.readers.common import (
    DOC,
    FEATURE_GATE,
    HUB,
    IGNORE,
    LIFECYCLE,
    MEMBER_LIFECYCLE,
    PY_NAME,
    TYPE_MERGE,
)
from apigen.language.readers.constraints import INNER_CONSTRAINT_KEYS, TYPE_CONSTRAINTS
from apigen.language.readers.structs import (
    FIELDS_KEY,
    HUB_STRUCT_KEYS,
    NOT_IN_HUB,
    NOT_IN_VERSIONS,
    STRUCT_KEYS,
)
from apigen.language.readers.tombstones import VALUE_TOMBSTONES
from apigen.language.shapes import Definitions, Schema, Shape, map_of
from apigen.language.words import PLAIN_FLAG, RELEASE, TEXT, TYPE

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
TOMBSTONES = Key("tombstones", VALUE_TOMBSTONES, "Removed values, whose names are reserved.")

ENUM_KEYS: KeySet = (ENUM, OPEN, DOC, HUB, UNKNOWN, TOMBSTONES, *LIFECYCLE.keys, IGNORE)

ENUM_EXCLUSIVE: tuple[KeySet, ...] = ((OPEN, UNKNOWN),)
"""An open enum, which accepts any string, has no value for unknown ones."""

IS = Key("is", TYPE, "Another name for a type.", required=True, to="alias")
NULLABLE = Key("nullable", PLAIN_FLAG, "Values of the type may be `None`, also in a map.")

ALIAS_KEYS: KeySet = (
    IS,
    DOC,
    HUB,
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

_EXPECTED = "a mapping of names to types"

TYPES = map_of(
    TypeBody({FIELDS_KEY.name: (_STRUCT, TypeForm.STRUCT), **_FORMS}, (_UNKNOWN, None)), _type, _EXPECTED, owner=()
)
"""The `types:` of a version."""

HUB_TYPES = map_of(
    TypeBody({FIELDS_KEY.name: (_HUB_STRUCT, TypeForm.STRUCT), **_FORMS}, (_HUB_STRUCT, TypeForm.OVERRIDE)),
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
