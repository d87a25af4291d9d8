"""Which rules of ours say what a rule of buf says, written down before anything is compared.

buf has one severity and categories; apigen has directions, severities and presets. FILE and PACKAGE are about generated
code: preset `source`. WIRE_JSON is bytes and JSON: preset `wire`. WIRE is bytes alone: preset `bytes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apigen.ir.surface import ElementKind
from apigen.review.finding import Finding
from apigen.review.results import Preset

CARDINALITY = (
    *("list-and-single-swapped", "struct-and-map-swapped", "type-changed", "pointer-added", "pointer-removed"),
    *("became-required", "became-optional", "omit-empty-added", "omit-empty-removed", "empty-collapse-changed"),
    *("required-with-default-added",),
)
TYPES = (
    *("type-changed", "type-extended", "type-generalized", "type-renamed", "type-replaced", "type-restricted"),
    *("integer-widened", "integer-narrowed", "number-kind-changed", "bytes-and-text-swapped", "text-format-changed"),
    *("struct-and-map-swapped", "enum-and-scalar-swapped", "wire-encoding-changed", "message-encoding-changed"),
    *("list-and-single-swapped",),
)
REMOVED = ("field-removed", "field-removed-with-tombstone", "field-number-changed")
VALUE_REMOVED = ("enum-value-removed", "default-enum-value-removed", "enum-number-changed")
DEFAULTS = ("default-of-readers-changed",)
REQUIRED = (
    *("field-added-required", "field-added-required-in-new-parent", "became-required", "became-optional"),
    *("field-removed", "field-removed-with-tombstone", "required-with-default-added"),
)

MAPPING: Mapping[str, tuple[str, ...]] = {
    "ENUM_NO_DELETE": ("type-removed", "type-moved-to-another-file"),
    "ENUM_SAME_JSON_FORMAT": ("json-format-changed",),
    "ENUM_SAME_TYPE": ("enum-openness-changed",),
    "ENUM_VALUE_NO_DELETE": VALUE_REMOVED,
    "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED": VALUE_REMOVED,
    "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED": VALUE_REMOVED,
    "ENUM_VALUE_SAME_NAME": ("enum-value-renamed",),
    "FIELD_NO_DELETE": REMOVED,
    "FIELD_NO_DELETE_UNLESS_NAME_RESERVED": REMOVED,
    "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED": REMOVED,
    "FIELD_SAME_CARDINALITY": CARDINALITY,
    "FIELD_SAME_DEFAULT": DEFAULTS,
    "FIELD_SAME_JSON_NAME": ("field-renamed", "field-number-reused"),
    "FIELD_SAME_NAME": ("field-renamed", "wire-name-changed", "field-number-reused"),
    "FIELD_SAME_ONEOF": ("oneof-membership-changed",),
    "FIELD_SAME_TYPE": TYPES,
    "FIELD_WIRE_COMPATIBLE_CARDINALITY": CARDINALITY,
    "FIELD_WIRE_COMPATIBLE_TYPE": TYPES,
    "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY": CARDINALITY,
    "FIELD_WIRE_JSON_COMPATIBLE_TYPE": TYPES,
    "FILE_NO_DELETE": ("file-removed", "group-removed", "version-removed"),
    "FILE_SAME_PACKAGE": ("file-package-changed",),
    "FILE_SAME_SYNTAX": ("file-syntax-changed",),
    "MESSAGE_NO_DELETE": ("type-removed", "type-moved-to-another-file"),
    "MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR": ("generated-code-option-changed",),
    "MESSAGE_SAME_JSON_FORMAT": ("json-format-changed",),
    "MESSAGE_SAME_MESSAGE_SET_WIRE_FORMAT": ("message-set-changed",),
    "MESSAGE_SAME_REQUIRED_FIELDS": REQUIRED,
    "ONEOF_NO_DELETE": ("oneof-removed",),
    "PACKAGE_ENUM_NO_DELETE": ("type-removed",),
    "PACKAGE_MESSAGE_NO_DELETE": ("type-removed",),
    "PACKAGE_NO_DELETE": ("group-removed", "version-removed"),
    "PACKAGE_SERVICE_NO_DELETE": ("service-removed",),
    "RESERVED_ENUM_NO_DELETE": ("tombstone-removed", "tombstone-reused"),
    "RESERVED_MESSAGE_NO_DELETE": ("tombstone-removed", "tombstone-reused"),
    "RPC_NO_DELETE": ("method-removed",),
    "RPC_SAME_CLIENT_STREAMING": ("method-streaming-changed",),
    "RPC_SAME_IDEMPOTENCY_LEVEL": ("method-idempotency-changed",),
    "RPC_SAME_REQUEST_TYPE": ("method-request-changed",),
    "RPC_SAME_RESPONSE_TYPE": ("method-response-changed",),
    "RPC_SAME_SERVER_STREAMING": ("method-streaming-changed",),
    "SERVICE_NO_DELETE": ("service-removed", "service-moved-to-another-file"),
}
"""By rule of buf, the rules of ours of which one must say something where it does."""

KINDS: Mapping[str, ElementKind] = {
    "ENUM_NO_DELETE": ElementKind.ENUM,
    "PACKAGE_ENUM_NO_DELETE": ElementKind.ENUM,
    "MESSAGE_NO_DELETE": ElementKind.STRUCT,
    "PACKAGE_MESSAGE_NO_DELETE": ElementKind.STRUCT,
    "MESSAGE_SAME_JSON_FORMAT": ElementKind.STRUCT,
    "ENUM_SAME_JSON_FORMAT": ElementKind.ENUM,
}
"""What a rule of buf is about, where one of ours is about more."""

PRESETS: Mapping[str, Preset] = {
    "WIRE": Preset.BYTES,
    "WIRE_JSON": Preset.WIRE,
    "PACKAGE": Preset.SOURCE,
    "FILE": Preset.SOURCE,
}
"""By category of buf, from the laxest on, the preset that is about the same."""


def preset_of(categories: Iterable[str]) -> Preset:
    """The preset that must say what a rule of buf says: that of the laxest of its categories; where it has none, `source`."""
    found = frozenset(categories)
    return next((preset for category, preset in PRESETS.items() if category in found), Preset.SOURCE)


_TRAITS: Mapping[str, str] = {
    "RPC_SAME_CLIENT_STREAMING": "client streams",
    "RPC_SAME_SERVER_STREAMING": "server streams",
}


def says(rule: str, finding: Finding) -> bool:
    """Whether a finding of ours is one that a rule of buf could have."""
    if finding.rule not in MAPPING[rule] or finding.element.kind is not KINDS.get(rule, finding.element.kind):
        return False
    if rule in _TRAITS:
        return finding.old.startswith(_TRAITS[rule])
    if finding.old.startswith("type: ") and finding.element.kind is ElementKind.FIELD:
        differs = _shape if "CARDINALITY" in rule else _base
        return differs(finding.old) != differs(finding.new)
    return True


def _shape(text: str) -> str:
    bare = text.removeprefix("type: ")
    return "list" if bare.startswith("[]") else "map" if bare.startswith("map[") else "single"


def _base(text: str) -> str:
    """The type of a value, or of the items of a list. A map is a list of messages of its own to buf."""
    return text.removeprefix("type: ").removeprefix("[]")
