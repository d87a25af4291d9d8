"""Which rules the changes of random APIs lead to, and why none leads to the others."""

from __future__ import annotations

from collections.abc import Collection

from apigen.review.rules.registry import RULES

_PROTO = "only a .proto file says so: specs have no such word, and write it one way"
_SERVICE = "services are of .proto files; specs have kinds"
_HTTP = "only an OpenAPI document has operations"
_SCHEMA = "only a JSON Schema, or a CustomResourceDefinition, says so"

NOT_MADE: dict[str, str] = {
    **dict.fromkeys(
        (
            *("default-of-readers-changed", "enum-and-scalar-swapped", "wire-encoding-changed"),
            *("message-encoding-changed", "packing-changed", "utf8-validation-changed", "json-format-changed"),
            *("enum-openness-changed", "enum-zero-changed", "enum-number-changed", "oneof-membership-changed"),
            *("oneof-member-added", "oneof-removed", "extension-range-narrowed", "message-set-changed"),
            *("generated-code-option-changed", "custom-option-changed", "type-moved-to-another-file"),
            *("file-package-changed", "file-removed", "file-syntax-changed", "file-option-changed"),
        ),
        _PROTO,
    ),
    **dict.fromkeys(
        (
            *("service-removed", "service-added", "service-moved-to-another-file", "method-removed", "method-added"),
            *("method-request-changed", "method-response-changed", "method-streaming-changed"),
            "method-idempotency-changed",
        ),
        _SERVICE,
    ),
    **dict.fromkeys(
        (
            *("operation-removed", "operation-added", "status-removed", "status-added"),
            *("media-type-removed", "media-type-added", "security-tightened", "security-loosened"),
        ),
        _HTTP,
    ),
    **dict.fromkeys(
        (
            *("printer-column-removed", "unknown-fields-opened", "unknown-fields-closed", "access-restricted"),
            *(
                "access-freed",
                "schema-annotation-changed",
                "schema-discriminator-changed",
                "schema-tightened",
                "schema-loosened",
            ),
        ),
        _SCHEMA,
    ),
    "gated-field-always-written": "such specs cannot be compiled",
    "default-invalid": "such specs cannot be compiled",
}
"""By rule, the reason why no change of a random API triggers it."""


def unreached(struck: Collection[str]) -> list[str]:
    """Return the rules that no finding names, although a change of specs can violate them."""
    return [line.id for line in RULES if line.id not in struck and line.id not in NOT_MADE]
