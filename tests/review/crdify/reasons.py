"""Why a review differs from crdify, case by case. A difference without a reason fails, and so does a reason without a difference."""

from __future__ import annotations

LOOSER = (
    "newly accepted values are rejected by older servers, and by the previous release after a rollback; crdify only checks older clients"
    " and stored objects"
)
APPROVED = "in crdify, an option permits it permanently; in apigen, an approval with a reason does, until it expires"
TOLD_ONCE = "a consequence of the removed field, which is reported once"
DOCUMENTED = "a description has no effect: it is reported as information, in a section of its own; tried: both sides accept the same objects"
DEFAULTED = (
    "an omitted field gets the default when it is read, in all served versions, so that clients need not set it; tried: all objects of"
    " the base are accepted unchanged"
)
DROPPED = "a server does not reject null in an optional field: it drops the field, or sets its default; tried"
OPENED = (
    "all valid values remain valid, so no older client and no stored object is rejected; tried. Values of newer clients may be rejected by"
    " an older server: a warning"
)
ONE_CHANGE = "the format changed with the type: one change"
WEBHOOK = "a webhook must convert the differences of two served versions; the CRD does not show whether it does"
IN_TIME = "the change of the same version over time, which is not the subject of the case"
ONE_VERSION = "a field that one of two served versions does not have is lost if the object is written in that version"
NOT_ASKED = "the case disables the tool"
EMPTY = (
    "the object declares no property and preserves none, so every stored one is empty on both sides: shown by the whole schema, and"
    " tried separately"
)
PARTIAL = "the case has no type, so that the value becomes an object or any value; reported as a change of type, which is an error, too"

TRIED_ELSEWHERE = frozenset({"multipleincompatible", "maxnetnew", "maxvaluedecreased", "minvalueincreased"})
"""Cases with other changes that reject objects: their findings with a lower severity are tried in another case (`requiredfieldadded`; as a
schema of its own in the tests of whole definitions)."""

_LOOSER_BOUNDS = (
    "maximum-4",
    "maxItems-4",
    "maxLength-4",
    "maxProperties-4",
    "minimum-3",
    "minItems-3",
    "minLength-3",
    "minProperties-3",
)

REASONS: dict[str, dict[str, str]] = {
    "descriptionchanged": {"lower severity: description at ^.spec.size": DOCUMENTED},
    "description-2": {"lower severity: description at ^.spec.value": DOCUMENTED},
    "existingfieldremoved": {
        f"not reported: {rule} at ^.spec.mode": TOLD_ONCE for rule in ("default", "description", "enum", "type")
    },
    "multipleincompatible": {
        "lower severity: required at ^.spec": DEFAULTED,
        "more: warning bound-loosened at ^.spec.size": LOOSER,
    },
    "requiredfieldadded": {
        "lower severity: required at ^.spec": DEFAULTED,
    },
    "maxnetnew": {"lower severity: maxProperties at ^.spec.config": EMPTY},
    "maxvaluedecreased": {"lower severity: maxProperties at ^.spec.config": EMPTY},
    "minvalueincreased": {"lower severity: minProperties at ^.spec.config": EMPTY},
    "patternremoved": {"lower severity: pattern at ^.spec.code": OPENED},
    "pattern-4": {"lower severity: pattern at ^.spec.value": OPENED},
    "pattern-5": {"more: warning pattern-removed at ^.spec.value": f"{LOOSER}; {APPROVED}"},
    "enum-2": {
        "not reported: enum at ^.spec.value": PARTIAL,
        "more: error type-restricted at ^.spec.value": PARTIAL,
    },
    "enum-5": {"more: error enum-value-added at ^.spec.value": APPROVED},
    "nullableadded": {"lower severity: nullable at ^.spec.code": DROPPED},
    "nullableremoved": {"lower severity: nullable at ^.spec.code": DROPPED},
    "nullable-2": {"lower severity: nullable at ^.spec.value": DROPPED},
    "nullable-3": {"more: warning nullable-added at ^.spec.value": APPROVED},
    "nullable-4": {"lower severity: nullable at ^.spec.value": DROPPED},
    "nullable-5": {"more: warning nullable-removed at ^.spec.value": APPROVED},
    "required-2": {
        "not reported: required at ^.spec.value": PARTIAL,
        "more: error type-restricted at ^.spec.value": PARTIAL,
    },
    "existingFieldRemoval-3": {"more: error field-in-some-versions-only at ^.fieldTwo": ONE_VERSION},
    "served-webhook-ignored": {
        "more: error type-changed at ^.field1": IN_TIME,
        "more: warning type-differs-between-versions at ^.field1": WEBHOOK,
    },
    "served-unhandled-none": {
        "more: error type-changed at ^.field1": IN_TIME,
        "more: error type-differs-between-versions at ^.field1": NOT_ASKED,
    },
    **{name: {"more: warning bound-loosened at ^.spec.value": LOOSER} for name in _LOOSER_BOUNDS},
}
"""The reasons, by case and difference."""
