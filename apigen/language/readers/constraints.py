"""The keys of validation, on a value itself, and below `items:`, `keys:` and `values:` on its elements."""

from __future__ import annotations

from apigen.dataclass import replace
from apigen.language.context import Context
from apigen.language.keys import Found, Key, Keys, KeySet, names_of
from apigen.language.model import NO_CONSTRAINTS, Constraints, Located, ModeConstraints, NamedConstraints, RuleSpec
from apigen.language.nodes import Scalar
from apigen.language.shapes import ListOf, map_of, mapped
from apigen.language.words import CEL, COUNT, FLAG, LITERAL, NUMBER, PATTERN_TEXT, SOME_TEXTS, TEXT, Choice

_RULE = Key("rule", CEL, "The CEL expression that must be true.", required=True)
_MESSAGE = Key("message", TEXT, "The error message if it is false.")
_MESSAGE_EXPRESSION = Key(
    "messageExpression", CEL, "A CEL expression for the error message; takes precedence over `message`."
)
_REASON = Key(
    "reason",
    Choice("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"),
    "The kind of error; default: FieldValueInvalid.",
)
_FIELD_PATH = Key("fieldPath", TEXT, "The path of the error, below the element: `.spec.replicas`, `.labels['app']`.")
_OPTIONAL_OLD_SELF = Key(
    "optionalOldSelf", FLAG, "`oldSelf` is an optional, and the rule is also evaluated without an old value."
)
_RULE_KEYS = Keys("rule", "a rule", (_RULE, _MESSAGE, _MESSAGE_EXPRESSION, _REASON, _FIELD_PATH, _OPTIONAL_OLD_SELF))


def _rule(found: Found, *_: object) -> RuleSpec | None:
    rule = found.get(_RULE)
    if rule is None:
        return None
    return RuleSpec(
        rule,
        message=found.get(_MESSAGE),
        message_expression=found.get(_MESSAGE_EXPRESSION),
        reason=found.get(_REASON),
        field_path=found.get(_FIELD_PATH),
        optional_old_self=found.get(_OPTIONAL_OLD_SELF),
    )


MINIMUM = Key("minimum", NUMBER, "The minimum value.")
MAXIMUM = Key("maximum", NUMBER, "The maximum value.")
EXCLUSIVE_MINIMUM = Key("exclusiveMinimum", NUMBER, "The value must be greater than this.")
EXCLUSIVE_MAXIMUM = Key("exclusiveMaximum", NUMBER, "The value must be less than this.")
MULTIPLE_OF = Key("multipleOf", NUMBER, "The value must be a multiple of this.")
MIN_LENGTH = Key("minLength", COUNT, "The minimum number of characters.")
MAX_LENGTH = Key("maxLength", COUNT, "The maximum number of characters.")
MAX_BYTES = Key("maxBytes", COUNT, "The maximum number of bytes; strings are counted in UTF-8.")
PATTERN = Key("pattern", PATTERN_TEXT, "A regular expression that must match somewhere in the string.")
FORMAT = Key("format", TEXT, "A named string format, such as k8s-short-name.")
MIN_ITEMS = Key("minItems", COUNT, "The minimum number of elements.")
MAX_ITEMS = Key("maxItems", COUNT, "The maximum number of elements.")
UNIQUE_ITEMS = Key("uniqueItems", FLAG, "Elements must be unique.")
MIN_PROPERTIES = Key("minProperties", COUNT, "The minimum number of entries.")
MAX_PROPERTIES = Key("maxProperties", COUNT, "The maximum number of entries.")
IMMUTABLE = Key("immutable", FLAG, "The value cannot be changed after creation.")
RULES = Key("rules", ListOf(mapped(_RULE_KEYS, _rule), "a list of rules"), "CEL rules for the value.")
MONOTONIC = Key("monotonic", FLAG, "The number must not decrease.")
NOT = Key("not", LITERAL, "An excluded value.")
UPDATE = Key(
    "update",
    ListOf(Choice("noSet", "noUnset", "noModify", "noAddItem", "noRemoveItem"), "a list of words", least=1),
    "Changes that updates must not make: `noSet`, `noUnset`, `noModify`, `noAddItem`, `noRemoveItem`.",
)
FORBIDDEN = Key("forbidden", FLAG, "The field must not be set.")
MUST_BE_SET = Key("required", FLAG, "The field must be set.")
UNIQUE_BY = Key("uniqueBy", SOME_TEXTS, "Fields of the elements that must be unique in combination.")
REQUIRES = Key("requires", SOME_TEXTS, "Sibling fields that must be set if this field is set.")
FORBIDS = Key("forbids", SOME_TEXTS, "Sibling fields that must not be set if this field is set.")

_INNER_KEYS: KeySet = (
    MINIMUM,
    MAXIMUM,
    EXCLUSIVE_MINIMUM,
    EXCLUSIVE_MAXIMUM,
    MULTIPLE_OF,
    MIN_LENGTH,
    MAX_LENGTH,
    MAX_BYTES,
    PATTERN,
    FORMAT,
    MIN_ITEMS,
    MAX_ITEMS,
    UNIQUE_ITEMS,
    MIN_PROPERTIES,
    MAX_PROPERTIES,
    IMMUTABLE,
    MONOTONIC,
    NOT,
    UPDATE,
    RULES,
)
_NO_SIBLINGS = "it refers to sibling fields"

_NOT_BY_HAND = "list the constraints themselves"
_NO_RULES = "CEL rules do not depend on gates; declare them on the element itself"
_CASE_KEYS: KeySet = (*(key for key in _INNER_KEYS if key is not RULES), FORBIDDEN, MUST_BE_SET)
_ELSEWHERE = {REQUIRES.name: _NO_SIBLINGS, FORBIDS.name: _NO_SIBLINGS}


def _named(name: Scalar, found: Found, _: Context) -> NamedConstraints:
    """Constraints with `required`, which for a field is a key of the field itself."""
    read = constraints(found)
    return NamedConstraints(Located(name.text, name.place), replace(read, required=found.get(MUST_BE_SET)))


_CASE = Keys("constraintsOfCase", "constraints", _CASE_KEYS, elsewhere={**_ELSEWHERE, RULES.name: _NO_RULES})

IF_ENABLED = Key(
    "ifEnabled",
    map_of(_CASE, _named, "a mapping of gates to constraints"),
    "Constraints while a feature gate is enabled, by gate.",
)
IF_DISABLED = Key(
    "ifDisabled",
    map_of(_CASE, _named, "a mapping of gates to constraints"),
    "Constraints while a feature gate is disabled, by gate.",
)
SUBFIELDS = Key(
    "subfields",
    map_of(_CASE, _named, "a mapping of fields to constraints"),
    "Constraints on fields of the struct at this place only.",
)

IF_MODE = Key(
    "ifMode",
    map_of(
        map_of(_CASE, _named, "a mapping of values to constraints"),
        lambda name, modes, _: ModeConstraints(Located(name.text, name.place), modes),
        "a mapping of a field to its values",
    ),
    "Constraints by the value of a sibling field; the field must not be set if its value is not listed.",
)

_BY_HAND_DOC = "Constraints that hand-written validation enforces; used by reviews only."
_BY_HAND_OF_PART: KeySet = tuple(key for key in _INNER_KEYS if key is not RULES)


def _by_hand(name: str, keys: KeySet) -> Key[Constraints]:
    elsewhere = {key.name: _NO_SIBLINGS for key in (REQUIRES, FORBIDS) if key not in keys}
    read = mapped(
        Keys(name, "constraints of hand-written validation", keys, elsewhere={**elsewhere, RULES.name: _NOT_BY_HAND}),
        lambda found, *_: constraints(found),
    )
    return Key("enforcedByHand", read, _BY_HAND_DOC)


ENFORCED_BY_HAND = _by_hand("fieldConstraints", (*_BY_HAND_OF_PART, REQUIRES, FORBIDS, FORBIDDEN, UNIQUE_BY))
_INNER_BY_HAND = _by_hand("valueConstraints", _BY_HAND_OF_PART)

_FIELD_OR_TYPE: KeySet = (*_INNER_KEYS, REQUIRES, FORBIDS)
TYPE_CONSTRAINT_KEYS: KeySet = (*_FIELD_OR_TYPE, _INNER_BY_HAND)
OWN_CONSTRAINT_KEYS: KeySet = (
    *(*_FIELD_OR_TYPE, FORBIDDEN, UNIQUE_BY, IF_ENABLED, IF_DISABLED, IF_MODE, SUBFIELDS),
    ENFORCED_BY_HAND,
)
_NAMES = names_of((*OWN_CONSTRAINT_KEYS, MUST_BE_SET))


def constraints(found: Found) -> Constraints:
    """Return the constraints in the entries of a mapping."""
    if not found.has_any(_NAMES):
        return NO_CONSTRAINTS
    return Constraints(
        minimum=found.get(MINIMUM),
        maximum=found.get(MAXIMUM),
        exclusive_minimum=found.get(EXCLUSIVE_MINIMUM),
        exclusive_maximum=found.get(EXCLUSIVE_MAXIMUM),
        multiple_of=found.get(MULTIPLE_OF),
        min_length=found.get(MIN_LENGTH),
        max_length=found.get(MAX_LENGTH),
        max_bytes=found.get(MAX_BYTES),
        pattern=found.get(PATTERN),
        format=found.get(FORMAT),
        min_items=found.get(MIN_ITEMS),
        max_items=found.get(MAX_ITEMS),
        unique_items=found.get(UNIQUE_ITEMS),
        min_properties=found.get(MIN_PROPERTIES),
        max_properties=found.get(MAX_PROPERTIES),
        immutable=found.get(IMMUTABLE),
        monotonic=found.get(MONOTONIC),
        not_value=found.get(NOT),
        update=found.some(UPDATE),
        forbidden=found.get(FORBIDDEN),
        unique_by=found.some(UNIQUE_BY),
        if_enabled=found.some(IF_ENABLED),
        if_disabled=found.some(IF_DISABLED),
        subfields=found.some(SUBFIELDS),
        if_mode=found.some(IF_MODE),
        requires=found.some(REQUIRES),
        forbids=found.some(FORBIDS),
        rules=found.some(RULES),
        enforced_by_hand=found.get(ENFORCED_BY_HAND),
    )


_INNER = mapped(
    Keys(
        "constraints",
        "constraints on elements, keys or values",
        (*_INNER_KEYS, _INNER_BY_HAND),
        elsewhere=_ELSEWHERE,
    ),
    lambda found, *_: constraints(found),
)

ITEMS = Key("items", _INNER, "Constraints on each element of the list.")
KEYS = Key("keys", _INNER, "Constraints on each key of the map.")
VALUES = Key("values", _INNER, "Constraints on each value of the map.")

INNER_CONSTRAINT_KEYS: KeySet = (ITEMS, KEYS, VALUES)


def inner_constraints(found: Found, key: Key[Constraints]) -> Constraints:
    """The constraints below `items:`, `keys:` or `values:`."""
    return found.get(key) or NO_CONSTRAINTS
