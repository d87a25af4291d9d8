"""AG04xx: protobuf numbers, locks and tombstones."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
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
