"""Why we differ: by the rule of buf and ours, or by the finding where nothing of ours is there."""

from __future__ import annotations

from collections.abc import Mapping

from tests.review.buf.agreement import Outcome, Row
from tests.review.buf.cases import Told

_NUMBER = "fields are identified by their JSON names: this one has another number, so it is not read, and its type is not compared"
_REUSED = "the field was removed by its JSON name, and another one has its number: it is reported as that"
_RANGE = "bytes are parsed, but numbers outside the range of one type are read as others: safe only if the old range is inside the new one"
_RESERVED = "a reserved value is never reused, but clients that send it and stored objects with it are rejected"
_RESERVED_FIELD = "a reserved field is never reused, but clients that set it and stored objects lose it"
_PRESENCE = (
    "bytes are read, but only one side distinguishes zero and unset, which changes the meaning of an unset field"
)

PAIRS: Mapping[tuple[Outcome, str, str], str] = {
    (
        Outcome.OTHERWISE,
        "FIELD_SAME_JSON_NAME",
        "field-number-changed",
    ): "the two fields swapped their numbers and kept their JSON names: apigen reports another number for each",
    (Outcome.OTHERWISE, "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "field-number-changed"): _NUMBER,
    (Outcome.OTHERWISE, "FIELD_WIRE_JSON_COMPATIBLE_TYPE", "field-number-reused"): _REUSED,
    (Outcome.OTHERWISE, "FIELD_SAME_TYPE", "field-number-reused"): _REUSED,
    (
        Outcome.OTHERWISE,
        "PACKAGE_ENUM_NO_DELETE",
        "type-removed",
    ): "the enum was in a message that moved to another file: reported there, with its message",
    (Outcome.MORE, "PACKAGE_ENUM_NO_DELETE", "type-removed"): "the same enums, in the new files of their messages",
    (
        Outcome.MORE,
        "ENUM_VALUE_NO_DELETE",
        "enum-number-changed",
    ): "the value whose number buf misses at its enum, in line 48",
    (
        Outcome.MORE,
        "ENUM_VALUE_NO_DELETE",
        "enum-value-removed",
    ): "the number keeps another name; in JSON the name is used, and it was removed",
    (Outcome.MORE, "ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED", "enum-value-removed"): _RESERVED,
    (Outcome.MORE, "ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED", "enum-value-removed"): _RESERVED,
    (
        Outcome.MORE,
        "FIELD_NO_DELETE",
        "field-removed",
    ): "a removed extension: buf has another rule for these, which the case does not select",
    (
        Outcome.MORE,
        "FIELD_NO_DELETE_UNLESS_NAME_RESERVED",
        "field-removed",
    ): "only the name is reserved: the number can be reused; or a removed extension, for which buf has another rule",
    (
        Outcome.MORE,
        "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED",
        "field-removed-with-tombstone",
    ): _RESERVED_FIELD,
    (
        Outcome.MORE,
        "FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED",
        "field-removed",
    ): "only the number is reserved: the name can be reused in JSON; and clients that set the field and stored objects lose it",
    (
        Outcome.MORE,
        "FIELD_SAME_DEFAULT",
        "default-of-readers-changed",
    ): "the type changed, too; apigen compares the JSON of the default, while buf compares it across types",
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_CARDINALITY", "pointer-added"): _PRESENCE,
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_CARDINALITY", "pointer-removed"): _PRESENCE,
    (
        Outcome.MORE,
        "FIELD_WIRE_COMPATIBLE_CARDINALITY",
        "type-changed",
    ): "bytes are parsed, but a list may have duplicate keys, of which a map keeps one",
    (
        Outcome.MORE,
        "FIELD_WIRE_COMPATIBLE_TYPE",
        "bytes-and-text-swapped",
    ): "strings are read as bytes, but bytes that are not UTF-8 are not read as strings: reported for writers of bytes",
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_TYPE", "type-changed"): _RANGE,
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_TYPE", "integer-narrowed"): _RANGE,
    (Outcome.MORE, "FIELD_WIRE_COMPATIBLE_TYPE", "integer-widened"): _RANGE,
    (
        Outcome.MORE,
        "FIELD_WIRE_COMPATIBLE_TYPE",
        "type-extended",
    ): "the new enum has values that an older reader does not know",
    (Outcome.MORE, "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "pointer-added"): _PRESENCE,
    (Outcome.MORE, "FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", "pointer-removed"): _PRESENCE,
    (
        Outcome.MORE,
        "FIELD_WIRE_JSON_COMPATIBLE_TYPE",
        "type-extended",
    ): "the new enum has values that an older reader does not know, and in JSON they are names",
    (
        Outcome.MILDER,
        "FIELD_SAME_CARDINALITY",
        "pointer-added",
    ): "bytes and JSON are read unchanged: the field only gained explicit presence",
    (
        Outcome.MILDER,
        "FIELD_SAME_ONEOF",
        "oneof-membership-changed",
    ): "no other existing field is in the same oneof, so no message has two of them",
    (
        Outcome.MILDER,
        "FILE_SAME_SYNTAX",
        "file-syntax-changed",
    ): "the consequences of the syntax are reported at each element; the file itself affects generated code",
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
    ): "its package has no files anymore: reported as `group-removed`, an error without a location in the new tree",
    (
        "file_same_package",
        Told("FILE_SAME_PACKAGE", "no_package.proto", 3),
    ): "its package has no files anymore: reported as `group-removed`, an error without a location in the new tree",
    (
        "file_same_syntax",
        Told("FILE_SAME_SYNTAX", "no_package.proto", 1),
    ): "the file has another package, too, so it is not compared: reported as `file-package-changed`, or as `group-removed`",
    (
        "enum_value_no_delete",
        Told("ENUM_VALUE_NO_DELETE", "2.proto", 48),
    ): "the value has another number: reported as `enum-number-changed`, an error, at the value in line 51",
    (
        "enum_value_same_name",
        Told("ENUM_VALUE_SAME_NAME", "1.proto", 46),
    ): "the number has two names, of which this one is kept; the other one is reported in the next line",
}


def reason(row: Row) -> str | None:
    """Return why a row differs; empty if it agrees, None without an explanation."""
    if row.outcome is Outcome.SAME:
        return ""
    if row.outcome is Outcome.MISSING:
        return SINGLE.get((row.case, row.told))
    rules = [each.partition(" ")[0] for each in row.by]
    known = [PAIRS[row.outcome, row.told.rule, rule] for rule in rules if (row.outcome, row.told.rule, rule) in PAIRS]
    return known[0] if known else None
