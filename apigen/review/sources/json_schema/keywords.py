"""Recognize JSON Schema documents by their keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from apigen.language.json_values import TYPES, JsonValue

_SURE = frozenset(
    {
        *("$schema", "$id", "$ref", "$defs", "definitions", "properties", "patternProperties", "additionalProperties"),
        *("allOf", "anyOf", "oneOf"),
    }
)
"""Keywords that hardly any other document has at its top."""

_KEYWORDS = _SURE | {
    *("id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary", "$comment"),
    *("type", "enum", "const", "not", "if", "then", "else", "format", "nullable", "discriminator"),
    *("required", "dependencies", "dependentRequired", "dependentSchemas", "propertyNames", "unevaluatedProperties"),
    *("minProperties", "maxProperties", "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains"),
    *("minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "minLength", "maxLength", "pattern"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "divisibleBy"),
    *("contentEncoding", "contentMediaType", "contentSchema", "title", "description", "default", "example", "examples"),
    *("deprecated", "readOnly", "writeOnly"),
}

_TYPES = frozenset({*TYPES, "integer"})


def _is_type(value: JsonValue) -> bool:
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, str) and first in _TYPES


def _is_mapping(value: JsonValue) -> bool:
    return isinstance(value, dict)


_VALUES: dict[str, Callable[[JsonValue], bool]] = {
    "type": _is_type,
    "items": _is_mapping,
    "not": _is_mapping,
    "enum": lambda value: isinstance(value, list),
}
"""Keywords that are words of other documents, too: whether a value is that of a schema."""


def looks_like_schema(entries: Mapping[str, JsonValue]) -> bool:
    """Return whether a document with these entries, without what is nested in them, is treated as a schema by default."""
    if other_document(entries) is not None:
        return False
    if not _SURE.isdisjoint(entries):
        return True
    as_in_schemas = [fits(entries[key]) for key, fits in _VALUES.items() if key in entries]
    return any(as_in_schemas) if as_in_schemas else bool(entries) and _KEYWORDS.issuperset(entries)


def is_trivial_schema(text: str) -> bool:
    """Return whether a whole document is `{}`, `true` or `false`, which has no keyword to recognize it by."""
    return "".join(text.split()) in ("{}", "true", "false")


def other_document(entries: Mapping[str, JsonValue]) -> str | None:
    """Return the kind of a document that is not a schema, for messages; None if it may be one."""
    if "$schema" in entries:
        return None
    if "apiVersion" in entries and "kind" in entries:
        kind = entries["kind"]
        is_name = isinstance(kind, str) and kind.isalnum()
        return f"a Kubernetes object of kind {kind}" if is_name else "a Kubernetes object"
    if "openapi" in entries or "swagger" in entries:
        return "an OpenAPI document"
    return None


def has_keyword(keys: Iterable[str]) -> bool:
    """Return whether a mapping has a keyword of JSON Schema, or of its dialect in OpenAPI."""
    found = set(keys)
    return not found or not found.isdisjoint(_KEYWORDS) or any(key.startswith("x-kubernetes-") for key in found)
