"""AG03xx: names and types."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0301",
        "no such type",
        """
A type expression names a type that its version does not declare. Types of the same version are written by name alone,
those of others as `group/version.Type`; builtin are `string bool int32 int64 uint32 uint64 float32 float64 bytes` and
`Time MicroTime Duration Quantity IntOrString RawExtension FieldsV1`.
""",
        """
spec: {type: FrobberSpc}          # the type is called FrobberSpec
""",
    ),
    CodeInfo(
        "AG0302",
        "no such group",
        """
A type expression names a group that the specs do not hold. A group is named by its folder, wherever that is below the
spec folder: the one with the empty name is called `core` there.
""",
        """
metadata: {type: metta/v1.ObjectMeta}
""",
    ),
    CodeInfo(
        "AG0303",
        "no such version of a group",
        """
A type expression names a version that its group does not list, or the hub: types of a hub are never on the wire, so a
version cannot have them.
""",
        """
selector: {type: meta/v2.LabelSelector}
""",
    ),
    CodeInfo(
        "AG0304",
        "a type cannot be called so",
        """
The name of a type is that of a class: a capital, then letters and digits. It cannot be that of a builtin type, nor
one that generated modules need for themselves (`Any`, `Mapping`, `Enum` and some more).
""",
        """
types:
  frobber_spec: {fields: {}}      # FrobberSpec
""",
    ),
    CodeInfo(
        "AG0305",
        "a name that stands for itself",
        """
Types with `is:` name each other in a circle, or one after the other more often than anybody could follow. A name has
to stand for something in the end. A list of itself (`is: "[]Tree"`) is no type either: a struct has to be in between.
""",
        """
Name: {is: Label}
Label: {is: Name}
""",
    ),
    CodeInfo(
        "AG0306",
        "the key of a map is no text",
        """
Keys of a JSON object are text, so those of a map are `string`, an enum, or a name for one of these.
""",
        """
byPort: {type: "map[int32]Backend"}          # a list with listType: map, and the port as its key
""",
    ),
    CodeInfo(
        "AG0307",
        "a list in a list",
        """
Protobuf repeats messages, not lists: what stands within a list or map cannot be a list or map itself. A named list or
map with `nullable: true` is a message of its own (`items = 1`) and can stand there.
""",
        """
extra: {type: "map[string][]string"}         # Extra: {is: "[]string", nullable: true}, and map[string]Extra
""",
    ),
    CodeInfo(
        "AG0308",
        "two types with one name in functions",
        """
Generated functions are called after types (`decode_http_route`), and two types of one version give the same name
there. Rename one; in JSON the names of types do not show.
""",
        """
HTTPRoute: {fields: {}}
HttpRoute: {fields: {}}
""",
    ),
    CodeInfo(
        "AG0309",
        "only a list or map can be nullable as a type",
        """
`nullable: true` on a type with `is:` makes a list or map a message of its own in protobuf, so that it can be absent
within a map. For other types it says nothing: a field says by itself whether it may be `None`.
""",
        """
Title: {is: string, nullable: true}
""",
    ),
    CodeInfo(
        "AG0310",
        "two things with one Python name",
        """
Python names are derived from JSON names (`podIPs` is `pod_ips`, `OnTuesday` is `ON_TUESDAY`), and two fields of a
struct or values of an enum give the same. apigen does not number them: give one a `pyName:`.
""",
        """
podIPs: {type: "[]string"}
pod_ips: {type: "[]string", pyName: old_pod_ips}
""",
    ),
    CodeInfo(
        "AG0311",
        "no Python name can be made",
        """
A Python name is made of the words of the JSON name, its ASCII letters and digits. This one has none, begins with a
digit, or has other letters. `pyName:` says how it is called.
""",
        """
"<": {pyName: LESS}
""",
    ),
    CodeInfo(
        "AG0312",
        "a Python name that cannot be used",
        """
A `pyName:` is an identifier of ASCII letters, digits and `_`, no keyword, and does not start with `_`.
""",
        """
lambda: {type: string, pyName: lambda}       # left out, it would be lambda_
""",
    ),
    CodeInfo(
        "AG0313",
        "a struct cannot stand inline here",
        """
With `inline: true` the fields of a struct stand in its parent. So the type is a struct, which stands there once and
not more than 16 levels deep.
""",
        """
source: {type: string, inline: true}
""",
    ),
    CodeInfo(
        "AG0314",
        "an inline struct brings a name that is there already",
        """
Fields of an inline struct stand beside those of its parent in JSON and in Python, so their names must differ, and the
name of the inline field itself, which paths use, too.
""",
        """
name: {type: string}
common: {type: Common, inline: true}         # Common has a field `name` as well
""",
    ),
    CodeInfo(
        "AG0315",
        "a struct contains itself",
        """
A field that is not optional is built with its struct, so a struct that leads back to itself over such fields would
never be finished. A way out is a field that may be absent (`optional`, `nullable`) and has no default that builds the
struct again, or a list or map. Structs that stand inline in each other have no way out at all.
""",
        """
Node:
  fields:
    next: {type: Node}            # optional: true
""",
    ),
    CodeInfo(
        "AG0316",
        "an enum without values",
        """
An enum is text of which some values are known. Where none is, the type is a name for text: `is: string`.
""",
        """
Phase: {enum: {}}
""",
    ),
    CodeInfo(
        "AG0317",
        "`apiVersion` and `kind` are there already",
        """
Every kind and every list of a kind has `apiVersion` and `kind` without declaring them.
""",
        """
Frobber:                          # a kind
  fields:
    kind: {type: string}
""",
    ),
    CodeInfo(
        "AG0318",
        "`unknown` is none of the values",
        """
`unknown:` of an enum says which known value a client takes for one that it does not know.
""",
        """
RestartPolicy: {enum: {Always: {}, Never: {}}, unknown: Nevr}
""",
    ),
    CodeInfo(
        "AG0320",
        "a group is declared twice",
        """
Two folders have a `group.yaml` with the same `group:`. On the wire nobody could tell their kinds apart.
""",
        """
group: apps                       # api-specs/apps/group.yaml and api-specs/old/apps/group.yaml
""",
    ),
    CodeInfo(
        "AG0321",
        "invalid name of a group, version, kind or resource",
        """
Names in `group.yaml` follow the rules by which kube-apiserver checks a CustomResourceDefinition. A group is a DNS subdomain
of at most 253 characters (`things.example.com`, `apps`; the core group is empty). A version is named like `v1`, `v2beta3` or
`v1alpha1`, because clients and servers order versions by these names. A kind, its list kind, plural, singular, short names,
categories and subresources are DNS labels of at most 63 characters: lowercase letters, digits and `-`, beginning with a
letter; a kind may have capitals. The plural and the group together have at most 253 characters.
""",
        """
group: things example             # things.example.com
versions: {beta1: {}}             # v1beta1
kinds: {Frobber: {plural: ../frobbers}}      # frobbers
""",
    ),
    CodeInfo(
        "AG0322",
        "a version without a file",
        """
`group.yaml` lists a version, and there is no file of its name beside it.
""",
        """
versions: {v1: {}, v2: {}}        # v2.yaml is missing
""",
    ),
    CodeInfo(
        "AG0324",
        "not exactly one version is stored",
        """
A group with a hub stores its objects in one version, the one with `storage: true`; objects of others are converted.
""",
        """
versions:
  v1: {storage: true}
  v2: {storage: true}
""",
    ),
    CodeInfo(
        "AG0325",
        "the hub follows a version that is not there",
        """
`hub:` of `group.yaml` names the version whose shape the hub has. It is one of `versions:`.
""",
        """
versions: {v1: {storage: true}}
hub: v2
""",
    ),
    CodeInfo(
        "AG0326",
        "a kind without its struct",
        """
A version has a kind when it has a struct of that name. Here no version has one, or the type of that name is none.
""",
        """
kinds: {Frober: {plural: frobbers}}          # the type is called Frobber
""",
    ),
    CodeInfo(
        "AG0327",
        "a hub type that is not there",
        """
A kind can live in another group's hub: `hub: networking.k8s.io/hub.Ingress`. That group has to be in the specs, with
a hub, and with a type that is called so there.
""",
        """
Ingress: {plural: ingresses, hub: networking/hub.Ingress}
""",
    ),
    CodeInfo(
        "AG0328",
        "lists need `meta/v1.ListMeta`",
        """
Every kind brings a list, whose metadata are a `meta/v1.ListMeta`. The specs have no such type. Add the group `meta`,
spell the list out, or decline it with `list: false`.
""",
        """
kinds: {Frobber: {plural: frobbers}}         # and no api-specs/meta/v1.yaml
""",
    ),
    CodeInfo(
        "AG0329",
        "two kinds with one plural",
        """
The plural is the name of the resource in URLs; two kinds of a group cannot share it.
""",
        """
kinds:
  Frobber: {plural: frobbers}
  Frob: {plural: frobbers}
""",
    ),
    CodeInfo(
        "AG0331",
        "no such operation",
        """
A kind's strategy knows `create`, `update` and each of its subresources; hooks run after the same operations.
""",
        """
strategy: {status: {keep: [spec]}}           # and no `subresources: {status: {}}`
""",
    ),
    CodeInfo(
        "AG0332",
        "structs that lead on too far",
        """
Fields lead from struct to struct, more than 256 in a row, each another one. Readers of protobuf follow a hundred
messages in each other, so nobody could send an object that is filled down to there. Structs that lead back to ones
before them, as those of a tree do, may do so as they like.
""",
        """
Step1: {fields: {next: {type: Step2, optional: true}}}
Step2: {fields: {next: {type: Step3, optional: true}}}      # and so on, to Step300
""",
    ),
)
