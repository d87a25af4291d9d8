"""Rows of §21.3 of the union table: types."""

from __future__ import annotations

ROWS = {
    "type-name-changed, same layout (wire+JSON equal)": ("type-renamed",),
    "type-swapped to superset message": ("type-extended", "type-replaced"),
    "scalar kind changed (string↔int …)": ("type-changed",),
    "integer widened int32→int64": ("integer-widened",),
    "integer narrowed": ("integer-narrowed",),
    "integer→number, number→integer": ("number-kind-changed",),
    "int→int-or-string (generalised)": ("type-generalized", "type-restricted"),
    "string format changed / added / removed": ("text-format-changed", "format-tightened", "format-loosened"),
    "string→bytes / bytes→string": ("bytes-and-text-swapped",),
    "scalar→list, list→scalar": ("list-and-single-swapped",),
    "struct↔map": ("struct-and-map-swapped",),
    "map key or value type changed": ("type-changed",),
    "list element type changed": ("type-changed",),
    "nullable added": ("nullable-added",),
    "nullable removed": ("nullable-removed",),
    "quantity/time/duration canonical form changed": ("canonical-form-changed",),
    "recursion introduced": ("recursion-introduced",),
}

LEFT_OUT: dict[str, str] = {}
