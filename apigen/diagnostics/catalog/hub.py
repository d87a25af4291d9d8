"""AG06xx: the hub and lenses."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0601",
        "a hub path that does not exist",
        """
A lens names a place of the hub by its path. The hub has the shape of the version that `hub:` names, widened by what
other versions add and by hub.yaml; a path goes along the fields of that shape, and only its last name may be new.
""",
        """
backend: {type: Backend, hub: defaultBackend.servce}      # service
""",
    ),
    CodeInfo(
        "AG0602",
        "a lens whose two ends do not fit",
        """
A lens joins a place of this version with one of the hub, and both directions are generated from it. That only works
where the two types are of the kind that the lens is about: a scale needs two integers, a singular needs text and a
list, `select` needs an optional field and a field below one selection, and so on.
""",
        """
name: {type: string, hub: {scale: 1000}}                 # a text cannot be scaled
""",
    ),
    CodeInfo(
        "AG0603",
        "words of a lens that do not go together",
        """
Each lens has its own words. One that belongs to another lens, or a value that the word does not take, would be
overlooked otherwise.
""",
        """
seconds: {type: int32, hub: {scale: 1000, wins: singular}}      # a scale has nobody to win
""",
    ),
    CodeInfo(
        "AG0604",
        "two types that no checked conversion joins",
        """
Fields meet by their JSON name, and only if their types convert: text with text, integers with integers (checked for
range, never cut), structs with their own hub type. A name that came to mean another thing is no pair. Rename the field
in the hub, or join the two with a lens.
""",
        """
target: {type: Reference}     # the hub's `target` is a MetricTarget; say hub: describedObject
""",
    ),
    CodeInfo(
        "AG0605",
        "an enum value without partner",
        """
`hub: {enum: {Old: New}}` renames values. Every value on the left is one of this version's enum, every one on the
right one of the hub's, and no two become the same: the way back would have to guess.
""",
        """
mode: {type: Mode, hub: {enum: {Fast: Quick, Rapid: Quick}}}
""",
    ),
    CodeInfo(
        "AG0606",
        "absence that means nothing on the other side",
        """
A field can be `None` on one side and cannot on the other. Something has to say what `None` is there, or it would be
lost without a word. `hub: {absent: 0}` says it on the field, `absent: 0` in hub.yaml for all versions.
""",
        """
replicas: {type: int32, optional: true}      # the hub has a plain int32: hub: {absent: 0}
""",
    ),
    CodeInfo(
        "AG0607",
        "two fields for one place of the hub",
        """
Two fields of a version are written to the same place, so that one of them would win unsaid. If they mean the same,
one is an alias of the other.
""",
        """
serviceAccount: {type: string, omitEmpty: true, hub: {alias: serviceAccountName}}
""",
    ),
    CodeInfo(
        "AG0608",
        "a type below kinds of different hubs",
        """
The types below a kind follow it into its hub by name. A type that stands below two kinds with different hubs has to
say which one it follows.
""",
        """
ScaleStatus: {hub: autoscaling/hub.ScaleStatus, fields: {}}
""",
    ),
    CodeInfo(
        "AG0609",
        "a lens that cannot be said from above",
        """
In `lenses:` a type says something of a place below it, for this use only. Places in lists and maps can be clamped,
dropped and given constants that way; other lenses stand on the field.
""",
        """
lenses: {'items[].name': {to: title}}     # say hub: title on the field
""",
    ),
    CodeInfo(
        "AG0611",
        "a condition of a lens that cannot be asked",
        """
Conditions of lenses ask the version's object. Their paths have to exist there, and they cannot ask for feature gates:
what was converted under one setting would not convert back under another.
""",
        """
constant: [{when: {set: targetValeu}, value: Value}]       # targetValue
""",
    ),
    CodeInfo(
        "AG0612",
        "no annotations to carry anything in",
        """
`annotation` carries a value of the hub in `metadata.annotations` of the object. The type that says so needs that
field; say it in the kind's root type and not in one below it.
""",
        """
FrobberSpec: {hubOnly: {owner: {annotation: example.com/owner}}}      # say it in Frobber: spec.owner
""",
    ),
    CodeInfo(
        "AG0613",
        "hub.yaml changes a type that the hub does not have",
        """
An entry of hub.yaml with `fields` adds to a type of the hub, or makes one. This one does neither.
""",
        """
types: {FrobberSpce: {fields: {}}}        # FrobberSpec
""",
    ),
    CodeInfo(
        "AG0614",
        "a new field of the hub without a type",
        """
A field that hub.yaml adds needs a type; only one that the hub has anyway can be changed without.
""",
        """
types: {FrobberSpec: {fields: {owner: {absent: ''}}}}      # owner: {type: string}
""",
    ),
    CodeInfo(
        "AG0615",
        "a place that the version does not have",
        """
The paths of `lenses:` start at the type in whose block they stand, and go along the fields of this version.
""",
        """
lenses: {spec.graceperiod: {clamp: {below: 0, to: 1}}}     # spec.gracePeriod
""",
    ),
    CodeInfo(
        "AG0616",
        "a strategy, a rule on gates or a field selector that does not fit the hub",
        """
The paths and conditions of a kind's `strategy:` and `selectableFields:`, and of `gates:` in hub.yaml are those of the
hub. They have to exist there, what is kept, reset or dropped has to be something that can be, and what a field selector
compares is one value.
""",
        """
strategy: {status: {keep: [spec, metadta]}}              # metadata
""",
    ),
)
