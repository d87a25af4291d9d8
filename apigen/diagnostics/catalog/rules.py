"""AG1xxx: rules of style and policy, and how they are acknowledged."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1001",
        "an acknowledgement that nothing needs",
        """
`ignore: {CODE: reason}` acknowledges that a rule strikes here. It does not, or no more: remove it, so that it does
not cover what comes later.
""",
        """
ratio: {type: int32, ignore: {AG1101: it was a float once}}
""",
    ),
    CodeInfo(
        "AG1002",
        "no such rule to acknowledge",
        """
`ignore:` names the code of a rule of style or policy (AG11xx). Errors of the spec cannot be acknowledged.
""",
        """
ratio: {type: float64, ignore: {AG1111: measured, never compared}}
""",
    ),
    CodeInfo(
        "AG1101",
        "a floating-point number",
        """
Languages write and round floats differently, so an object that is read and written back may change. Kubernetes' API
conventions ask for whole numbers of a smaller unit (`milliseconds`), or `Quantity`.
""",
        """
ratio: {type: float64}            # percent: {type: int32}
""",
    ),
    CodeInfo(
        "AG1102",
        "an unsigned integer",
        """
JSON tools and many languages have no unsigned integers. Kubernetes' API conventions ask for `int32` and `int64`, with
a minimum.
""",
        """
count: {type: uint32}             # {type: int32, minimum: 0}
""",
    ),
    CodeInfo(
        "AG1103",
        "a field that is not in camel case",
        """
Names of fields begin with a small letter and have capitals where words begin: `podCIDRs`.
""",
        """
pod_cidrs: {type: "[]string", omitEmpty: true}
""",
    ),
    CodeInfo(
        "AG1104",
        "required, and yet with a default",
        """
A field that is always written is required in schemas, so that tools that check objects by schema refuse those that
leave it out, before the default could fill it.
""",
        """
replicas: {type: int32, default: 1}          # required: false
""",
    ),
    CodeInfo(
        "AG1105",
        "an enum that grows without `unknown`",
        """
A value behind a gate is new, and reaches clients that do not know it. `unknown:` says which of the known values they
take it for.
""",
        """
Policy: {enum: {Always: {}, OnTuesday: {featureGate: Tuesdays}}}         # unknown: Always
""",
    ),
    CodeInfo(
        "AG1106",
        "a pre-release version without an end",
        """
By Kubernetes' deprecation policy, alpha and beta versions are deprecated three releases after they came and removed
three releases later. apigen does not assume that: the version, or the kind in it, says it.
""",
        """
v1beta1: {introduced: "1.11"}     # deprecated: "1.14", removed: "1.17"
""",
    ),
    CodeInfo(
        "AG1107",
        "a list of structs without a list type",
        """
Without `listType:` server-side apply takes the list as a whole: two appliers overwrite each other. Say so with
`atomic`, or give it keys with `listType: map`. Kubernetes' own rule `list_type_missing` is the same.
""",
        """
ports: {type: "[]Port", omitEmpty: true}     # listType: map, listMapKeys: [port]
""",
    ),
    CodeInfo(
        "AG1108",
        "two ways to merge with different keys",
        """
Server-side apply finds elements by `listMapKeys`, a strategic merge patch by `patchMergeKey`. Where these differ, the
two see different elements.
""",
        """
ports: {type: "[]Port", omitEmpty: true, listType: map, listMapKeys: [port], patchStrategy: merge, patchMergeKey: name}
""",
    ),
    CodeInfo(
        "AG1109",
        "a type that nothing uses",
        """
No kind of any group leads to this type. It is left over, or the field that used it is missing. Groups without kinds
are for others to use, so that all their types count as used.
""",
        """
FrobberSpecOld: {fields: {}}
""",
    ),
    CodeInfo(
        "AG1110",
        "versions that refer to each other",
        """
Each version is a `.proto` file, and protoc refuses files that import each other, be it by way of a third one. Whoever
does without these files can acknowledge it on the fields.
""",
        """
# one/v1.yaml                                   # two/v1.yaml
Crate: {fields: {lid: {type: two/v1.Lid}}}      # Lid: {fields: {crate: {type: one/v1.Crate, optional: true}}}
""",
    ),
    CodeInfo(
        "AG1112",
        "versions that disagree on what guards or limits a field",
        """
Strategies and validation work on objects of the hub, by the gates and limits of the version that the hub follows. What
another version says of the same field is not asked: its clients would be told one thing, and meet another.
""",
        """
width: {type: int32, optional: true, minimum: 1}      # and minimum: 0 in the version that the hub follows
""",
    ),
)
