"""AG135x: what a release may write, so that the one before it can take over again."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1350",
        "a new field that a rollback loses",
        """
Servers of two releases run side by side during an upgrade, and a rollback puts the older one in charge again. It leaves
out what it does not know when it writes an object. So a new field begins behind a gate that is off: the release after
that, in which the gate is on, can be rolled back to one that knows the field and keeps it in objects that have it.

Versions in alpha promise nothing, and are left alone. Where nobody will ever run the release before beside this one,
say so: `ignore: {AG1350: reason}` at the field.
""",
        """
width: {type: int32, optional: true}        # new in 1.11, in a version that is beta or stable
""",
    ),
    CodeInfo(
        "AG1351",
        "a limit that was widened where nothing ratchets",
        """
Validation does not judge again what is unchanged, so a server of the release before accepts objects that a wider limit
let in. Not so in a list whose elements are not paired with the old ones: once the list has changed, all of them are
judged, and that server refuses the update of an object that it did not make.
""",
        """
ports: {type: "[]Port", omitEmpty: true}    # and Port.number: maximum 1024 in the last release, 65535 now
""",
    ),
)
