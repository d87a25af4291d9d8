"""AG132x: what goes, what comes back, what is new. AG134x: lifecycles, and which version is served and stored."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

REMOVALS: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1320",
        "a field or value of a stable version is removed",
        """
A stable version keeps its promise: what was on by default once is there as long as the version. (Kubernetes
deprecation policy, rule 1: elements go with a new version only.) Deprecate it, say what to use instead, and leave it
out of the next version of the group.

What was only ever there for those who asked for it, behind a gate that no release had on by default, may go at once;
its tombstone keeps name and number.
""",
        """
# v1.yaml; 1.12 shipped `depth` without a gate
tombstones:
  depth: {protobuf: 4, removed: "1.13"}
""",
    ),
    CodeInfo(
        "AG1321",
        "something in beta is removed that was never deprecated",
        """
In beta a field or value that was on by default may go, but those who use it are told first: `deprecated:` in a
release that ships, three releases before it goes at the latest. That is rule 4a of Kubernetes' deprecation policy.
""",
        """
# v1beta1.yaml
tombstones:
  depth: {protobuf: 4, removed: "1.13"}     # no release said `deprecated:`
""",
    ),
    CodeInfo(
        "AG1322",
        "something in beta is removed before its time",
        """
After a release has deprecated it, a field or value in beta is there for nine months or three releases, whichever is
longer. That is rule 4a of Kubernetes' deprecation policy. The diagnostic says from which release on it may go.
""",
        """
depth: {type: int32, optional: true, deprecated: "1.12", removed: "1.13"}
""",
    ),
    CodeInfo(
        "AG1323",
        "a field comes back as something else",
        """
Name and number of a field that went may return on purpose, if the very same field returns: same name, number, type
and presence, and the same meaning. Then old objects that still have it are read as they were meant. Take the
tombstone away and say when it came back: `returned: "1.15"`. Anything else takes another name and leaves the
tombstone where it is.
""",
        """
depth: {type: string, optional: true, protobuf: 4, returned: "1.15"}     # it was an int32
""",
    ),
    CodeInfo(
        "AG1324",
        "something says that it came back, and was never gone",
        """
`returned:` names the release that brought a field or value back after releases without it. What the records of these
releases say is otherwise: they had it all along, or never, or another release is in the making.
""",
        """
width: {type: int32, optional: true, returned: "1.15"}     # 1.14 had it, too
""",
    ),
    CodeInfo(
        "AG1326",
        "a new field in one served version only",
        """
Whoever reads and writes objects in another version of the group must not lose the field: a new one comes to every
version that is served, in the same release, or is carried there in an annotation. That is rule 2 of Kubernetes'
deprecation policy: objects round-trip between all versions of a release. Versions in alpha may lag behind. Where that
is meant: `ignore: {AG1326: reason}` at the field.
""",
        """
# v2.yaml has it, v1.yaml, which is served as well, has not
width: {type: int32, optional: true, featureGate: Frobber2D}
""",
    ),
)

LIFECYCLES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1340",
        "a stable version is to be removed",
        """
A stable version, and every kind in it, may be deprecated, but is served as long as the major version of the releases.
That is rule 4a of Kubernetes' deprecation policy.
""",
        """
v1: {introduced: "1.9", deprecated: "1.20", removed: "1.25"}
""",
    ),
    CodeInfo(
        "AG1341",
        "beta for too long",
        """
Something in beta is deprecated nine months or three releases after it came, at the latest: it becomes stable, is
replaced by another beta, or goes. That is rule 4a of Kubernetes' deprecation policy. Where there are reasons:
`ignore: {AG1341: reason}` at the kind's type.
""",
        """
v1beta1: {introduced: "1.9", deprecated: "1.20", removed: "1.23"}
""",
    ),
    CodeInfo(
        "AG1342",
        "beta ends too soon",
        """
What is in beta is served for nine months or three releases after it was deprecated, whichever is longer. That is rule
4a of Kubernetes' deprecation policy.
""",
        """
v1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.13"}
""",
    ),
    CodeInfo(
        "AG1343",
        "deprecated in favour of something less stable",
        """
Nobody is sent from a stable version to one in beta, nor from beta to alpha. That is rule 3 of Kubernetes' deprecation
policy.
""",
        """
v1: {introduced: "1.9", deprecated: "1.14", replacement: v2alpha1}
""",
    ),
    CodeInfo(
        "AG1344",
        "a version or kind goes before its time",
        """
The last release served it, and it is gone, or `served: false`. Alpha goes at any time; beta goes three releases after
a release deprecated it, and not before the release that it announced with `removed:`; a stable version stays as long
as the major version. That is rule 4a of Kubernetes' deprecation policy.
""",
        """
versions:
  v1: {storage: true}
  v1beta1: {introduced: "1.9", deprecated: "1.12", removed: "1.15", served: false}      # in release 1.13
""",
    ),
    CodeInfo(
        "AG1345",
        "a new version is stored or preferred at once",
        """
Servers of two releases run side by side, and a rollback puts the older one in charge. It cannot read objects that are
stored in a version that it does not know. So a release that has both versions ships first; the next one moves
`storage: true`, or `preferred: true`. That is rule 4b of Kubernetes' deprecation policy.
""",
        """
v1beta1: {introduced: "1.9"}
v1: {introduced: "1.12", storage: true}              # in release 1.12
""",
    ),
    CodeInfo(
        "AG1346",
        "storage moves to something less stable",
        """
A version in alpha or beta may be gone before the objects are that were stored in it. What is stored in a version, or
preferred, is moved to one that promises as much.
""",
        """
v1: {introduced: "1.9"}
v2alpha1: {introduced: "1.12", storage: true}
""",
    ),
    CodeInfo(
        "AG1347",
        "storage moves before the last release served the version",
        """
The last release knows the version, but did not serve it, or did not have the kind in it. Only after a release that
supports both versions has shipped may storage, or the preferred version, advance. That is rule 4b of Kubernetes'
deprecation policy.
""",
        """
v1: {introduced: "1.12", storage: true}              # 1.12 had `served: false`
""",
    ),
    CodeInfo(
        "AG1348",
        "a version that was stored is gone",
        """
Objects stay as they were stored until somebody writes them again. So a version that was ever `storage: true` stays
where it can be read, perhaps with `served: false`, until all objects were migrated; then its tombstone says since
which release none is left: `v1beta1: {removed: "1.18", migrated: "1.17"}` under `tombstones: versions:` in
group.yaml.
""",
        """
versions: {v1: {storage: true}}                      # 1.12 stored in v1beta1
""",
    ),
    CodeInfo(
        "AG1349",
        "a lifecycle was changed after the fact",
        """
When something came, was deprecated or went is known to everybody once the release is out. It is neither changed nor
backdated, and what is new did not come in a release that does not have it.
""",
        """
v1beta1: {introduced: "1.9", deprecated: "1.10"}     # 1.12 shipped without `deprecated:`
""",
    ),
)
