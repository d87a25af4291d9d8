"""Lenses: `hub:` of a field, `lenses:` and `hubOnly:` of a struct. The hub stage checks whether options fit together."""

from __future__ import annotations

from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet
from apigen.language.model import ByHandSpec, LensCase, LensSpec, LiteralNode, Located, PathLens, SnapshotSpec
from apigen.language.nodes import Mapping, Node, Scalar, Sequence
from apigen.language.paths import Path
from apigen.language.readers.defaults import CaseList
from apigen.language.shapes import ByForm, Definitions, ListOf, Schema, Shape, map_of, mapped
from apigen.language.words import (
    ANNOTATION_KEY,
    FLAG,
    LITERAL,
    NUMBER,
    PATH,
    REASON,
    TEXT,
    TYPE,
    Choice,
    WholeShape,
    read_path,
)

_WHEN = Key("when", CONDITION, "The condition of this value.")
_VALUE = Key("value", LITERAL, "The value.", required=True)
_DIRECTION = Key("direction", Choice("to_hub", "from_hub"), "The direction of conversion to which the case is limited.")
_AS_VALUE = "write a list or map as a value: `{value: …}`"
_CASE_KEYS = Keys("lensCase", "a case", (_VALUE, _WHEN), hint=_AS_VALUE)
_ABSENT_CASE_KEYS = Keys("absentCase", "a case of `absent`", (_VALUE, _WHEN, _DIRECTION))


def _case(found: Found, node: Node, _: Context) -> LensCase | None:
    value = found.get(_VALUE)
    if value is None or found.is_bad(_WHEN):
        return None
    direction = found.get(_DIRECTION)
    return LensCase(value, found.get(_WHEN), node.place, None if direction is None else direction.value)


def _plain(value: LiteralNode, node: Node, _: Context) -> tuple[LensCase, ...]:
    return (LensCase(value, None, node.place),)


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


_BELOW = Key("below", NUMBER, "The bound.", required=True)
_CLAMP_TO = Key("to", NUMBER, "The replacement of a value below the bound.", required=True)
_CLAMP_KEYS = Keys("clamp", "a clamp", (_BELOW, _CLAMP_TO))


def _clamp(found: Found, *_: object) -> tuple[Located[int | float], Located[int | float]] | None:
    below, to = found.get(_BELOW), found.get(_CLAMP_TO)
    return None if below is None or to is None else (below, to)


def _renaming(name: Scalar, to: Located[str], _: Context) -> tuple[Located[str], Located[str]]:
    return Located(name.text, name.place), to


def _element_value(name: Scalar, value: Located[str], context: Context) -> tuple[Path, Located[str]] | None:
    path = read_path(name, context)
    return None if path is None else (path, value)


def _pair(paths: tuple[Path, ...], *_: object) -> tuple[Path, Path]:
    first, second = paths
    return first, second


TO = Key("to", PATH, "The hub path that the field maps to.")
PARENT = Key("parent", Choice("always", "whenSet"), "When the optional parent in the hub is created.")
WINS = Key("wins", Choice("singular", "plural", "this", "last"), "Which value takes precedence if they differ.")
LIST = Key("list", PATH, "The hub list to which this map is converted.")
MAP = Key("map", PATH, "The hub map to which this list is converted.")
LIST_KEY = Key("key", TEXT, "The field of the list elements that contains the key of the map.")
LIST_VALUE = Key("value", TEXT, "The field of the list elements that contains the value of the map.")
DUPLICATES = Key(
    "duplicates",
    Choice("last", "first", "error"),
    "Which of several elements with the same key the map gets: last (default), first, or error.",
)
ENUM = Key(
    "enum", map_of(TEXT, _renaming, "a mapping of old values to new ones"), "Values that are renamed in the hub."
)
SCALE = Key("scale", WholeShape(least=1), "The factor from the field to the hub value.")
SECONDS = Key(
    "seconds",
    Choice("truncate", "round", "exact"),
    "A duration on one side, integer seconds on the other: how fractions are converted.",
)
OUT_OF_RANGE = Key(
    "outOfRange",
    Choice("cap", "error"),
    "How `seconds` converts values out of range: error (default).",
)
PART = Key("part", Choice("group"), "The part of the string that the hub has: `group`, the group of an `apiVersion`.")
PART_VERSION = Key("version", TEXT, "The version that `part: group` adds to the group of the hub.")
FORMAT = Key("format", Choice("decimal", "selector", "json", "marker"), "How a value is written as a string.")
SPLIT = Key(
    "split", mapped(ListOf(PATH, "a list of two paths", 2, 2), _pair), "The paths for the number and for the string."
)
SELECT = Key("select", PATH, "The list element, and the field in it, to which this field maps.")
SET = Key(
    "set",
    map_of(TEXT, _element_value, "a mapping of paths below the element to values"),
    "Values of a new element, in addition to those that `select` compares.",
)
ABSENT = Key("absent", _AbsentShape(), "The value of the other side that corresponds to unset, or cases of it.")
KEEP_ZERO = Key("keepZero", _CASES, "The value of `absent` is not converted to unset.")
ALIAS = Key("alias", PATH, "The field of which this is an alias.")
CONSTANT = Key("constant", _CASES, "The constant that is written; it is cleared when it is read.")
SOURCE = Key(
    "from",
    PATH,
    "The metadata of the object, such as `$.metadata.namespace`, whose value is written; it is cleared when it is read.",
)
CLAMP = Key("clamp", mapped(_CLAMP_KEYS, _clamp), "A replacement for values below a bound.")
ANNOTATION = Key("annotation", ANNOTATION_KEY, "The annotation that preserves the value.")
AS = Key("as", TYPE, "The type of the value in the annotation.")
EMPTY = Key(
    "empty",
    Choice("absent", "keep"),
    "`absent`: an empty list or map becomes unset. For an annotation: empty text means unset; `absent` removes the"
    " annotation, `keep` preserves it.",
)
UNREADABLE = Key("unreadable", Choice("ignore"), "Ignore an annotation that cannot be parsed.")
STALE = Key("stale", Choice("keep"), "Keep the annotation if the value is unset.")
DROP = Key("drop", REASON, "Why the value is dropped.")
_BY_HAND_REASON = Key("reason", REASON, "How the function converts it.", required=True)
_BY_HAND_CONTEXT = Key("context", FLAG, "Whether the function takes the `context` of the caller (default: false).")
_BY_HAND = Keys("byHand", "a conversion by hand", (_BY_HAND_REASON, _BY_HAND_CONTEXT))


def _by_hand(found: Found, *_: object) -> ByHandSpec | None:
    reason = found.get(_BY_HAND_REASON)
    return None if reason is None else ByHandSpec(reason, found.is_true(_BY_HAND_CONTEXT))


BY_HAND = Key(
    "byHand",
    ByForm(
        "a reason, or `{reason: …, context: true}`",
        scalar=mapped(REASON, lambda reason, *_: ByHandSpec(reason)),
        mapping=mapped(_BY_HAND, _by_hand),
    ),
    "How the hand-written function of a containing type converts it; with `to:`, the generated code copies it there first.",
)

_SNAPSHOT_ANNOTATION = Key(
    "annotation", ANNOTATION_KEY, "The annotation of other versions with the value of the field.", required=True
)
_SNAPSHOT_WHEN = Key(
    "when", Choice("unchanged"), "The value is restored if the fields derived from it are unchanged (default)."
)
_SNAPSHOT_NULL = Key("writeNull", FLAG, "Whether the annotation of an unset field is `null` (default: false).")
_SNAPSHOT = Keys("preserveField", "what preserves a field", (_SNAPSHOT_ANNOTATION, _SNAPSHOT_WHEN, _SNAPSHOT_NULL))


def _snapshot(found: Found, *_: object) -> SnapshotSpec | None:
    annotation = found.get(_SNAPSHOT_ANNOTATION)
    return None if annotation is None else SnapshotSpec(annotation, found.is_true(_SNAPSHOT_NULL))


SNAPSHOT = Key(
    "preserve",
    mapped(_SNAPSHOT, _snapshot),
    "An annotation of other versions that preserves the value of this field, of which they have a derived form.",
)

_HUB_ONLY_KEYS: KeySet = (ANNOTATION, FORMAT, AS, EMPTY, UNREADABLE, STALE, CONSTANT, SOURCE, DROP, BY_HAND)
_FIELD_ONLY_KEYS: KeySet = (
    TO,
    PARENT,
    WINS,
    LIST,
    MAP,
    LIST_KEY,
    LIST_VALUE,
    DUPLICATES,
    ENUM,
    SCALE,
    SECONDS,
    OUT_OF_RANGE,
    PART,
    PART_VERSION,
    SPLIT,
    SELECT,
    SET,
    ABSENT,
    KEEP_ZERO,
    ALIAS,
    CLAMP,
    SNAPSHOT,
)
_LENS = Keys("lens", "a lens", (*_FIELD_ONLY_KEYS, *_HUB_ONLY_KEYS))
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
    return LensSpec(
        place=node.place,
        to=found.get(TO),
        parent=found.get(PARENT),
        wins=found.get(WINS),
        list_path=found.get(LIST),
        map_path=found.get(MAP),
        list_key=found.get(LIST_KEY),
        list_value=found.get(LIST_VALUE),
        duplicates=found.get(DUPLICATES),
        enum=found.get(ENUM),
        scale=found.get(SCALE),
        seconds=found.get(SECONDS),
        out_of_range=found.get(OUT_OF_RANGE),
        part=found.get(PART),
        version=found.get(PART_VERSION),
        format=found.get(FORMAT),
        split=found.get(SPLIT),
        select=found.get(SELECT),
        set=found.get(SET),
        absent=found.get(ABSENT),
        keep_zero=found.get(KEEP_ZERO),
        alias=found.get(ALIAS),
        constant=found.get(CONSTANT),
        source=found.get(SOURCE),
        clamp=found.get(CLAMP),
        annotation=found.get(ANNOTATION),
        as_type=found.get(AS),
        empty=found.get(EMPTY),
        unreadable=found.get(UNREADABLE),
        stale=found.get(STALE),
        drop=found.get(DROP),
        by_hand=found.get(BY_HAND),
        preserve=found.get(SNAPSHOT),
    )


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
