"""Rows of §21.9 of the union table: lists, maps, merge identity."""

from __future__ import annotations

ROWS = {
    "list-type absent→atomic": ("list-type-atomic",),
    "atomic (or absent)→set or map": ("list-type-associative",),
    "set/map→atomic": ("list-type-atomic",),
    "merge-keys changed": ("merge-keys-changed",),
    "merge-key field made optional / default added / removed": ("merge-key-presence-changed",),
    "merge-key uniqueness newly enforced": ("list-type-associative", "uniqueness-added"),
    "patch strategy / patch merge key changed or differs from list-type": ("patch-strategy-changed",),
    "map-type granular↔atomic": ("map-type-changed",),
}

LEFT_OUT = {
    "list order significance changed": (
        "no input says whether the order of a list counts but by its list type, whose changes have rules of their own"
    ),
}
