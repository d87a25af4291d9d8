"""AG142x: approvals of what a review finds."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

_ENTRY = """
approvals:
  - fingerprint: "6f1c0f2be1a5d3c7"
    rule: bound-tightened
    element: things.example.com/v1.Frobber.name
    old: "maxLength: 63"
    new: "maxLength: 32"
"""

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1420",
        "an approval without a reason",
        """
An approval is read by those who come after: by who looks at the next change of the same field, and by who is called when
a client breaks. So each has a reason, in at least ten characters. `apigen diff --write-approvals` writes entries whose reason
is empty: they approve nothing until somebody fills it in.
""",
        f"""{_ENTRY}    reason: ""                                        # write why
    created: 2026-03-02
    expires: 2026-05-31
""",
    ),
    CodeInfo(
        "AG1421",
        "an approval whose time cannot stand",
        """
What is approved is looked at again. Of what is stable an approval lasts 180 days or two releases, of what is in beta 270 days
or three releases, of what is in alpha 365 days or four releases. Days count from `created`, which has passed; releases
count from the one in the making, which has to be known for that: by the configuration, the records, or `--at-release`.
""",
        f"""{_ENTRY}    reason: no client sends longer names, see the logs of March
    created: 2026-03-02
    expires: 2028-01-01                               # 2026-08-29 is the last day for something stable
""",
    ),
    CodeInfo(
        "AG1422",
        "an approval that has ended",
        """
The day named by `expires` has passed, or the release in the making is the one named there or a later one. The finding counts
again. Mend the change; or look once more, and give the entry a new `created` and `expires`.
""",
        f"""{_ENTRY}    reason: no client sends longer names, see the logs of March
    created: 2026-03-02
    expires: 2026-05-31                               # and today is the first of June
""",
    ),
    CodeInfo(
        "AG1423",
        "an approval that nothing needs",
        """
No finding has the fingerprint of the entry. What it approved is part of the old side by now, or was mended. Entries that lie
about approve what nobody looked at, once the same change is made again; so they go:
`apigen diff --prune-approvals` removes them.
""",
        f"""{_ENTRY}    reason: no client sends longer names, see the logs of March
    created: 2026-03-02
    expires: 2026-05-31
# and the maximum is 63 on both sides again
""",
    ),
    CodeInfo(
        "AG1424",
        "an approval of another change",
        """
There is a finding of the same rule at the same element, with other values: somebody approved one change, and this is another
one. Look at it, and approve it with an entry of its own (`apigen diff --write-approvals`), or mend it.
""",
        f"""{_ENTRY}    reason: no client sends longer names, see the logs of March
    created: 2026-03-02
    expires: 2026-05-31
# approval no longer matches: was 63 -> 32, now 63 -> 16
""",
    ),
    CodeInfo(
        "AG1425",
        "an approval says something else than its fingerprint",
        """
The fingerprint decides what is approved; rule, element, old and new are what a reviewer reads. Where they differ, the entry
was put together by hand, or merged wrongly, and approves something else than it shows. Remove it, and have it written anew by
`apigen diff --write-approvals`.
""",
        f"""{_ENTRY.replace("32", "48")}    reason: no client sends longer names, see the logs of March
    created: 2026-03-02
    expires: 2026-05-31
# and the fingerprint is of 63 -> 32
""",
    ),
    CodeInfo(
        "AG1426",
        "a finding that is approved twice",
        """
Two entries have the same fingerprint. The first counts; remove one of them. Entries for different directions of one finding
are one entry that names all of these directions.
""",
        f"{_ENTRY}    # …\n{_ENTRY.partition(':')[2].strip(chr(10))}\n    # …\n",
    ),
    CodeInfo(
        "AG1427",
        "a file of approvals that a program cannot change",
        """
`--write-approvals` and `--prune-approvals` add and remove lines. They change nothing where the file has errors of another kind
than unused entries, and where an entry does not begin a line of its own.
""",
        """
approvals: [{fingerprint: "6f1c0f2be1a5d3c7", rule: bound-tightened, …}]       # write each entry below a dash
""",
    ),
)
