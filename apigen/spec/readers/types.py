"""Version files and hub.yaml with their types. The table of keys of a type follows from `fields`, `enum` or `is`."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import replace
from apigen.spec.context import Context
from apigen.spec.keys import Found, Key, Keys, KeySet
from apigen.spec.model import TypeSpec
from apigen.spec.nodes import Mapping, Node, Scalar
from apigen.spec.readers.aliases import ALIAS_KEYS, IS, alias
from apigen.spec.readers.enums import ENUM, ENUM_EXCLUSIVE, ENUM_KEYS, enum
from apigen.spec.readers.structs import (
    FIELDS_KEY,
    HUB_STRUCT_KEYS,
    NOT_IN_HUB,
    NOT_IN_VERSIONS,
    STRUCT_KEYS,
    hub_struct,
    struct,
)
from apigen.spec.shapes import Definitions, Schema, Shape, map_of

Make = Callable[[Scalar, Found], TypeSpec | None]
Form = tuple[Keys, Make]
Body = tuple[Make, Found]


class TypeBody(Shape[Body]):
    """The body of a type: the form is that of the first of the keys in `forms` that it has, else `otherwise`."""

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
    """Why the keys of other forms do not belong to the form that has `own`."""
    mine = {key.name for key in own}
    all_reasons = {form.name: "a type has one of `fields`, `enum` and `is`" for form in (FIELDS_KEY, ENUM, IS)}
    for form, keys in ((FIELDS_KEY, STRUCT_KEYS), (ENUM, ENUM_KEYS), (IS, ALIAS_KEYS)):
        for key in keys:
            all_reasons.setdefault(key.name, f"it belongs to a type with `{form.name}`")
    return {name: reason for name, reason in {**all_reasons, **reasons}.items() if name not in mine}


def _nothing(name: Scalar, found: Found) -> None:
    """A type of which nothing is known but the name; what is wrong has been reported."""


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
    _nothing,
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
HUB_TYPES_KEY = Key("types", HUB_TYPES, "Types of the hub, and what is added to or different in them.", required=True)

VERSION_KEYS = Keys("versionFile", "a version's file", (TYPES_KEY,))
HUB_KEYS = Keys("hubFile", "hub.yaml", (HUB_TYPES_KEY,))
