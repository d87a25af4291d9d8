"""The keys of a field and its values: conditions, constraints, defaults, feature gates and lenses.

    {path: value}   {path: [one, of]}   {set: path}   {unset: path}   {gate: Name}   {all: […]}   {any: […]}   {not: …}

A condition is a mapping of words and paths, joined by "and". A key that is one of these words means the word; a field of
that name is written `./set`.

A default is a scalar, or `{value: …}` or `{from: path}` with `when:`, or a list of those. Constraints are declared on a
value itself, and below `items:`, `keys:` and `values:` on its elements. The hub stage checks whether the options of a lens
fit together.
"""

from __future__ import annotations

from collections.abc import Mapping as AbstractMapping

from apigen.dataclass import replace
from apigen.language.model import (
    All,
    Any,
    ByHandSpec,
    Condition,
    Constraints,
    DefaultCase,
    Equals,
    GateEnabled,
    GateJoin,
    GateRuleSpec,
    GateSpec,
    IsSet,
    LensCase,
    LensSpec,
    Literal,
    LiteralNode,
    Located,
    ModeConstraints,
    NamedConstraints,
    Not,
    Path,
    PathDefault,
    PathLens,
    RuleSpec,
    SnapshotSpec,
)
from apigen.language.nodes import Context, Entry, Mapping, Node, Scalar, Sequence
from apigen.language.shapes import (
    ANNOTATION_KEY,
    CEL,
    COUNT,
    FLAG,
    LITERAL,
    NUMBER,
    PATH,
    PATTERN_TEXT,
    PLAIN_FLAG,
    REASON,
    SOME_TEXTS,
    TEXT,
    TEXTS,
    TYPE,
    ByForm,
    Definitions,
    Found,
    Key,
    Keys,
    KeySet,
    ListOf,
    Part,
    Schema,
    Shape,
    T_co,
    choice,
    made,
    map_of,
    mapped,
    read_path,
    whole,
)

_DEFINITION = "condition"


class ConditionShape(Shape[Condition]):
    """A condition."""

    expected = "a condition, such as `{path: value}`"

    def read(self, node: Node, context: Context) -> Condition | None:
        if not isinstance(node, Mapping):
            context.mismatch(node, self.expected)
            return None
        if not node.entries:
            context.error("AG0209", node.place, "an empty condition", hint=_ALWAYS_HINT)
            return None
        if node.damaged or node.repeated:
            context.mark_broken()
        parts = [_part(entry, context) for entry in node.entries]
        read = tuple(part for part in parts if part is not None)
        if len(read) < len(parts):
            return None
        return read[0] if len(read) == 1 else All(read)

    def schema(self, definitions: Definitions) -> Schema:
        if _DEFINITION not in definitions:
            definitions[_DEFINITION] = {}
            this: Schema = {"$ref": f"#/$defs/{_DEFINITION}"}
            several: Schema = {"type": "array", "items": this, "minItems": 1}
            value: Schema = {"type": ["string", "number", "boolean", "null"]}
            definitions[_DEFINITION] = {
                "description": "A condition; its parts are joined by `and`.",
                "type": "object",
                "minProperties": 1,
                "properties": {
                    "set": {"type": "string", "description": "A path that is set."},
                    "unset": {"type": "string", "description": "A path that is not set."},
                    "gate": {"type": "string", "description": "An enabled feature gate."},
                    "all": {**several, "description": "Conditions that are all true."},
                    "any": {**several, "description": "Conditions of which at least one is true."},
                    "not": {**this, "description": "A condition that is false."},
                },
                "additionalProperties": {"anyOf": [value, {"type": "array", "items": value, "minItems": 1}]},
            }
        return {"$ref": f"#/$defs/{_DEFINITION}"}


CONDITION = ConditionShape()

_ALWAYS_HINT = "omit `when:` if it is always true"
_CONDITIONS = ListOf(CONDITION, "a list of conditions with at least one element", least=1)


_WORDS: AbstractMapping[str, Shape[Condition]] = {
    "set": mapped(PATH, lambda path, *_: IsSet(path)),
    "unset": mapped(PATH, lambda path, *_: Not(IsSet(path))),
    "gate": mapped(TEXT, lambda gate, *_: GateEnabled(gate.value, gate.place)),
    "all": mapped(_CONDITIONS, lambda conditions, *_: All(conditions)),
    "any": mapped(_CONDITIONS, lambda conditions, *_: Any(conditions)),
    "not": mapped(CONDITION, lambda condition, *_: Not(condition)),
}


def _part(entry: Entry, context: Context) -> Condition | None:
    word = _WORDS.get(entry.key.text)
    if word is not None:
        return word.read(entry.value, context)
    path, values = read_path(entry.key, context), _values(entry.value, context)
    return None if path is None or values is None else Equals(path, values)


def _values(node: Node, context: Context) -> tuple[Literal, ...] | None:
    items = node.items if isinstance(node, Sequence) else (node,)
    if not items:
        context.error("AG0211", node.place, "an empty list, which no value matches")
        return None
    scalars = [item for item in items if isinstance(item, Scalar)]
    if len(scalars) < len(items):
        context.mismatch(node, "a value, or a list of alternative values")
        return None
    if any(LITERAL.read(scalar, context) is None for scalar in scalars):
        return None
    return tuple(scalar.value for scalar in scalars)


_RULE = made(
    Keys(
        "rule",
        "a rule",
        (
            Key("rule", CEL, "The CEL expression that must be true.", required=True),
            Key("message", TEXT, "The error message if it is false."),
            Key("messageExpression", CEL, "A CEL expression for the error message; takes precedence over `message`."),
            Key(
                "reason",
                choice("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"),
                "The kind of error; default: FieldValueInvalid.",
            ),
            Key("fieldPath", TEXT, "The path of the error, below the element: `.spec.replicas`, `.labels['app']`."),
            Key(
                "optionalOldSelf",
                FLAG,
                "`oldSelf` is an optional, and the rule is also evaluated without an old value.",
            ),
        ),
    ),
    RuleSpec,
)
RULES = Key("rules", ListOf(_RULE, "a list of rules"), "CEL rules for the value.")

_LIMITS: KeySet = (
    Key("minimum", NUMBER, "The minimum value."),
    Key("maximum", NUMBER, "The maximum value."),
    Key("exclusiveMinimum", NUMBER, "The value must be greater than this."),
    Key("exclusiveMaximum", NUMBER, "The value must be less than this."),
    Key("multipleOf", NUMBER, "The value must be a multiple of this."),
    Key("minLength", COUNT, "The minimum number of characters."),
    Key("maxLength", COUNT, "The maximum number of characters."),
    Key("maxBytes", COUNT, "The maximum number of bytes; strings are counted in UTF-8."),
    Key("pattern", PATTERN_TEXT, "A regular expression that must match somewhere in the string."),
    Key("format", TEXT, "A named string format, such as k8s-short-name."),
    Key("minItems", COUNT, "The minimum number of elements."),
    Key("maxItems", COUNT, "The maximum number of elements."),
    Key("uniqueItems", FLAG, "Elements must be unique."),
    Key("minProperties", COUNT, "The minimum number of entries."),
    Key("maxProperties", COUNT, "The maximum number of entries."),
    Key("immutable", FLAG, "The value cannot be changed after creation."),
    Key("monotonic", FLAG, "The number must not decrease."),
    Key("not", LITERAL, "An excluded value.", to="not_value"),
    Key(
        "update",
        ListOf(choice("noSet", "noUnset", "noModify", "noAddItem", "noRemoveItem"), "a list of words", least=1),
        "Changes that updates must not make: `noSet`, `noUnset`, `noModify`, `noAddItem`, `noRemoveItem`.",
    ),
)
"""The constraints of any value, apart from CEL rules."""

FORBIDDEN = Key("forbidden", FLAG, "The field must not be set.")
UNIQUE_BY = Key("uniqueBy", SOME_TEXTS, "Fields of the elements that must be unique in combination.")
REQUIRES = Key("requires", SOME_TEXTS, "Sibling fields that must be set if this field is set.")
FORBIDS = Key("forbids", SOME_TEXTS, "Sibling fields that must not be set if this field is set.")

_NO_SIBLINGS = "it refers to sibling fields"

_NOT_BY_HAND = "list the constraints themselves"
_NO_RULES = "CEL rules do not depend on gates; declare them on the element itself"
_ELSEWHERE = {REQUIRES.name: _NO_SIBLINGS, FORBIDS.name: _NO_SIBLINGS}

_CONDITIONAL = made(
    Keys(
        "constraintsOfCase",
        "constraints",
        (*_LIMITS, FORBIDDEN, Key("required", FLAG, "The field must be set.")),
        elsewhere={**_ELSEWHERE, RULES.name: _NO_RULES},
    ),
    Constraints,
)
"""Constraints with `required`, which for a field is a key of the field itself."""


def _named(name: Scalar, case: Constraints, _: Context) -> NamedConstraints:
    return NamedConstraints(Located(name.text, name.place), case)


IF_ENABLED = Key(
    "ifEnabled",
    map_of(_CONDITIONAL, _named, "a mapping of gates to constraints"),
    "Constraints while a feature gate is enabled, by gate.",
)
IF_DISABLED = Key(
    "ifDisabled",
    map_of(_CONDITIONAL, _named, "a mapping of gates to constraints"),
    "Constraints while a feature gate is disabled, by gate.",
)
SUBFIELDS = Key(
    "subfields",
    map_of(_CONDITIONAL, _named, "a mapping of fields to constraints"),
    "Constraints on fields of the struct at this place only.",
)

IF_MODE = Key(
    "ifMode",
    map_of(
        map_of(_CONDITIONAL, _named, "a mapping of values to constraints"),
        lambda name, modes, _: ModeConstraints(Located(name.text, name.place), modes),
        "a mapping of a field to its values",
    ),
    "Constraints by the value of a sibling field; the field must not be set if its value is not listed.",
)

_BY_HAND_DOC = "Constraints that hand-written validation enforces; used by reviews only."


def _by_hand(name: str, keys: KeySet) -> Key[Constraints]:
    elsewhere = {key.name: _NO_SIBLINGS for key in (REQUIRES, FORBIDS) if key not in keys}
    elsewhere[RULES.name] = _NOT_BY_HAND
    return Key(
        "enforcedByHand",
        made(Keys(name, "constraints of hand-written validation", keys, elsewhere=elsewhere), Constraints),
        _BY_HAND_DOC,
    )


ENFORCED_BY_HAND = _by_hand("fieldConstraints", (*_LIMITS, REQUIRES, FORBIDS, FORBIDDEN, UNIQUE_BY))
_INNER_BY_HAND = _by_hand("valueConstraints", _LIMITS)

_FIELD_OR_TYPE: KeySet = (*_LIMITS, RULES, REQUIRES, FORBIDS)
TYPE_CONSTRAINTS = Part(Constraints, (*_FIELD_OR_TYPE, _INNER_BY_HAND))
OWN_CONSTRAINTS = Part(
    Constraints,
    (
        *(*_FIELD_OR_TYPE, FORBIDDEN, UNIQUE_BY, IF_ENABLED, IF_DISABLED, IF_MODE, SUBFIELDS),
        ENFORCED_BY_HAND,
    ),
)
"""The constraints of a field itself."""

_INNER = made(
    Keys(
        "constraints",
        "constraints on elements, keys or values",
        (*_LIMITS, RULES, _INNER_BY_HAND),
        elsewhere=_ELSEWHERE,
    ),
    Constraints,
)

INNER_CONSTRAINT_KEYS: KeySet = (
    Key("items", _INNER, "Constraints on each element of the list.", to="item_constraints"),
    Key("keys", _INNER, "Constraints on each key of the map.", to="key_constraints"),
    Key("values", _INNER, "Constraints on each value of the map.", to="value_constraints"),
)


_WHEN_DEFAULTED = Key("when", CONDITION, "The condition of this default.")
_DEFAULT_VALUE = Key("value", LITERAL, "The default value; null clears the field.")
_FROM = Key("from", PATH, "The path of the field whose value is copied.", to="from_path")
_INTO = Key("into", TEXT, "The field of a new struct that gets the value of `from`.")

_AS_VALUE = "write a list or map as a value: `{value: …}`"

_DEFAULT_KEYS = Keys(
    "defaultCase",
    "a default",
    (
        *(_DEFAULT_VALUE, _FROM, _INTO, _WHEN_DEFAULTED),
        Key("overwrite", PLAIN_FLAG, "Overwrite the value, even if it is set."),
        Key("byKey", PLAIN_FLAG, "Default a map entry by entry."),
        Key("emptyIsSet", PLAIN_FLAG, "Treat an empty list or map as set, here or in `from`."),
    ),
    one_of=(_DEFAULT_VALUE, _FROM),
    exclusive=((_DEFAULT_VALUE, _INTO),),
    hint=_AS_VALUE,
)
_DEFAULT = Part(DefaultCase, _DEFAULT_KEYS.keys)


def _default(found: Found, node: Node, _: Context) -> DefaultCase | None:
    has_value = found.get(_DEFAULT_VALUE) is not None or found.get(_FROM) is not None
    return _DEFAULT.of(found, place=node.place) if has_value and not found.is_bad(_WHEN_DEFAULTED) else None


def _plain_default(value: LiteralNode, node: Node, _: Context) -> tuple[DefaultCase, ...]:
    return (DefaultCase(node.place, value),)


class CaseList(ListOf[T_co]):
    """A list of cases, and not a list that is meant as a value."""

    def __init__(self, case: Shape[T_co]) -> None:
        super().__init__(case, "a list of cases with at least one element", least=1)

    def read(self, node: Node, context: Context) -> tuple[T_co, ...] | None:
        if isinstance(node, Sequence) and node.items and not any(isinstance(item, Mapping) for item in node.items):
            context.error("AG0202", node.place, "expected a list of cases, found a list of values", hint=_AS_VALUE)
            return None
        return super().read(node, context)


_ONE_DEFAULT = mapped(_DEFAULT_KEYS, _default)

DEFAULT_CASES = ByForm(
    "a value, `{value: …}` or `{from: path}`, or a list of those",
    scalar=mapped(LITERAL, _plain_default),
    mapping=mapped(_ONE_DEFAULT, lambda case, *_: (case,)),
    sequence=CaseList(_ONE_DEFAULT),
    empty="remove it: a field without a default is unset, or has its zero value",
)
"""The cases of a default, in order."""


def _path_default(name: Scalar, cases: tuple[DefaultCase, ...], context: Context) -> PathDefault | None:
    path = read_path(name, context)
    return None if path is None else PathDefault(path, cases)


PATH_DEFAULTS = map_of(DEFAULT_CASES, _path_default, "a mapping of paths to defaults")
"""The `defaults:` of a struct, in order."""


_CLOSED = "closed"
"""The value of a rule in place of a gate, for fields that are no longer accepted."""

Joined = tuple[GateJoin, tuple[Located[str], ...]]

_ALL = Key("all", SOME_TEXTS, "Gates that must all be enabled.")
_ANY = Key("any", SOME_TEXTS, "Gates of which at least one must be enabled.")


def _joined(found: Found, *_: object) -> Joined | None:
    every, some = found.get(_ALL), found.get(_ANY)
    if every is not None:
        return GateJoin.ALL, every
    return None if some is None else (GateJoin.ANY, some)


_GATES = ByForm(
    "the name of a gate, or `{all: […]}` or `{any: […]}`",
    scalar=mapped(TEXT, lambda name, *_: (GateJoin.ALL, (name,))),
    mapping=mapped(Keys("joinedGates", "several gates", (_ALL, _ANY), one_of=(_ALL, _ANY)), _joined),
)


_IN_USE = ByForm[str | Condition](
    "`gate`, `field`, `place`, `never` or a condition on the old object",
    scalar=mapped(choice("gate", "field", "place", "never"), lambda word, *_: word.value),
    mapping=CONDITION,
)


_DROPPED = ByForm(
    "a path, or a list of paths",
    scalar=mapped(PATH, lambda path, *_: (path,)),
    sequence=ListOf(PATH, "a list of paths with at least one element", least=1),
)

GATE = Key("gate", _GATES, "The gate, or `{all: […]}` or `{any: […]}` of several.")
IN_USE = Key(
    "inUse",
    _IN_USE,
    "When the old object uses the element: `gate` (default), `field`, `place`, `never`, or a condition.",
)
_WHEN_DROPPED = Key("when", CONDITION, "The condition on the object under which they are dropped.")
_HOW = Part(
    GateSpec,
    (
        IN_USE,
        Key("to", LITERAL, "The value while the gate is disabled, instead of unset."),
        Key(
            "during",
            mapped(TEXTS, lambda operations, *_: tuple(operation.value for operation in operations)),
            "The operations that drop the element; an empty list: it is never dropped.",
        ),
        Key("prune", PLAIN_FLAG, "Also drop a parent that becomes empty."),
    ),
)
_NAMES: KeySet = (GATE, _ALL, _ANY)


def _mark(found: Found, node: Node, _: Context) -> GateSpec | None:
    joined = found.get(GATE) or _joined(found)
    if joined is None or found.is_bad(IN_USE):
        return None
    return _HOW.of(found, join=joined[0], gates=joined[1], place=node.place)


GATE_MARK = ByForm(
    "the name of a gate, or `{gate: Name, …}`",
    scalar=mapped(TEXT, lambda name, node, _: GateSpec((name,), GateJoin.ALL, node.place)),
    mapping=mapped(Keys("gateMark", "the gate of an element", (*_NAMES, *_HOW.keys), one_of=_NAMES), _mark),
)
"""The `featureGate:` of a field or enum value."""


_DROP = Key("drop", _DROPPED, "The paths that are dropped.", required=True)


def _rule(found: Found, node: Node, context: Context) -> GateRuleSpec | None:
    gate, drop = _mark(found, node, context), found.get(_DROP)
    if gate is None or drop is None or found.is_bad(_WHEN_DROPPED):
        return None
    if [name.value for name in gate.gates] == [_CLOSED]:
        gate = replace(gate, gates=(), join=GateJoin.ANY)
    return GateRuleSpec(gate, drop, found.get(_WHEN_DROPPED))


_RULE_NAMES: KeySet = (
    Key(
        "gate", _GATES, "The gate, or `{all: […]}` or `{any: […]}` of several, or `closed` if it is no longer accepted."
    ),
    *(_ALL, _ANY),
)
_GATE_RULE = Keys(
    "gateRule",
    "a rule of `gates`",
    (*_RULE_NAMES, *_HOW.keys, _DROP, _WHEN_DROPPED),
    one_of=_RULE_NAMES,
)

GATE_RULES = ListOf(mapped(_GATE_RULE, _rule), "a list of rules")
"""The `gates:` of a hub type."""


_WHEN = Key("when", CONDITION, "The condition of this value.")
_VALUE = Key("value", LITERAL, "The value.", required=True)
_CASE_KEYS = Keys("lensCase", "a case", (_VALUE, _WHEN), hint=_AS_VALUE)
_ABSENT_CASE_KEYS = Keys(
    "absentCase",
    "a case of `absent`",
    (
        *(_VALUE, _WHEN),
        Key(
            "direction",
            mapped(choice("to_hub", "from_hub"), lambda direction, *_: direction.value),
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
                choice("unchanged"),
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
    Key("format", choice("decimal", "selector", "json", "marker"), "How a value is written as a string."),
    Key("as", TYPE, "The type of the value in the annotation.", to="as_type"),
    Key(
        "empty",
        choice("absent", "keep"),
        "`absent`: an empty list or map becomes unset. For an annotation: empty text means unset; `absent` removes the"
        " annotation, `keep` preserves it.",
    ),
    Key("unreadable", choice("ignore"), "Ignore an annotation that cannot be parsed."),
    Key("stale", choice("keep"), "Keep the annotation if the value is unset."),
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
    Key("parent", choice("always", "whenSet"), "When the optional parent in the hub is created."),
    Key("wins", choice("singular", "plural", "this", "last"), "Which value takes precedence if they differ."),
    Key("list", PATH, "The hub list to which this map is converted.", to="list_path"),
    Key("map", PATH, "The hub map to which this list is converted.", to="map_path"),
    Key("key", TEXT, "The field of the list elements that contains the key of the map.", to="list_key"),
    Key("value", TEXT, "The field of the list elements that contains the value of the map.", to="list_value"),
    Key(
        "duplicates",
        choice("last", "first", "error"),
        "Which of several elements with the same key the map gets: last (default), first, or error.",
    ),
    Key(
        "enum",
        map_of(TEXT, _renaming, "a mapping of old values to new ones"),
        "Values that are renamed in the hub.",
    ),
    Key("scale", whole(least=1), "The factor from the field to the hub value."),
    Key(
        "seconds",
        choice("truncate", "round", "exact"),
        "A duration on one side, integer seconds on the other: how fractions are converted.",
    ),
    Key(
        "outOfRange",
        choice("cap", "error"),
        "How `seconds` converts values out of range: error (default).",
    ),
    Key(
        "part",
        choice("group"),
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
