"""Why a review differs from crdify, case by case. A difference without a reason fails, and so does a reason without a difference."""

from __future__ import annotations

LOOSER = (
    "what is let in now is refused by a server of before, and by the release before after a rollback; crdify looks at clients and stored"
    " objects of before alone"
)
APPROVED = "there, an option lets it pass for good; here, an approval with a reason does, and it ends"
TOLD_ONCE = "an echo of the removed field, which is told once"
DOCUMENTED = "a description decides nothing: it is told as information, in a section of its own; tried: both sides take the same objects"
DEFAULTED = (
    "what is left out gets the default when it is read, in all served versions, so that nobody has to write it; tried: all objects of"
    " before are taken as they are"
)
DROPPED = "a server refuses no null of an optional member: it leaves the member out, or fills in its default; tried"
OPENED = (
    "all that was valid is valid, so no client of before and no stored object is refused; tried. What new clients write may be refused by"
    " a server of before: a warning"
)
ONE_CHANGE = "the format went with the type: one change"
NO_USE = "a default on a required field never takes effect for who has to write it; worth a warning"
WEBHOOK = "a webhook has to carry what two served versions say differently; whether it does is not in the definition"
IN_TIME = "the change of the same version over time, which was not what that case asks for"
ONE_VERSION = "a field that one of two served versions lacks is lost when the object is written in that one"
NOT_ASKED = "the case switches the tool off"
EMPTY = (
    "the object names no member and keeps none, so every one that is stored is empty, before and after: shown by the whole schema, and"
    " tried alone"
)
PARTIAL = "the case gives no type, so that the value becomes an object or anything else; told as a change of type, an error as well"

TRIED_ELSEWHERE = frozenset({"multipleincompatible", "maxnetnew", "maxvaluedecreased", "minvalueincreased"})
"""Cases with other changes that reject objects: what is milder in them stands alone elsewhere (in `requiredfieldadded`; as a schema of its
own in the tests of whole definitions), and is tried there."""

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
        "more: warning default-on-required-field at ^.spec.mode": NO_USE,
    },
    "requiredfieldadded": {
        "lower severity: required at ^.spec": DEFAULTED,
        "more: warning default-on-required-field at ^.spec.mode": NO_USE,
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
"""By case and difference, why."""
