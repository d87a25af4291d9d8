"""crdify has one answer for a change (an error, unless it is configured otherwise); a review has one for each of four directions, and
a severity by the stability of the version. So a rule of crdify agrees with a finding of ours if it is one of the rules that stand
next to it here, at the same place, and an error. Its cases are judged as those of a stable version, since it knows no other.

- `enforcement` (Error, Warn, None) and `unhandledEnforcement` say what is done with a finding. Ours is the same: `--fail-on`.
- `additionPolicy: Allow`, `removalPolicy: Allow` switch a finding off for good. Ours stays, and an approval with a reason covers it.
- `conversion: Ignore` leaves served versions alone where a webhook converts them. Ours tells what a webhook must carry.
- `unhandled` is whatever differs and no rule of crdify has looked at: any finding of ours at the place agrees with it.
- Served versions: crdify judges each ascending pair by its rules for two sides. Ours has rules of its own for them.
"""

from __future__ import annotations

_BOUNDS = ("bound-tightened",)
_TYPES = (
    *(
        "type-changed",
        "type-replaced",
        "type-restricted",
        "type-generalised",
        "number-kind-changed",
        "integer-narrowed",
    ),
    *("integer-widened", "text-format-changed", "list-and-single-swapped", "struct-and-map-swapped", "type-extended"),
    *("bytes-and-text-swapped", "canonical-form-changed"),
)
_SERVED = (
    "type-differs-between-versions",
    "validation-differs-between-versions",
    "default-differs-between-versions",
    "field-in-some-versions-only",
)

RULES_OF: dict[str, tuple[str, ...]] = {
    "scope": ("scope-changed",),
    "existingFieldRemoval": ("field-removed", "field-removed-with-tombstone"),
    "storedVersionRemoval": ("stored-version-removed",),
    "enum": ("enum-value-removed", "enum-value-added", "enum-constraint-added", "enum-constraint-removed"),
    "default": ("default-added", "default-changed", "default-removed"),
    "maximum": _BOUNDS,
    "maxLength": _BOUNDS,
    "maxItems": _BOUNDS,
    "maxProperties": _BOUNDS,
    "minimum": _BOUNDS,
    "minLength": _BOUNDS,
    "minItems": _BOUNDS,
    "minProperties": _BOUNDS,
    "required": ("became-required", "field-added-required", "required-with-default-added"),
    "type": _TYPES,
    "description": ("description-changed",),
    "pattern": ("pattern-added", "pattern-changed", "pattern-removed"),
    "nullable": ("nullable-added", "nullable-removed"),
    "served": _SERVED,
}
"""By crdify's rule, ours."""
