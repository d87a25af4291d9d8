"""The keys of validation, on a value itself, and below `items:`, `keys:` and `values:` on its elements."""

from __future__ import annotations

from apigen.language.context import Context
from apigen.language.keys import Key, Keys, KeySet, Part, made
from apigen.language.model import Constraints, Located, ModeConstraints, NamedConstraints, RuleSpec
from apigen.language.nodes import Scalar
from apigen.language.shapes import ListOf, map_of
from apigen.language.words import CEL, COUNT, FLAG, LITERAL, NUMBER, PATTERN_TEXT, SOME_TEXTS, TEXT, Choice

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
                Choice("FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"),
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
        ListOf(Choice("noSet", "noUnset", "noModify", "noAddItem", "noRemoveItem"), "a list of words", least=1),
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

_CASE = made(
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
