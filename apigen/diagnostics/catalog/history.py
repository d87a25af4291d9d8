"""AG130x: records of what was released."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1300",
        "a record was edited by hand",
        """
A record in a folder `history` says what a release shipped. Servers and clients of that release go on to run, and their
data goes on to be stored, whatever the file says afterwards; so it is never changed, and checksums tell where it was.

Restore the file as it was committed. What was wrong in a release is mended in the specs, and is part of the next one.
After a merge, too, each record is as one of the two branches has it.
""",
        """
v6.yaml:
  Frobber:  # 8736cceff2184569
    fields:
      height: {type: int64, protobuf: 2}     # int32 was shipped
""",
    ),
    CodeInfo(
        "AG1301",
        "a record is missing, or is not the one that was written",
        """
Each record names the one before it by its checksum, and `chain.yaml` lists all of a folder. So a record that was
taken away, put in between, renamed, or copied from another group is noticed.

Restore the folder as it was committed. Where two branches recorded the same group, only one of them can be the next
release: take the folder of one branch whole (`git checkout --ours` or `--theirs`, with its path), and record what the other
one changes as a release after it.
""",
        """
# history/chain.yaml
"1.10": 5be4d7c2f6b3a190
"1.11": 0a9c63d7be24f158       # and there is no history/1.11.yaml
""",
    ),
    CodeInfo(
        "AG1302",
        "a file in a history is not a record",
        """
A folder `history` holds what `apigen release` wrote, and nothing else: a file for each release, and `chain.yaml`.
A record that lost its first lines is none any more: restore it as it was committed.
""",
        """
api-specs/things.example.com/history/notes.yaml
""",
    ),
    CodeInfo(
        "AG1303",
        "a release that is past",
        """
A release that is recorded has been shipped, and so have those before it. What has changed since is part of a later
one: nothing is added to a record, and no record is put before another.

Without any change `apigen release` says so and succeeds, however often it is run.
""",
        """
apigen release 1.12        # and history/1.12.yaml says something else than the specs do now
apigen release 1.13        # the mend
""",
    ),
    CodeInfo(
        "AG1304",
        "the specs have errors, so nothing is recorded",
        """
A record is what later releases are judged by, and from which this one can be built again. So only specs without errors
are recorded. Warnings do not count.
""",
        """
apigen lint                # what is wrong
apigen release 1.13
""",
    ),
    CodeInfo(
        "AG1305",
        "a group that was released is gone",
        """
The folder of the group has records and no group.yaml. Objects of the group are stored, and clients use it. A group goes
as its versions do: each is deprecated, served for as long as the policy says, and has a `removed:` that is no later
than the release in the making. When the last record says so of all versions, all of the folder but `history` may go;
`apigen release` records that the group is gone, and the folder stays as the memory of its names.
""",
        """
# group.yaml of the release before
versions:
  v1alpha1: {introduced: "1.10", deprecated: "1.12", removed: "1.13"}
""",
    ),
    CodeInfo(
        "AG1306",
        "a version or kind that was released is gone",
        """
Objects may be stored in it, and clients use it. It is deprecated first, goes on to be served for as long as the
policy says, and has a `removed:` in the record of a release before it may go from the specs.
""",
        """
# group.yaml in release 1.12
versions:
  v1beta1: {introduced: "1.10"}
  v1: {introduced: "1.12", storage: true}
# and in 1.13
versions:
  v1: {introduced: "1.12", storage: true}        # v1beta1 had no `removed:`
""",
    ),
    CodeInfo(
        "AG1307",
        "a field's values look different on the wire",
        """
The field was shipped with a type whose values are written in another way, in JSON or in protobuf. What is stored could
not be read any more, or would be read as something else; and servers and clients of the release before could not read what
is written now. An integer may grow wider (`int32` to `int64`), a text may become an enum or lose it; nothing else is safe.

A field of another type is another field: give it another name, and let the old one go with a tombstone.
""",
        """
height: {type: int32, protobuf: 2}           # in release 1.10
height: {type: string, protobuf: 2}          # in release 1.11
""",
    ),
    CodeInfo(
        "AG1308",
        "a recorded release cannot be built again",
        """
The records are as they were written, and no longer make an API: they were written by an older apigen whose words this
one does not know any more, or a group that they name (of the catalogue that apigen brings) has changed. The first fault
is told along with it. Use the apigen that wrote them, or report it: a newer one has to read old records.
""",
        """
api-specs/things.example.com/history/1.10.yaml names core/v1.PodTemplateSpec
""",
    ),
    CodeInfo(
        "AG1309",
        "a group is recorded without one that it needs",
        """
A release is built again from its records. A group whose types name those of another group needs that one recorded too, as
it is named: else the record would name types that no record has, or that were different.
""",
        """
apigen release 1.13 --group apps               # apps names core/v1.PodTemplateSpec, and core has changed
apigen release 1.13 --group apps --group core  # the mend
""",
    ),
)
