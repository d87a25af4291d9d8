"""The keys of the spec language that an import of Go overwrites, and those that users own."""

from __future__ import annotations

from collections.abc import Mapping

from apigen.inputs.go.specs.by_hand import left_to_hand_written
from apigen.inputs.go.specs.expressions import WELL_KNOWN_RAW
from apigen.inputs.go.specs.fields import FIELD_ORDER
from apigen.inputs.go.specs.reserved import same_numbers
from apigen.inputs.merging import GONE, Owner, Shape, Value
from apigen.ir.formats import ANY_JSON

_FOLLOWED = ("optional", "nullable", "omitEmpty", "inline", "required")
_MERGE_WORDS = ("listType", "listMapKeys", "mapType", "structType", "patchStrategy", "patchMergeKey")
"""They go together: a list that became a map in Go has its keys from there too."""
_CORRECTED = ("type", "protobuf", "protobufName", *_MERGE_WORDS)
_CONSTRAINTS = (
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxBytes"),
    *("pattern", "format", "minItems", "maxItems", "uniqueItems", "minProperties", "maxProperties", "immutable"),
    *("requires", "forbids", "rules", "not", "monotonic", "update", "forbidden", "uniqueBy"),
    *("ifEnabled", "ifDisabled", "ifMode", "subfields"),
)


def _same_gates(written: object, wanted: Value) -> bool:
    """Return whether a gate is unchanged, apart from options that users add."""
    return _gates(written) == _gates(wanted)


def _gates(value: object) -> object:
    if isinstance(value, Mapping):
        if "gate" in value:
            return _gates(value["gate"])
        return {word: sorted(map(str, value[word])) for word in ("all", "any") if isinstance(value.get(word), list)}
    return {"all": [value]}


def _same_default(written: object, wanted: Value) -> bool:
    """Return whether a default is unchanged, or was replaced by cases by a user."""
    if isinstance(written, Mapping) and written.keys() == {"value"}:
        return _same_default(written["value"], wanted)
    if isinstance(written, list) and written and not isinstance(wanted, list):
        return isinstance(written[-1], Mapping) and _same_default(written[-1], wanted)
    if isinstance(wanted, Mapping) and wanted.keys() == {"value"}:
        return _same_default(written, wanted["value"])
    return written == wanted and isinstance(written, bool) == isinstance(wanted, bool)


def _format(written: Mapping[str, object], wanted: Value) -> Value:
    """The wanted `format`, but not that of raw JSON for a type that a person has written in another form."""
    return GONE if wanted == ANY_JSON and written.get("is") != WELL_KNOWN_RAW else wanted


_BY_HAND = {"enforcedByHand": Owner.CORRECT}
_ADAPTED = {"enforcedByHand": left_to_hand_written}
_INNER = Shape(owners={**dict.fromkeys(_CONSTRAINTS, Owner.KEEP), **_BY_HAND}, adapted=_ADAPTED)
_FIELD_OWNERS = {
    **dict.fromkeys(FIELD_ORDER, Owner.KEEP),
    **dict.fromkeys(_FOLLOWED, Owner.FOLLOW),
    **dict.fromkeys(_CORRECTED, Owner.CORRECT),
    "doc": Owner.QUIET,
    **dict.fromkeys((*_CONSTRAINTS, "items", "keys", "values"), Owner.KEEP),
    **_BY_HAND,
}
FIELD = Shape(
    owners=_FIELD_OWNERS,
    children={"items": _INNER, "keys": _INNER, "values": _INNER},
    same={"featureGate": _same_gates, "default": _same_default},
    adapted=_ADAPTED,
)
_LIFE = dict.fromkeys(("introduced", "deprecated", "removed", "replacement"), Owner.CORRECT)
_VALUE = Shape(
    owners={"doc": Owner.QUIET, "pyName": Owner.ONCE, "featureGate": Owner.KEEP}, same={"featureGate": _same_gates}
)
TYPE = Shape(
    owners={
        "doc": Owner.QUIET,
        "hub": Owner.ONCE,
        "is": Owner.KEEP,
        "nullable": Owner.FOLLOW,
        **dict.fromkeys(_MERGE_WORDS, Owner.CORRECT),
        **_LIFE,
        "enum": Owner.KEEP,
        "open": Owner.ONCE,
        "fields": Owner.KEEP,
        **dict.fromkeys((*_CONSTRAINTS, "items", "keys", "values"), Owner.KEEP),
        **_BY_HAND,
        "unions": Owner.KEEP,
        "tombstones": Owner.KEEP,
        "reserved": Owner.CORRECT,
    },
    children={
        "fields": Shape(each=FIELD),
        "enum": Shape(each=_VALUE),
        "tombstones": Shape(each=Shape(owners={"protobuf": Owner.CORRECT}), stays_gone=True),
        "items": _INNER,
        "keys": _INNER,
        "values": _INNER,
    },
    union=("is", "enum", "fields"),
    plainest=({"is": "string"},),
    same={"reserved": same_numbers},
    adapted={**_ADAPTED, "format": _format},
)
VERSION_FILE = Shape(owners={"types": Owner.KEEP}, children={"types": Shape(each=TYPE)})
"""A version's file."""

_SUBRESOURCES = Shape(each=Shape(owners={}), stays_gone=True)
_KIND = Shape(
    owners={
        **dict.fromkeys(("scope", "plural", "singular"), Owner.KEEP),
        **dict.fromkeys(("shortNames", "categories"), Owner.QUIET),
        "subresources": Owner.KEEP,
        "list": Owner.KEEP,
    },
    children={"subresources": _SUBRESOURCES},
)
GROUP_FILE = Shape(
    owners={
        "group": Owner.CORRECT,
        "versions": Owner.KEEP,
        "hub": Owner.ONCE,
        "protobuf": Owner.ONCE,
        "kinds": Owner.KEEP,
    },
    children={
        "versions": Shape(each=Shape(owners={**_LIFE, "storage": Owner.ONCE, "served": Owner.KEEP})),
        "kinds": Shape(each=_KIND),
    },
)
"""group.yaml."""

FEATURES_FILE = Shape(
    each=Shape(owners={"owner": Owner.QUIET, "doc": Owner.QUIET, "stages": Owner.CORRECT, "dependsOn": Owner.KEEP}),
    stays_gone=True,
)
"""features.yaml: the import owns the stages and dependencies of a gate."""
