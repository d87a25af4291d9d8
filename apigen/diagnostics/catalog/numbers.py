"""AG04xx: protobuf numbers, locks and tombstones."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0401",
        "a number that protobuf does not have",
        """
Numbers of fields in protobuf go from 1 to 536870911 (2^29 - 1).
""",
        """
width: {type: int32, protobuf: 0}
""",
    ),
    CodeInfo(
        "AG0402",
        "a number that protobuf keeps for itself",
        """
Protobuf's own implementation uses the numbers 19000 to 19999. apigen skips them when it gives out numbers.
""",
        """
width: {type: int32, protobuf: 19001}
""",
    ),
    CodeInfo(
        "AG0403",
        "a number is used twice",
        """
Two fields of one message, or two tombstones, have the same protobuf number, so no reader could tell them apart.
Fields of an inline struct are in a message of their own; the inline field has a number among those of its parent.
""",
        """
height: {type: int32, protobuf: 2}
width: {type: int32, protobuf: 2}            # leave the number out to get a free one
""",
    ),
    CodeInfo(
        "AG0404",
        "a number that has a tombstone",
        """
A field that was removed had this number. Old data still hold it, and would be read as the new field. Numbers never
return: leave `protobuf:` out, and apigen gives out one that nobody had.
""",
        """
fields:
  girth: {type: int32, protobuf: 4}
tombstones:
  depth: {protobuf: 4}
""",
    ),
    CodeInfo(
        "AG0405",
        "a number that another field had",
        """
The lock says that this number was given to another field once. A field that is renamed is a new field to everyone who
has the old one: it takes a new number, and the old name gets a tombstone.
""",
        """
fields:
  heightInches: {type: int32, protobuf: 1}   # 1 was that of `height`
""",
    ),
    CodeInfo(
        "AG0406",
        "a name that has a tombstone",
        """
A field or value of this name was removed. Stored objects and old clients still use the name with its old meaning, so
it never returns. Give the new one another name.
""",
        """
fields:
  depth: {type: int32}
tombstones:
  depth: {protobuf: 4}
""",
    ),
    CodeInfo(
        "AG0407",
        "a name that was there before",
        """
The lock remembers that a field or value of this name was here and went; its tombstone is gone too. Names never
return: put the tombstone back and give the new field another name.
""",
        """
fields:
  depth: {type: int32}                       # went in release 1.12
""",
    ),
    CodeInfo(
        "AG0408",
        "gone without a tombstone",
        """
The lock knows a field or value that the spec no longer has. Its name and number must not be given out again: the
diagnostic has the tombstone to paste. If the field was renamed by mistake, give it its name back.
""",
        """
tombstones:
  depth: {protobuf: 4, removed: "1.12", reason: replaced by width}
""",
    ),
    CodeInfo(
        "AG0409",
        "a number that the lock has otherwise",
        """
A field or tombstone is written with another number than the one it was given. Objects that are stored, and clients
that are out, have the old one, so that one stays. A number that never left your machine is undone by taking back the
change of the lock (`git checkout`).
""",
        """
height: {type: int32, protobuf: 2}           # the lock has 1
""",
    ),
    CodeInfo(
        "AG0410",
        "a Python name that the lock has otherwise",
        """
A `pyName:` differs from the name that was generated before. Everyone who uses the package has the old one. A name
that never left your machine is undone by taking back the change of the lock (`git checkout`).
""",
        """
podIPs: {type: "[]string", pyName: ips}      # the lock has pod_ips
""",
    ),
    CodeInfo(
        "AG0411",
        "a name that protobuf cannot have",
        """
In `.proto` text a field is called like in JSON, like in Python where the JSON name is no identifier, or as its
`protobufName:` says. That has to be an identifier, and no other field of the message can have it.
""",
        """
name: {type: string}
title: {type: string, protobufName: name}
""",
    ),
    CodeInfo(
        "AG0412",
        "a number that is reserved",
        """
A struct says in `reserved:` which numbers somebody had, without anybody knowing who: holes in the numbering of an API
that was imported, for example. Old data may have something else there, so nobody gets them. Where it becomes known whose
the number was, a tombstone takes its place in `reserved:`. The lock remembers them.
""",
        """
fields:
  height: {type: int32, protobuf: 4}
reserved: [4, 9-11]
""",
    ),
    CodeInfo(
        "AG0490",
        "a lock was edited by hand",
        """
`<version>.lock.yaml` remembers every name and number that was ever given, so that none is given again. It has
checksums; they do not fit what it says. Restore the file, say in the spec what shall change (a written `protobuf:`
number, a tombstone), and run `apigen generate`. After a merge, take the lock of one side whole: `apigen generate` adds
what the other side's specs need.
""",
        """
fields:
  width: {py: width, protobuf: 7}         # it was 6
""",
    ),
    CodeInfo(
        "AG0491",
        "not a lock as apigen writes it",
        """
The lock has other keys or values than apigen writes, so that nothing in it can be trusted. Restore the file and run
`apigen generate`.
""",
        """
types:
  Frobber: 7
""",
    ),
)
