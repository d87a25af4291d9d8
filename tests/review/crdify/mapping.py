"""crdify has one result for a change (an error, unless it is configured otherwise); a review has one for each of four directions, and
a severity by the stability of the version. So a rule of crdify agrees with a finding of apigen if the finding is an error at the same
place, of one of the rules in the table. Its cases are reviewed as those of a stable version, because crdify has no other.

- `enforcement` (Error, Warn, None) and `unhandledEnforcement` configure the severity of findings. apigen has `--fail-on`.
- `additionPolicy: Allow`, `removalPolicy: Allow` disable a finding permanently. apigen still reports it, and an approval with a reason covers it.
- `conversion: Ignore` ignores served versions if a webhook converts them. apigen reports what a webhook must convert.
- `unhandled` is a difference that no rule of crdify handles: any finding of apigen at the place agrees with it.
- Served versions: crdify evaluates its rules for two sides on each ascending pair. apigen has rules of its own for them.
"""

from __future__ import annotations

_BOUNDS = ("bound-tightened",)
_TYPES = (
    *(
        "type-changed",
        "type-replaced",
        "type-restricted",
        "type-generalized",
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
