"""Lenses: `hub:` of a field, `lenses:` and `hubOnly:` of a struct. The hub stage checks whether options fit together."""

from __future__ import annotations

from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, Part, made
from apigen.language.model import ByHandSpec, LensCase, LensSpec, LiteralNode, Located, PathLens, SnapshotSpec
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.paths import Path
from apigen.language.readers.defaults import CaseList
from apigen.language.shapes import ByForm, Definitions, ListOf, Schema, Shape, map_of, mapped
from apigen.language.words import (
    ANNOTATION_KEY,
    LITERAL,
    NUMBER,
    PATH,
    PLAIN_FLAG,
    REASON,
    TEXT,
    TYPE,
    Choice,
    WholeShape,
    read_path,
)

_WHEN = Key("when", CONDITION, "The condition of this value.")
_VALUE = Key("value", LITERAL, "The value.", required=True)
_AS_VALUE = "write a list or map as a value: `{value: …}`"
_CASE_KEYS = Keys("lensCase", "a case", (_VALUE, _WHEN), hint=_AS_VALUE)
_ABSENT_CASE_KEYS = Keys(
    "absentCase",
    "a case of `absent`",
    (
        *(_VALUE, _WHEN),
        Key(
            "direction",
            mapped(Choice("to_hub", "from_hub"), lambda direction, *_: direction.value),
            "The direction of conversion to which the case is limited.",
        ),
    ),
)
_CASE = Part(LensCase, _ABSENT_CASE_KEYS.keys)


def _case(found: Found, node: Node, _: Context) -> LensCase | None:
    return None if found.is_bad(_WHEN) else _CASE.complete(found, place=node.place)


def _plain(value: LiteralNode, node: Node, _: Context) -> tuple[LensCase, ...]:
    return (LensCase(value, node.place),)


_ONE_CASE = mapped(_CASE_KEYS, _case)
_CASES = ByForm(
    "a value, or a list of cases `{when: …, value: …}`",
    scalar=mapped(LITERAL, _plain),
    mapping=mapped(_ONE_CASE, lambda case, *_: (case,)),
    sequence=CaseList(_ONE_CASE),
)

_ABSENT_CASES = CaseList(mapped(_ABSENT_CASE_KEYS, _case))


class _AbsentShape(Shape[LiteralNode | tuple[LensCase, ...]]):
    """A value, which may be an empty list or map, or a list of cases."""

    expected = "a value, or a list of cases `{value: …, when: …, direction: …}`"

    def read(self, node: Node, context: Context) -> LiteralNode | tuple[LensCase, ...] | None:
        if isinstance(node, Sequence) and any(isinstance(item, Mapping) for item in node.items):
            return _ABSENT_CASES.read(node, context)
        return LITERAL.read(node, context)

    def schema(self, definitions: Definitions) -> Schema:
        value: Schema = {"type": ["string", "number", "boolean", "object"]}
        return {"anyOf": [value, {"type": "array", "maxItems": 0}, _ABSENT_CASES.schema(definitions)]}


_CLAMP = made(
    Keys(
        "clamp",
        "a clamp",
        (
            Key("below", NUMBER, "The bound.", required=True),
            Key("to", NUMBER, "The replacement of a value below the bound.", required=True),
        ),
    ),
    lambda below, to: (below, to),
)


def _renaming(name: Scalar, to: Located[str], _: Context) -> tuple[Located[str], Located[str]]:
    return Located(name.text, name.place), to


def _element_value(name: Scalar, value: Located[str], context: Context) -> tuple[Path, Located[str]] | None:
    path = read_path(name, context)
    return None if path is None else (path, value)


def _pair(paths: tuple[Path, ...], *_: object) -> tuple[Path, Path]:
    first, second = paths
    return first, second


_BY_HAND = made(
    Keys(
        "byHand",
        "a conversion by hand",
        (
            Key("reason", REASON, "How the function converts it.", required=True),
            Key("context", PLAIN_FLAG, "Whether the function takes the `context` of the caller (default: false)."),
        ),
    ),
    ByHandSpec,
)
_SNAPSHOT = made(
    Keys(
        "preserveField",
        "what preserves a field",
        (
            Key(
                "annotation",
                ANNOTATION_KEY,
                "The annotation of other versions with the value of the field.",
                required=True,
            ),
            Key(
                "when",
                Choice("unchanged"),
                "The value is restored if the fields derived from it are unchanged (default).",
            ),
            Key(
                "writeNull",
                PLAIN_FLAG,
                "Whether the annotation of an unset field is `null` (default: false).",
                to="writes_null",
            ),
        ),
    ),
    lambda annotation, writes_null=False, when=None: SnapshotSpec(annotation, writes_null),
)
SNAPSHOT = Key(
    "preserve",
    _SNAPSHOT,
    "An annotation of other versions that preserves the value of this field, of which they have a derived form.",
)

_HUB_ONLY_KEYS: KeySet = (
    Key("annotation", ANNOTATION_KEY, "The annotation that preserves the value."),
    Key("format", Choice("decimal", "selector", "json", "marker"), "How a value is written as a string."),
    Key("as", TYPE, "The type of the value in the annotation.", to="as_type"),
    Key(
        "empty",
        Choice("absent", "keep"),
        "`absent`: an empty list or map becomes unset. For an annotation: empty text means unset; `absent` removes the"
        " annotation, `keep` preserves it.",
    ),
    Key("unreadable", Choice("ignore"), "Ignore an annotation that cannot be parsed."),
    Key("stale", Choice("keep"), "Keep the annotation if the value is unset."),
    Key("constant", _CASES, "The constant that is written; it is cleared when it is read."),
    Key(
        "from",
        PATH,
        "The metadata of the object, such as `$.metadata.namespace`, whose value is written; it is cleared when it is read.",
        to="source",
    ),
    Key("drop", REASON, "Why the value is dropped."),
    Key(
        "byHand",
        ByForm(
            "a reason, or `{reason: …, context: true}`",
            scalar=mapped(REASON, lambda reason, *_: ByHandSpec(reason)),
            mapping=_BY_HAND,
        ),
        "How the hand-written function of a containing type converts it; with `to:`, the generated code copies it there first.",
    ),
)
_FIELD_ONLY_KEYS: KeySet = (
    Key("to", PATH, "The hub path that the field maps to."),
    Key("parent", Choice("always", "whenSet"), "When the optional parent in the hub is created."),
    Key("wins", Choice("singular", "plural", "this", "last"), "Which value takes precedence if they differ."),
    Key("list", PATH, "The hub list to which this map is converted.", to="list_path"),
    Key("map", PATH, "The hub map to which this list is converted.", to="map_path"),
    Key("key", TEXT, "The field of the list elements that contains the key of the map.", to="list_key"),
    Key("value", TEXT, "The field of the list elements that contains the value of the map.", to="list_value"),
    Key(
        "duplicates",
        Choice("last", "first", "error"),
        "Which of several elements with the same key the map gets: last (default), first, or error.",
    ),
    Key(
        "enum",
        map_of(TEXT, _renaming, "a mapping of old values to new ones"),
        "Values that are renamed in the hub.",
    ),
    Key("scale", WholeShape(least=1), "The factor from the field to the hub value."),
    Key(
        "seconds",
        Choice("truncate", "round", "exact"),
        "A duration on one side, integer seconds on the other: how fractions are converted.",
    ),
    Key(
        "outOfRange",
        Choice("cap", "error"),
        "How `seconds` converts values out of range: error (default).",
    ),
    Key(
        "part",
        Choice("group"),
        "The part of the string that the hub has: `group`, the group of an `apiVersion`.",
    ),
    Key("version", TEXT, "The version that `part: group` adds to the group of the hub."),
    Key(
        "split",
        mapped(ListOf(PATH, "a list of two paths", 2, 2), _pair),
        "The paths for the number and for the string.",
    ),
    Key("select", PATH, "The list element, and the field in it, to which this field maps."),
    Key(
        "set",
        map_of(TEXT, _element_value, "a mapping of paths below the element to values"),
        "Values of a new element, in addition to those that `select` compares.",
    ),
    Key("absent", _AbsentShape(), "The value of the other side that corresponds to unset, or cases of it."),
    Key("keepZero", _CASES, "The value of `absent` is not converted to unset."),
    Key("alias", PATH, "The field of which this is an alias."),
    Key("clamp", _CLAMP, "A replacement for values below a bound."),
    SNAPSHOT,
)
_ALL_KEYS: KeySet = (*_FIELD_ONLY_KEYS, *_HUB_ONLY_KEYS)
LENS_KEYS = {key.attribute: key.name for key in _ALL_KEYS}
"""The keys of a lens, by attribute of `LensSpec`."""

_OPTIONS = Part(LensSpec, _ALL_KEYS)
_LENS = Keys("lens", "a lens", _ALL_KEYS)
_HUB_ONLY = Keys(
    "hubOnlyLens",
    "a lens of `hubOnly`",
    _HUB_ONLY_KEYS,
    elsewhere={key.name: "the version has no field to map" for key in _FIELD_ONLY_KEYS},
)


def _lens(found: Found, node: Node, context: Context) -> LensSpec | None:
    if not found.written:
        if isinstance(node, Mapping) and not node.entries:
            context.error("AG0203", node.place, "a lens needs an option, such as `drop` with a reason")
        return None
    return _OPTIONS.of(found, place=node.place)


def _moved(path: Path, node: Node, _: Context) -> LensSpec:
    return LensSpec(place=node.place, to=path)


def _path_lens(name: Scalar, lens: LensSpec, context: Context) -> PathLens | None:
    path = read_path(name, context)
    return None if path is None else PathLens(path, lens)


LENS: Shape[LensSpec] = ByForm("a path, or a lens as a map", scalar=mapped(PATH, _moved), mapping=mapped(_LENS, _lens))
"""A field's `hub:`."""

LENSES = map_of(LENS, _path_lens, "a mapping of paths to lenses")
"""A struct's `lenses:`, by path of its version."""

HUB_ONLY = map_of(mapped(_HUB_ONLY, _lens), _path_lens, "a mapping of hub paths to lenses")
"""A struct's `hubOnly:`, by path of the hub."""
