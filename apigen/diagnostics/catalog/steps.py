"""AG138x: what was shipped goes on to mean what it meant."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1380",
        "a field's presence has changed",
        """
How a field is absent is part of what it says. With `optional` an object can say zero or say nothing; with `omitEmpty`, or
where the field is always written, it cannot. Servers of two releases that disagree on this turn one into the other
when they store an object, and clients fail over what they do not find.

Where every server and client is known to agree, acknowledge it: `ignore: {AG1380: reason}` at the field.
""",
        """
timeout: {type: int64, omitEmpty: true}      # in release 1.12
timeout: {type: int64, optional: true}       # in release 1.13
""",
    ),
    CodeInfo(
        "AG1381",
        "a field that could be left out is asked for",
        """
Calls that succeeded before the upgrade go on to succeed after it. Who never set the field is refused now, and so is every
manifest in every repository that does not have it. A field that is needed gets a default; one that has none is asked for
in a new version of the API only.
""",
        """
title: {type: string, required: false}       # in release 1.12
title: {type: string, required: true}        # in release 1.13
""",
    ),
    CodeInfo(
        "AG1382",
        "a default has changed",
        """
Objects are defaulted whenever they are read. An object that was stored years ago and never said anything about the field
gets the new default at the next read, and starts to behave otherwise though nobody has touched it. A default that is
added does the same to what meant "nothing" before, and one that is taken away turns what it was into nothing.

A default that asks for a gate (`when: {gate: Name}`) may change with the gate. Where it is known that nothing depends
on it, acknowledge it: `ignore: {AG1382: reason}` at the field.
""",
        """
count: {type: int32, optional: true, default: 1}      # in release 1.12
count: {type: int32, optional: true, default: 2}      # in release 1.13
""",
    ),
    CodeInfo(
        "AG1383",
        "versions default a field differently",
        """
Objects are defaulted in the version that they are read in, before they are converted. If v1 has a default and v1beta1
has none, the same object says one thing to who writes it as v1 and another to who writes it as v1beta1, and its stored form
depends on who came last. So a field has the same default in all versions, or in none. Asked of fields and versions that
are new; what was shipped is left alone.
""",
        """
color: {type: string, omitEmpty: true, default: grey}     # in v1
color: {type: string, omitEmpty: true}                    # in v1beta1
""",
    ),
    CodeInfo(
        "AG1384",
        "a field can no longer be changed",
        """
Whoever changes the field today is refused tomorrow, and has to delete and make anew what could be updated. A field that is
immutable is so from the first release on. A rule that the field may no longer be set, unset or lowered is of the same kind.
""",
        """
title: {type: string}                        # in release 1.12
title: {type: string, immutable: true}       # in release 1.13
""",
    ),
    CodeInfo(
        "AG1385",
        "a field is merged in another way",
        """
`listType`, `listMapKeys`, `mapType` and `structType` say what clients own side by side in server-side apply, and by what
elements are told apart: validation pairs them with their old ones so. When a whole becomes parts, nobody owns the parts;
when parts become a whole, who applies some of them removes the others; with other keys, elements that were two become one.
""",
        """
parts: {type: "[]Part", omitEmpty: true, listType: map, listMapKeys: [name]}      # in release 1.12
parts: {type: "[]Part", omitEmpty: true, listType: atomic}                        # in release 1.13
""",
    ),
    CodeInfo(
        "AG1386",
        "objects are no longer where they were",
        """
An object is reached, and stored, by a path that is made of the group's name, the kind's plural, and the namespace if the
kind has one. A change of any of these makes all objects that there are unreachable. A subresource is a path that clients
use as well.
""",
        """
kinds: {Frobber: {plural: frobbers}}                        # in release 1.12
kinds: {Frobber: {plural: frobbers, scope: Cluster}}        # in release 1.13
""",
    ),
    CodeInfo(
        "AG1387",
        "a field is carried in another annotation",
        """
Where a version has no field for what another one has, an annotation carries it. Clients get the annotation and send it
back, and stored objects may hold it: under another key, or in another format, it is taken for a stranger's, and the field
is lost.
""",
        """
hubOnly: {owner: {annotation: example.com/owner}}           # in release 1.12
hubOnly: {owner: {annotation: example.com/the-owner}}       # in release 1.13
""",
    ),
    CodeInfo(
        "AG1388",
        "fields exclude each other that did not",
        """
Objects that were valid go on to be valid. A field that could be set beside others cannot join a union; a union of which
nothing had to be set goes on to allow that. A union may get members that are new, as far as older clients can tell them
(AG1337).
""",
        """
unions: [{members: [battery, plug]}]                        # in release 1.13, where 1.12 has both and no union
""",
    ),
)
