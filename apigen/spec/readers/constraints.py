"""The words of validation, on a value itself and below `items:`, `keys:` and `values:` on what is in it."""

from __future__ import annotations

from apigen.spec.keys import Found, Key, Keys, KeySet, names_of
from apigen.spec.model import Constraints, RuleSpec
from apigen.spec.shapes import ListOf, made
from apigen.spec.words import COUNT, FLAG, NUMBER, SOME_TEXTS, TEXT

_RULE = Key("rule", TEXT, "The CEL expression that must hold.", required=True)
_MESSAGE = Key("message", TEXT, "What is said where it does not hold.")
_RULE_KEYS = Keys("rule", "a rule", (_RULE, _MESSAGE))


def _rule(found: Found, *_: object) -> RuleSpec | None:
    rule = found.get(_RULE)
    return None if rule is None else RuleSpec(rule, found.get(_MESSAGE))


MINIMUM = Key("minimum", NUMBER, "The least value allowed.")
MAXIMUM = Key("maximum", NUMBER, "The greatest value allowed.")
EXCLUSIVE_MINIMUM = Key("exclusiveMinimum", NUMBER, "The value must be greater than this.")
EXCLUSIVE_MAXIMUM = Key("exclusiveMaximum", NUMBER, "The value must be less than this.")
MULTIPLE_OF = Key("multipleOf", NUMBER, "The value must be a multiple of this.")
MIN_LENGTH = Key("minLength", COUNT, "The least number of characters.")
MAX_LENGTH = Key("maxLength", COUNT, "The greatest number of characters.")
MAX_BYTES = Key("maxBytes", COUNT, "The greatest number of bytes, text counted in UTF-8.")
PATTERN = Key("pattern", TEXT, "A regular expression that the text must match.")
FORMAT = Key("format", TEXT, "A named form of text, such as dns1123Label.")
MIN_ITEMS = Key("minItems", COUNT, "The least number of elements.")
MAX_ITEMS = Key("maxItems", COUNT, "The greatest number of elements.")
UNIQUE_ITEMS = Key("uniqueItems", FLAG, "No two elements are equal.")
MIN_PROPERTIES = Key("minProperties", COUNT, "The least number of entries.")
MAX_PROPERTIES = Key("maxProperties", COUNT, "The greatest number of entries.")
IMMUTABLE = Key("immutable", FLAG, "The value never changes after creation.")
RULES = Key("rules", ListOf(made(_RULE_KEYS, _rule), "a list of rules"), "CEL rules about the value.")
REQUIRES = Key("requires", SOME_TEXTS, "Fields beside this one that must be set when it is.")
FORBIDS = Key("forbids", SOME_TEXTS, "Fields beside this one that must not be set when it is.")

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
    RULES,
)
_NO_SIBLINGS = "it names fields beside a field"

OWN_CONSTRAINT_KEYS: KeySet = (*_INNER_KEYS, REQUIRES, FORBIDS)
_NAMES = names_of(OWN_CONSTRAINT_KEYS)
_NONE = Constraints()


def constraints(found: Found) -> Constraints:
    """The constraints among what was found."""
    if not found.has_any(_NAMES):
        return _NONE
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
        requires=found.some(REQUIRES),
        forbids=found.some(FORBIDS),
        rules=found.some(RULES),
    )


_INNER = made(
    Keys(
        "constraints",
        "what is said of elements, keys or values",
        _INNER_KEYS,
        elsewhere={REQUIRES.name: _NO_SIBLINGS, FORBIDS.name: _NO_SIBLINGS},
    ),
    lambda found, *_: constraints(found),
)

ITEMS = Key("items", _INNER, "Constraints on each element of the list.")
KEYS = Key("keys", _INNER, "Constraints on each key of the map.")
VALUES = Key("values", _INNER, "Constraints on each value of the map.")

INNER_CONSTRAINT_KEYS: KeySet = (ITEMS, KEYS, VALUES)


def inner_constraints(found: Found, key: Key[Constraints]) -> Constraints:
    """The constraints below `items:`, `keys:` or `values:`."""
    return found.get(key) or _NONE
