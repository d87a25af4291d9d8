"""Rows of §21.8 of the union table: validation constraints."""

from __future__ import annotations

ROWS = {
    "bound-tightened or newly-set (value, length, items, properties, bytes; exclusive; multipleOf)": (
        "bound-tightened",
        "value-refused",
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
        "no input says it of an API: generated validation always ratchets, and whether an API server ratchets CRDs is a setting of that server; what ratchets is"
        " a property of a whole surface, which the mitigation asks"
    ),
    "validation cost budget exceeded": (
        "the estimate is the API server's own and changes with its version; a rule that it refuses is refused when the CRD is applied, by that server"
    ),
}
