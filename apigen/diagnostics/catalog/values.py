"""AG133x: how enums grow from release to release."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1330",
        "a new value that nobody tolerated first",
        """
Servers of two releases run side by side during an upgrade, and the older one takes over again if the upgrade fails. An
object with a value that it does not know cannot be updated through it: every update is refused. So a value takes two
releases. The first one lets objects that have it keep it, but gives it to no other object; the second one accepts it.

A value says so with `tolerated:` and `introduced:`, or stands behind a gate, which is off in the first release and on in
the second. An enum with `open: true` accepts any text, and needs none of this.
""",
        """
Weekly: {}                                              # new in 1.13, of an enum that 1.12 had
Weekly: {tolerated: "1.13", introduced: "1.14"}         # like this
""",
    ),
    CodeInfo(
        "AG1331",
        "a value enabled in the release that introduces it",
        """
A gate that is on by default lets every object have the value, while the release before refuses it: what AG1330 says of
values without a gate. A gate that has been on for long cannot serve a new value either. Give the value a gate of its own
that is alpha, and off, in the release that brings the value; switch the gate on in a later one.
""",
        """
Weekly: {featureGate: Frobber2D}                        # Frobber2D has been on since 1.12
""",
    ),
    CodeInfo(
        "AG1332",
        "an enum grows that did not say that it may",
        """
A client meets the new value years after it was written, and does what its author made it do then: fail, or do the wrong
thing. An enum that may grow says so from its first release on, with `unknown:` (the value that clients take the others
for) or `open: true`. This one did not, or said `open: false`: that it never gets another value.

Where every client is known to cope, acknowledge it: `ignore: {AG1332: reason}` at the enum.
""",
        """
Policy: {enum: {Always: {}, Never: {}, Weekly: {tolerated: "1.13"}}}    # 1.10 shipped it without `unknown:`
""",
    ),
    CodeInfo(
        "AG1333",
        "a new enum that says nothing of unknown values",
        """
What an enum does not say in its first release it cannot say later, because clients are written by what it says then (see
AG1332). So a new enum declares one of three: `unknown: Value`, which clients take for what they do not know; `open: true`,
any text is as good; `open: false`, there will never be another value.

Versions in alpha promise nothing and are left alone. The rule needs to know which release is being made.
""",
        """
Policy: {enum: {Always: {}, Never: {}}}                 # unknown: Never
""",
    ),
    CodeInfo(
        "AG1334",
        "the treatment of unknown values was changed",
        """
Clients of both releases run at once. If one takes an unknown value for `Never` and the other for `Always`, the same
object makes them do different things. What an enum said in a release it says in all that follow. To declare it later
than in the first release is possible, and does not yet allow the enum to grow (AG1332).
""",
        """
Policy: {enum: {Always: {}, Never: {}}, unknown: Always}                # 1.10 shipped it with `unknown: Never`
""",
    ),
    CodeInfo(
        "AG1335",
        "a value that was accepted is refused",
        """
Calls that succeeded before the upgrade go on to succeed after it. A value that every object could have stays in the
specs, with `deprecated:` if it should not be used any more, and goes on to be accepted. A version in beta may lose a value
that was deprecated in an earlier release; a stable one loses none.

A value that was only tolerated, or stood behind a gate that was off, was never accepted, and may go. Its name stays
reserved: it needs a tombstone.
""",
        """
Policy: {enum: {Always: {}}}                            # Never: {deprecated: "1.14"}
""",
    ),
    CodeInfo(
        "AG1336",
        "a default that the release before does not accept",
        """
Every object that says nothing gets the default, also one that was stored long ago and is now read and written by
somebody who wants something else of it. If the release before does not accept the value, it refuses all of them.

What a default means is part of the API: one that moves breaks those who relied on it, even when every server knows the
new value.
""",
        """
restartPolicy: {type: RestartPolicy, required: false, default: OnTuesday}       # OnTuesday is new
""",
    ),
    CodeInfo(
        "AG1337",
        "a union gets a member that older clients cannot tell from none",
        """
Who does not know a field leaves it out when reading, and sees a union of which no member is set. The discriminator tells
that there is something else if its values are an enum that declares what clients make of unknown ones; then the union
grows as that enum does, with a new value for the new member. A discriminator that is plain text, or a value that went
with no member before, tells nothing.
""",
        """
unions: [{discriminator: type, members: {A: a, B: b, C: c}}]            # C was in `empty: [C]` in the last release
""",
    ),
)
