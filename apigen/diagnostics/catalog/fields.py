"""AG05xx: fields: defaults, constraints, merging, unions; `lifecycles` has those about releases and gates."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0503",
        "an inline field has no value of its own",
        """
With `inline: true` only the fields of the struct exist in JSON and in Python. What is said of a value (its absence, a
default, a gate, how it maps to the hub) belongs to those fields.
""",
        """
source: {type: VolumeSource, inline: true, optional: true}
""",
    ),
    CodeInfo(
        "AG0505",
        "a value of the wrong type",
        """
A default, or what a gate sets a field to, is no value of the field's type. Scalars follow YAML 1.2: `1.10` is a
number, `"1.10"` is text. Quantities, durations and times are text in the form that Kubernetes reads.
""",
        """
replicas: {type: int32, default: "1"}
""",
    ),
    CodeInfo(
        "AG0506",
        "a value out of its own bounds",
        """
A default, or what a gate sets a field to, would be refused by the constraints of the field, of its type, or by the
range of the integer. Rules in CEL are asked as of an object that is created: there is no old value. A rule that
cannot be evaluated, or that sees more than the value says, refuses nothing here. A struct that is set as a whole has
all fields that are required and have no default; where hand-written defaults may fill them in, nothing is said.
""",
        """
replicas: {type: int32, minimum: 1, default: 0}
""",
    ),
    CodeInfo(
        "AG0507",
        "not among the enum's values",
        """
A default names a value that the enum does not have. Enums are open for what comes from outside, but what the spec
itself sets is known.
""",
        """
restartPolicy: {type: RestartPolicy, default: Allways}
""",
    ),
    CodeInfo(
        "AG0508",
        "no such member in a structured value",
        """
A default that is a mapping has a key that the struct has no field for.
""",
        """
limits: {type: Limits, optional: true, default: {value: {cpuu: 1}}}
""",
    ),
    CodeInfo(
        "AG0509",
        "a default that never takes effect",
        """
A default fills what is unset: a struct that is always built is never unset, `null` clears nothing that is always
there, a case after one without `when:` is never reached, a default by path fills a field or an entry of a map,
`byKey` is about maps, `emptyIsSet` about lists and maps and `into` about structs. In a version that says
`defaulted: false` none takes effect, hand-written ones included.
""",
        """
template: {type: Template, default: {value: {}}}          # optional: true
""",
    ),
    CodeInfo(
        "AG0510",
        "a path that leads nowhere",
        """
Paths start at the struct that holds the field in question; `$.` starts at the type in whose block they stand.
`list[]` and `map[]` go to each element or value, `map[key]` to one, `list[f=v]` to those elements of which that is
true. A field of an inline struct is named as if it stood in the parent.
""",
        """
defaults:
  spec.rules.host: example.com          # spec.rules[].host
""",
    ),
    CodeInfo(
        "AG0511",
        "a comparison that is never so",
        """
A condition compares a path with a value that can never stand there: of another type, no value of the enum, or `null`
where nothing can be absent. Structs, lists, maps and times are not compared: ask with `set:` or `unset:`.
""",
        """
default: {when: {type: LoadBalancr}, value: true}
""",
    ),
    CodeInfo(
        "AG0512",
        "a default from a field of another type",
        """
`from:` copies the value of another field, so every value of that field's type has to be one of this field's: the same
type, a wider integer, text or `int32` into `IntOrString`, an enum into text.
""",
        """
targetPort: {type: int32, default: {from: name}}
""",
    ),
    CodeInfo(
        "AG0520",
        "a constraint about something else",
        """
`minimum` and its like are about numbers, `minLength`, `pattern` and `format` about text, `maxBytes` about text and
bytes, `minItems` about lists, `minProperties` about maps. Below `items:`, `keys:` and `values:` they are about what
is in a list or map.
""",
        """
name: {type: string, maximum: 63}       # maxLength
""",
    ),
    CodeInfo(
        "AG0521",
        "constraints that nothing meets",
        """
A lower bound is above its upper bound, or `multipleOf` is not positive.
""",
        """
weight: {type: int32, minimum: 10, maximum: 1}
""",
    ),
    CodeInfo(
        "AG0522",
        "invalid pattern",
        """
Patterns have the syntax, the limits and the results of Go's `regexp` (RE2), as in Kubernetes. RE2 has no look-around,
no back-references, no possessive repeats and no atomic groups. A repeat count is at most 1000, and so is the product
of nested repeat counts. A pattern matches anywhere in a text: `^` and `$` tie it to the start and the end.
""",
        """
name: {type: string, pattern: "^(?!x-).*$"}
""",
    ),
    CodeInfo(
        "AG0523",
        "no such format",
        """
Formats are those of Kubernetes' declarative validation: `k8s-short-name`, `k8s-long-name`, `k8s-long-name-caseless`,
`k8s-label-key`, `k8s-prefixed-label-key`, `k8s-label-value`, `k8s-path-segment-name`, `k8s-uuid`,
`k8s-resource-pool-name`, `k8s-extended-resource-name`, `k8s-resource-fully-qualified-name`. Other forms are written
as a `pattern`.
""",
        """
name: {type: string, format: dns-label}      # k8s-short-name
""",
    ),
    CodeInfo(
        "AG0524",
        "no such sibling",
        """
`requires:` and `forbids:` name other fields of the same struct.
""",
        """
key: {type: string, requires: [vale]}
""",
    ),
    CodeInfo(
        "AG0525",
        "merge words that do not fit",
        """
`listType`, `listMapKeys` and `patchMergeKey` are about lists, `mapType` about maps, `structType` about structs. A
`set` holds text or numbers; a list of type `map` holds structs and says by which fields they are told apart.
""",
        """
ports: {type: "[]Port", omitEmpty: true, listType: map}          # listMapKeys: [port]
""",
    ),
    CodeInfo(
        "AG0526",
        "no such key of a list",
        """
`listMapKeys` and `patchMergeKey` name fields of the list's elements, which are structs. A key is text or a number.
""",
        """
ports: {type: "[]Port", omitEmpty: true, listType: map, listMapKeys: [nam]}
""",
    ),
    CodeInfo(
        "AG0527",
        "keys that may all be absent",
        """
The keys of a list tell its elements apart, so at least one of them is always there: it is neither `optional` nor
`nullable`, or it has a default without condition. `None` of the others is a value of its own.
""",
        """
Port:
  fields:
    protocol: {type: string, optional: true}          # default: TCP
""",
    ),
    CodeInfo(
        "AG0528",
        "a constraint that is generated and enforced by hand",
        """
`enforcedByHand` says which constraints code that apigen does not generate enforces already. What stands beside it as a
constraint is generated, and nothing has to be known of it any more.
""",
        """
name: {type: string, optional: true, immutable: true, enforcedByHand: {immutable: true}}
""",
    ),
    CodeInfo(
        "AG0529",
        "code by hand that enforces nothing",
        """
`enforcedByHand` says which constraints code that apigen does not generate enforces. A flag that is `false` is none.
`uniqueItems: false` beside `listType: set` or `map`, which says that nothing is generated, stands in the field itself.
""",
        """
names: {type: "[]string", omitEmpty: true, listType: set, enforcedByHand: {uniqueItems: false}}
""",
    ),
    CodeInfo(
        "AG0530",
        "no such member of a union",
        """
The members and the discriminator of a union are fields of its struct.
""",
        """
unions: [{members: [exactly, firstAvailble]}]
""",
    ),
    CodeInfo(
        "AG0531",
        "a member of a union that is always there",
        """
Of the members of a union one is set and the others are absent, so each has to be able to: `optional`, `omitEmpty` or
`nullable`.
""",
        """
Source:
  fields:
    file: {type: File}                       # optional: true
    url: {type: string, omitEmpty: true}
  unions: [{members: [file, url]}]
""",
    ),
    CodeInfo(
        "AG0532",
        "a discriminator that is no text",
        """
The field that says which member is set is text or an enum.
""",
        """
unions: [{discriminator: count, members: {One: one}}]         # count: {type: int32}
""",
    ),
    CodeInfo(
        "AG0533",
        "values of a discriminator that do not fit",
        """
Every value of the discriminator's enum goes with one member or stands in `empty:`, and there are no others.
""",
        """
unions: [{discriminator: type, members: {RollingUpdate: rollingUpdate}}]       # and Recreate? empty: [Recreate]
""",
    ),
    CodeInfo(
        "AG0534",
        "a union of all fields beside another",
        """
With `members: all` every field of the struct is a member, so that another union of the same struct would share them.
""",
        """
unions: [{members: all}, {members: [one, two]}]
""",
    ),
)
