"""Lenses: `hub:` of a field, `lenses:` and `hubOnly:` of a struct. The hub stage judges whether words fit together."""

from __future__ import annotations

from apigen.language.condition_reader import CONDITION
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet
from apigen.language.model import LensCase, LensSpec, LiteralNode, Located, PathLens
from apigen.language.nodes import Mapping, Node, Scalar
from apigen.language.paths import Path
from apigen.language.readers.defaults import CaseList
from apigen.language.shapes import ByForm, ListOf, Shape, made, map_of
from apigen.language.words import LITERAL, NUMBER, PATH, REASON, TEXT, TYPE, Choice, WholeShape, read_path

_WHEN = Key("when", CONDITION, "The condition under which this value counts.")
_VALUE = Key("value", LITERAL, "The value.", required=True)
_CASE_KEYS = Keys("lensCase", "a case", (_VALUE, _WHEN), hint="a list or mapping as a value is written `{value: …}`")


def _case(found: Found, node: Node, _: Context) -> LensCase | None:
    value = found.get(_VALUE)
    if value is None or found.is_bad(_WHEN):
        return None
    return LensCase(value, found.get(_WHEN), node.place)


def _plain(value: LiteralNode, node: Node, _: Context) -> tuple[LensCase, ...]:
    return (LensCase(value, None, node.place),)


_ONE_CASE = made(_CASE_KEYS, _case)
_CASES = ByForm(
    "a value, or a list of cases `{when: …, value: …}`",
    scalar=made(LITERAL, _plain),
    mapping=made(_ONE_CASE, lambda case, *_: (case,)),
    sequence=CaseList(_ONE_CASE),
)

_BELOW = Key("below", NUMBER, "The bound.", required=True)
_CLAMP_TO = Key("to", NUMBER, "What a value below the bound is replaced by.", required=True)
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
PARENT = Key("parent", Choice("always", "whenSet"), "When the optional parent in the hub is made.")
WINS = Key("wins", Choice("singular", "plural", "this", "last"), "Which of several values counts when they differ.")
LIST = Key("list", PATH, "The list of the hub that this map becomes.")
LIST_KEY = Key("key", TEXT, "The field of the list's elements that holds the map's key.")
ENUM = Key(
    "enum", map_of(TEXT, _renaming, "a mapping of old values to new ones"), "Values that are renamed in the hub."
)
SCALE = Key("scale", WholeShape(least=1), "The hub's value is this many times the field's.")
SECONDS = Key(
    "seconds",
    Choice("truncate", "round", "exact"),
    "A duration on one side, whole seconds on the other: what becomes of a fraction.",
)
OUT_OF_RANGE = Key(
    "outOfRange",
    Choice("cap", "error"),
    "What `seconds` makes of values that the other side cannot hold: error (default).",
)
FORMAT = Key("format", Choice("decimal", "selector", "json", "marker"), "How a value is written as text.")
SPLIT = Key(
    "split", made(ListOf(PATH, "a list of two paths", 2, 2), _pair), "The paths for the number and for the text."
)
SELECT = Key("select", PATH, "The element of a list, and the field in it, that this is.")
SET = Key(
    "set",
    map_of(TEXT, _element_value, "a mapping of paths below the element to values"),
    "Values that a new element has besides those that `select` compares.",
)
ABSENT = Key("absent", LITERAL, "The value that `None` stands for on the other side.")
KEEP_ZERO = Key("keepZero", _CASES, "The value of `absent` does not turn into `None`.")
ALIAS = Key("alias", PATH, "The field for which this is another name.")
CONSTANT = Key("constant", _CASES, "Written as this, cleared on the way in.")
CLAMP = Key("clamp", made(_CLAMP_KEYS, _clamp), "A value below a bound is replaced.")
ANNOTATION = Key("annotation", TEXT, "The annotation that carries it.")
AS = Key("as", TYPE, "The type as which it is written in the annotation.")
EMPTY = Key("empty", Choice("absent"), "An annotation with empty text counts as absent.")
UNREADABLE = Key("unreadable", Choice("ignore"), "An annotation that cannot be read is ignored.")
STALE = Key("stale", Choice("keep"), "The annotation stays when there is nothing to carry.")
DROP = Key("drop", REASON, "Why it is lost on purpose.")
BY_HAND = Key(
    "byHand",
    REASON,
    "What the hand-written function of a type above does with it; with `to:` the generated body carries it there first.",
)

_HUB_ONLY_KEYS: KeySet = (ANNOTATION, FORMAT, AS, EMPTY, UNREADABLE, STALE, CONSTANT, DROP, BY_HAND)
_FIELD_ONLY_KEYS: KeySet = (
    TO,
    PARENT,
    WINS,
    LIST,
    LIST_KEY,
    ENUM,
    SCALE,
    SECONDS,
    OUT_OF_RANGE,
    SPLIT,
    SELECT,
    SET,
    ABSENT,
    KEEP_ZERO,
    ALIAS,
    CLAMP,
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
            context.error("AG0203", node.place, "a lens needs a word, such as `drop` with a reason")
        return None
    return LensSpec(
        place=node.place,
        to=found.get(TO),
        parent=found.get(PARENT),
        wins=found.get(WINS),
        list_path=found.get(LIST),
        list_key=found.get(LIST_KEY),
        enum=found.get(ENUM),
        scale=found.get(SCALE),
        seconds=found.get(SECONDS),
        out_of_range=found.get(OUT_OF_RANGE),
        format=found.get(FORMAT),
        split=found.get(SPLIT),
        select=found.get(SELECT),
        set=found.get(SET),
        absent=found.get(ABSENT),
        keep_zero=found.get(KEEP_ZERO),
        alias=found.get(ALIAS),
        constant=found.get(CONSTANT),
        clamp=found.get(CLAMP),
        annotation=found.get(ANNOTATION),
        as_type=found.get(AS),
        empty=found.get(EMPTY),
        unreadable=found.get(UNREADABLE),
        stale=found.get(STALE),
        drop=found.get(DROP),
        by_hand=found.get(BY_HAND),
    )


def _moved(path: Path, node: Node, _: Context) -> LensSpec:
    return LensSpec(place=node.place, to=path)


def _path_lens(name: Scalar, lens: LensSpec, context: Context) -> PathLens | None:
    path = read_path(name, context)
    return None if path is None else PathLens(path, lens)


LENS: Shape[LensSpec] = ByForm("a path, or a lens as a mapping", scalar=made(PATH, _moved), mapping=made(_LENS, _lens))
"""A field's `hub:`."""

LENSES = map_of(LENS, _path_lens, "a mapping of paths to lenses")
"""A struct's `lenses:`, by path of its version."""

HUB_ONLY = map_of(made(_HUB_ONLY, _lens), _path_lens, "a mapping of hub paths to lenses")
"""A struct's `hubOnly:`, by path of the hub."""
