"""AG122x and AG123x: what an import leaves out, and where the specs that are there say something else."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

_LIST = """
One line stands for everything that is alike. Where the spec folder has a `not-imported.yaml`, what it explains is not
reported, and what it does not is an error; `--list FILE` writes all of it, one by one.
"""

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1220",
        "a marker that is not imported",
        f"""
The marker is for another generator, is not known, or does not fit the place where it stands: a `listType` on what is no
list, a key of a list that its elements may lack, a union of one field. The reason is in the message.
{_LIST}""",
        """
// +listType=atomic
SideEffects *SideEffectClass               // no list: the marker does nothing
""",
    ),
    CodeInfo(
        "AG1221",
        "validation that is not imported",
        f"""
The language has no word for the validation tag, or Kubernetes does not enforce it by default: tags within
`+k8s:alpha(…)=` are computed and never refuse anything, and before release 1.36 that holds for all of them. `--release`
says which release the sources are of. Of these, `enforcedByHand` keeps what is about one value and has a word.
{_LIST}""",
        """
// +k8s:alpha(since: "1.36")=+k8s:item(name: "a")=+k8s:immutable
Rules []Rule
""",
    ),
    CodeInfo(
        "AG1222",
        "a type that is not imported",
        f"""
It is no data (an interface, a function), is not exported, or says itself that it is never a message. A type that can be
anything has no place in a spec: give it one of the types that the language has, such as `RawExtension`.
{_LIST}""",
        """
type ObjectAccessor interface { GetName() string }
""",
    ),
    CodeInfo(
        "AG1223",
        "a field that is not imported",
        f"""
JSON leaves it out, it is not exported, or its type cannot be said: an interface, an array of fixed length, a type of a
package that was not read. `--module IMPORT/PATH=FOLDER` says where such a package is.
{_LIST}""",
        """
Cells []interface{}
""",
    ),
    CodeInfo(
        "AG1224",
        "a part of a type that is not imported",
        f"""
The field or type is imported, and something of it is not. Elements that are pointers can be `null` in Go's JSON, and
elements of a list or map of the language cannot. Where a type has an `UnmarshalJSON` of its own, code says what its JSON
looks like: it becomes text where the sources say that it is, else `RawExtension`, which keeps any JSON; write what it
is, and the import keeps it. A type of another group must be in the specs, too: import its package, or several at once.
{_LIST}""",
        """
Rules []*Rule
""",
    ),
    CodeInfo(
        "AG1225",
        "a constant that is not imported",
        f"""
Only text has a set of values in the language, and each value once. Constants of no type belong to no field.
{_LIST}""",
        """
const (
	Local    Policy = "Local"
	OldLocal Policy = "Local"               // the same value again
)
""",
    ),
    CodeInfo(
        "AG1226",
        "a feature gate that does not exist",
        f"""
The marker names a gate that is neither in `features.yaml` nor in the sources given by `--features`: it is misspelt, or
was removed after it became GA. Where another gate is meant, an entry of `not-imported.yaml` says so by `instead:`.
{_LIST}""",
        """
// +featureGate=Forbber2D
Width *int32
""",
    ),
    CodeInfo(
        "AG1227",
        "a replacement that does not exist",
        f"""
The lifecycle marker names a kind that the version which it names does not have.
{_LIST}""",
        """
// +k8s:prerelease-lifecycle-gen:replacement=apps,v1,DeploymentRollback
type DeploymentRollback struct
""",
    ),
    CodeInfo(
        "AG1228",
        "what looks like a tombstone and is none",
        f"""
A field that is commented out is a tombstone if it has a number, words say that it is gone, and neither name nor number
has come back. Others are plans, or were given away again.
{_LIST}""",
        """
// FailedPodsLimit *int32 `json:"failedPodsLimit,omitempty" protobuf:"varint,9,opt,name=failedPodsLimit"`
""",
    ),
    CodeInfo(
        "AG1229",
        "a kind that cannot be imported as it is",
        f"""
The package makes a kind known whose type was not read, or gives it a `scale` without numbers of replicas.
{_LIST}""",
        """
scheme.AddKnownTypes(SchemeGroupVersion, &other.Frobber{})
""",
    ),
    CodeInfo(
        "AG1230",
        "the specs follow Go",
        """
What is on the wire (type, presence, number, name in protobuf) is as Go says, and so is what schemas require: the value
that was there is replaced. See that lenses and defaults of the field still hold. A field of which Go says that it is
gone becomes a tombstone.
""",
        """
width: {type: int64, protobuf: 3}         # in Go it is an int32 today
""",
    ),
    CodeInfo(
        "AG1231",
        "the specs stay as they are, and Go says otherwise",
        """
A constraint, gate, default, lifecycle or word of merging is not on the wire, so that what a person wrote stays. Where
Go is right, remove the key and import again.
""",
        """
rules: {type: "[]Rule", omitEmpty: true, maxItems: 10}       # in Go it is 100
""",
    ),
    CodeInfo(
        "AG1232",
        "a field or value that Go no longer has",
        """
Nothing says what became of it: an import never takes a field for another one that was renamed, and never removes one.
If it was released, its name and number go to `tombstones:`.
""",
        """
tombstones:
  depth: {protobuf: 4, removed: "1.12"}
""",
    ),
    CodeInfo(
        "AG1233",
        "a type, kind or version that Go no longer has",
        """
It stands in the specs and in none of the packages that were read. If it is an addition of yours, an entry of
`not-imported.yaml` with `leaveOut: true` says so.
""",
        """
- {what: type, where: core/v1.ListOptions, leaveOut: true, reason: a type of meta/v1}
""",
    ),
    CodeInfo(
        "AG1234",
        "YAML that cannot be merged into",
        """
Something has to be written where an alias stands for what is written elsewhere too, or where no mapping stands; or Go has
a name that no YAML file can hold. Nothing is written.
""",
        """
width: *height                            # write the value out
""",
    ),
    CodeInfo(
        "AG1235",
        "packages that are no version of a group",
        """
A package says by a constant `GroupName` or by `+groupName=` in doc.go which group it belongs to, and no two packages are
the same version of it. The name of a group is the name of its folder, and like a host name. Beside packages that say it,
those that do not are only looked at where others refer to them.
""",
        """
// +groupName=things.example.com
package v1
""",
    ),
    CodeInfo(
        "AG1236",
        "an entry of not-imported.yaml that explains nothing",
        """
Nothing of the kind is left out any more. The list says what is so today: remove the entry.
""",
        """
- {what: gate, name: Frobber2D, reason: gone since it is GA}         # no field names it now
""",
    ),
    CodeInfo(
        "AG1237",
        "the specs cannot be written",
        """
The system does not let a file or folder be written, or somebody has saved one since the import read it: then import
again. Nothing has been changed.
""",
        """
chmod u+w api-specs
""",
    ),
    CodeInfo(
        "AG1238",
        "a feature gate that is not understood",
        """
Stages are read from literals of a map of features to `VersionedSpecs`, with plain releases, stages and flags. Names of
gates are constants of the files that were read.
""",
        """
Frobber2D: {{Version: version.MustParse(release), Default: true}}         // which release?
""",
    ),
    CodeInfo(
        "AG1239",
        "a feature gate with two histories",
        """
Two maps have the same gate with different stages: they are of different releases, or one of them is wrong.
""",
        """
apigen import go ./api --features v1.35/features --features v1.36/features
""",
    ),
)
