"""The rows of §21.4: numbers and bytes of protobuf."""

from __future__ import annotations

ROWS: dict[str, tuple[str, ...]] = {
    "field-number-changed": ("field-number-changed",),
    "field-number-reused (vs lock, any age)": ("field-number-reused", "tombstone-reused"),
    "reservation-removed": ("tombstone-removed",),
    "wire-type group changed": ("wire-encoding-changed", "message-encoding-changed", "type-changed"),
    "proto cardinality (single/repeated/map) changed": ("list-and-single-swapped", "struct-and-map-swapped"),
    "explicit↔implicit presence": ("pointer-added", "pointer-removed"),
    "packed↔unpacked": ("packing-changed",),
    "enum-number changed": ("enum-number-changed", "enum-zero-changed"),
    "oneof join / leave / move": ("oneof-membership-changed", "oneof-member-added", "oneof-removed"),
    "message full name / package changed (Any, type URL)": ("file-package-changed", "type-removed", "group-removed"),
    "json_name ≠ JSON tag": ("field-renamed", "wire-name-changed"),
}

LEFT_OUT: dict[str, str] = {
    "number-not-in-lock / lock out of date / lock hand-edited": (
        "the lock of numbers is checked when specs are compiled (AG04xx), before there is anything to compare"
    ),
    "number in reserved 19000–19999 or >2²⁹-1": (
        "neither protoc nor apigen's own compiler takes such a number, so no side of a comparison has one"
    ),
}
