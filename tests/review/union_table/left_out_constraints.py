"""Rows of §21.8 of the union table: validation constraints."""

from __future__ import annotations

ROWS = {
    "bound-tightened or newly-set (value, length, items, properties, bytes; exclusive; multipleOf)": (
        "bound-tightened",
        "value-excluded",
        "conditional-constraint-tightened",
        "conditional-constraint-switched",
        "schema-tightened",
    ),
    "bound-loosened or unset": (
        "bound-loosened",
        "value-accepted",
        "conditional-constraint-loosened",
        "schema-loosened",
        "constraint-without-effect",
    ),
    "pattern-added": ("pattern-added",),
    "pattern-changed, new ⊇ old provable": ("pattern-widened",),
    "pattern-changed, not provable": ("pattern-changed",),
    "pattern-removed": ("pattern-removed",),
    "format-validation added": ("format-tightened", "format-loosened"),
    "uniqueness added": ("uniqueness-added", "uniqueness-removed"),
    "rule (CEL / cross-field) added on existing path": ("rule-added",),
    "rule changed, implication unknown": ("rule-changed", "rule-without-effect"),
    "rule removed": ("rule-removed",),
    "rule added only inside a new optional subtree": ("rule-on-new-fields",),
    "transition rule (old-self) added = immutability": ("transition-rule-added", "update-restricted"),
    "dependent-required added / changed": ("dependents-tightened", "dependents-loosened"),
    "constraint weaker on one served version than another": ("validation-differs-between-versions",),
    "constraint tightened on status written by own controller": ("status-constraint-tightened",),
}
LEFT_OUT = {
    "ratcheting turned on / off": (
        "no input declares it: generated validation always ratchets, and a setting of the API server enables ratcheting of CRDs; the mitigation reads it"
        " from the surface"
    ),
    "validation cost budget exceeded": (
        "the estimate belongs to the API server and changes with its version; that server rejects a rule that is too expensive when the CRD is applied"
    ),
}
