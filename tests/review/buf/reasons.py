"""Why we differ: by the rule of buf and ours, or by the finding where nothing of ours is there."""

from __future__ import annotations

from collections.abc import Mapping

from tests.review.buf.agreement import Outcome, Row
from tests.review.buf.cases import Told

_NUMBER = "fields are known by their JSON names: it has another number now, which says that nothing is read, and its type is not compared besides"
_REUSED = "the field of before is gone by its JSON name, and another one has its number: it is told as that"
_RANGE = "bytes are parsed, but numbers beyond the range of the one type arrive as others: safe only where the old range is within"
_RESERVED = "what is reserved does not come back; who sends the value, or stored it, is refused all the same"
_PRESENCE = "bytes are read; but zero and nothing are told apart on one side only, which changes what absence means"

PAIRS: Mapping[tuple[Outcome, str, str], str] = {
    (
        Outcome.OTHERWISE,
        "FIELD_SAME_JSON_NAME",
        "field-number-changed",
    ): "the two fields changed numbers and kept their JSON names: to us each has another number",
    (Outcome.OTHERWISE, "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "field-number-changed"): _NUMBER,
    (Outcome.OTHERWISE, "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "field-number-reused"): _REUSED,
    (Outcome.OTHERWISE, "FIELD_SAME_TYPE", "field-number-reused"): _REUSED,
    (
        Outcome.OTHERWISE,
        "PACKAGE_ENUM_NO_DELETE",
        "type-removed",
    ): "the enum stood in a message that is in another file now: told there, with its message",
    (Outcome.MORE, "PACKAGE_ENUM_NO_DELETE", "type-removed"): "the same enums, where their messages are now",
    (
        Outcome.MORE,
        "ENUM_VALUE_NO_DELETE",
        "enum-number-changed",
    ): "the value whose number buf misses at its enum, in line 48",
    (
        Outcome.MORE,
        "ENUM_VALUE_NO_DELETE",
        "enum-value-removed",
    ): "the number has another name that stays; in JSON the name is what counts, and it is gone",
    (Outcome.MORE, "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED", "enum-value-removed"): _RESERVED,
    (Outcome.MORE, "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED", "enum-value-removed"): _RESERVED,
    (
        Outcome.MORE,
        "FIELD_NO_DELETE",
        "field-removed",
    ): "an extension that is gone: buf has a rule of its own for these, which the case does not select",
    (
        Outcome.MORE,
        "FIELD_NO_DELETE_UNLESS_NAME_RESERVED",
        "field-removed-with-tombstone",
    ): "a tombstone keeps the name from coming back; who sets or stored the field loses it all the same",
    (
        Outcome.MORE,
        "FIELD_NO_DELETE_UNLESS_NAME_RESERVED",
        "field-removed",
    ): "an extension that is gone: buf has a rule of its own for these, which the case does not select",
    (
        Outcome.MORE,
        "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED",
        "field-removed",
    ): "only the number is reserved: a field of the same name can come back in JSON; and who sets or stored the field loses it",
    (
        Outcome.MORE,
        "FIELD_SAME_DEFAULT",
        "default-of-readers-changed",
    ): "the type changed as well; the default is compared as the JSON that it has, where buf compares it across types",
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_CARDINALITY", "pointer-added"): _PRESENCE,
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_CARDINALITY", "pointer-removed"): _PRESENCE,
    (
        Outcome.MORE,
        "FIELD_WIRE_COMPATIBLE_CARDINALITY",
        "type-changed",
    ): "bytes are parsed, but a list may have a key twice, of which a map keeps one",
    (
        Outcome.MORE,
        "FIELD_WIRE_COMPATIBLE_TYPE",
        "bytes-and-text-swapped",
    ): "text is read as bytes, and bytes that are no UTF-8 are not read as text: told of those who write them",
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_TYPE", "type-changed"): _RANGE,
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_TYPE", "integer-narrowed"): _RANGE,
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_TYPE", "integer-widened"): _RANGE,
    (
        Outcome.MORE,
        "FIELD_WIRE_COMPATIBLE_TYPE",
        "type-extended",
    ): "the new enum has values that a reader of before does not know",
    (Outcome.MORE, "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "pointer-added"): _PRESENCE,
    (Outcome.MORE, "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "pointer-removed"): _PRESENCE,
    (
        Outcome.MORE,
        "FIELD_WIRE_JSON_COMPATIBLE_TYPE",
        "type-extended",
    ): "the new enum has values that a reader of before does not know, and in JSON they are names",
    (
        Outcome.MILDER,
        "FIELD_SAME_CARDINALITY",
        "pointer-added",
    ): "bytes and JSON are read as they were: the field can only tell zero from nothing now",
    (
        Outcome.MILDER,
        "FIELD_SAME_ONEOF",
        "oneof-membership-changed",
    ): "no other field of before shares a oneof with it, so no message holds two of them",
    (
        Outcome.MILDER,
        "FILE_SAME_SYNTAX",
        "file-syntax-changed",
    ): "what follows from the syntax is told at each element; the file itself is about generated code",
    (
        Outcome.MILDER,
        "MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR",
        "generated-code-option-changed",
    ): "a method of generated code in some languages; nothing on the wire",
}

SINGLE: Mapping[tuple[str, Told], str] = {
    (
        "file_same_package",
        Told("FILE_SAME_PACKAGE", "a/a.proto", 3),
    ): "its package has no file left: told as `group-removed`, an error without a place in the new tree",
    (
        "file_same_package",
        Told("FILE_SAME_PACKAGE", "no_package.proto", 3),
    ): "its package has no file left: told as `group-removed`, an error without a place in the new tree",
    (
        "file_same_syntax",
        Told("FILE_SAME_SYNTAX", "no_package.proto", 1),
    ): "the file has another package as well, so none of it is compared: told as `file-package-changed`, or as `group-removed`",
    (
        "enum_value_no_delete",
        Told("ENUM_VALUE_NO_DELETE", "2.proto", 48),
    ): "the value has another number: told as `enum-number-changed`, an error, at the value in line 51",
    (
        "enum_value_same_name",
        Told("ENUM_VALUE_SAME_NAME", "1.proto", 46),
    ): "the number has two names, of which this one stays; the other one is told in the next line",
}


def reason(row: Row) -> str | None:
    """Why a row is no agreement; empty where it is one, None where nobody knows."""
    if row.outcome is Outcome.SAME:
        return ""
    if row.outcome is Outcome.MISSING:
        return SINGLE.get((row.case, row.told))
    rules = [each.partition(" ")[0] for each in row.by]
    known = [PAIRS[row.outcome, row.told.rule, rule] for rule in rules if (row.outcome, row.told.rule, rule) in PAIRS]
    return known[0] if known else None
