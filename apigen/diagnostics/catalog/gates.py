"""AG131x: how feature gates go from release to release."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG1310",
        "a stage with the default or lock of another one",
        """
Kubernetes' policy on feature gates: alpha is off by default; beta is usually on; GA is on, and normally locked; deprecated
is off, then locked. So alpha that is on, alpha or beta that is locked, and GA that is off are refused. A gate for the end
of an old behaviour may begin with a stage `ga` of release 1.0 that tells what held before, on or off; deprecated follows.

Where it has to be like this, say why at the gate: `ignore: {AG1310: reason}`.
""",
        """
Frobber2D:
  stages:
    - {release: "1.11", stage: alpha, default: true}      # off: people ask for what is alpha
""",
    ),
    CodeInfo(
        "AG1311",
        "a gate of fields or values that begins switched on",
        """
Kubernetes' policy on feature gates: a feature that adds fields, or widens which values are accepted, has to start as
alpha, so that the release before the one that writes the data by default can keep it after a rollback. This gate is on in
the first release that has it, and that before knows neither the gate nor the fields.

This is said of specs without history. With one, the step that adds the field is judged (AG1315), or the value (AG1331).
""",
        """
Frobber2D: {stages: [{release: "1.11", stage: beta, default: true}]}
width: {type: int32, optional: true, featureGate: Frobber2D}
""",
    ),
    CodeInfo(
        "AG1312",
        "a stage of a gate that is too short",
        """
Kubernetes' deprecation policy: from beta to GA 6 months or 2 releases; what was beta and is deprecated can be had for 3
months or 1 release; a behaviour that was GA for a year, which is 3 releases. Releases are counted, as nobody tells when
they came out. Stages that were released are left alone. Without a history nobody knows which were: then this is a warning.

Where there was a reason for haste, say it at the gate: `ignore: {AG1312: reason}`.
""",
        """
Frobber2D:
  stages:
    - {release: "1.13", stage: beta, default: true}
    - {release: "1.14", stage: ga, default: true, locked: true}      # 1.15 or later
""",
    ),
    CodeInfo(
        "AG1313",
        "a gate that goes too early",
        """
A server can imitate the three releases before its own, and for that it needs their gates. So a gate that is GA is locked
first, and goes three releases after that: locked in 1.16, it may not go in 1.18 yet, and may in 1.19. Until then
`A=true` on a command line works and warns. A deprecated gate that was GA is locked for three releases too; one that was
beta stays for 3 months or 1 release after it is deprecated; alpha can end any time.

This is said of `removed:`, and of a gate that was released and is no longer in features.yaml.
""",
        """
Frobber2D:
  stages: [{release: "1.16", stage: ga, default: true, locked: true}]
  removed: "1.18"                                          # "1.19"
""",
    ),
    CodeInfo(
        "AG1314",
        "a stage of the past that is changed",
        """
The history tells at which stage each release had a gate. A server that imitates the release does what that release did, so
a stage that was released stays as it was, is not taken away, and no other comes between. What is new begins in the
release that is being made.
""",
        """
- {release: "1.13", stage: beta}                           # 1.13 was released with `default: true`
""",
    ),
    CodeInfo(
        "AG1315",
        "a new field whose gate is on",
        """
The release before does not know the field. When a server is rolled back to it, or an older server beside the new one
updates an object, what the field held is lost; and as the gate is on by default, everybody may have set it. So the field
comes behind a gate that is off. One release later the gate may be switched on: the release before then knows the field,
and keeps it in objects that use it. A gate that has been on for long cannot serve a new field either.

Versions in alpha promise nothing, and are left alone. Where nobody will run the release before beside this one, say so at
the field: `ignore: {AG1315: reason}`.
""",
        """
Frobber2D: {stages: [{release: "1.12", stage: beta, default: true}]}          # alpha in 1.12, beta in 1.13
width: {type: int32, optional: true, featureGate: Frobber2D}                  # new in 1.12
""",
    ),
    CodeInfo(
        "AG1316",
        "a field that leaves its gate too early",
        """
Where a gate is off, a server behaves as if the fields behind it did not exist. That goes on until the gate is GA and
locked, when nobody can switch it off any more. Only then may the mark go.
""",
        """
width: {type: int32, optional: true}                       # featureGate: Frobber2D, which is beta
""",
    ),
    CodeInfo(
        "AG1317",
        "a field that was free is put behind a gate",
        """
The field was released without this gate. Where the gate is off, what people set is now dropped, so that calls that
succeeded before lose data. A gate that shall end such a field tells that it was there before: it begins as GA and on, in a
release that is old enough, and is deprecated then.
""",
        """
Frobber2D: {stages: [{release: "1.12", stage: alpha}]}
height: {type: int32, optional: true, featureGate: Frobber2D}                 # was released in 1.10 without
""",
    ),
    CodeInfo(
        "AG1318",
        "a default on a gated field that does not ask for the gate",
        """
Objects are defaulted whenever they are read, before anything is dropped. With the gate off, the field is filled in on
create, dropped with a warning about a field that nobody set, and filled in again on every read. So the default holds only
where the gate is on: `when: {gate: Name}`. A default that equals what the field is dropped to (`to:`) needs no condition.

Where objects are known to be read like that, say so at the field: `ignore: {AG1318: reason}`.
""",
        """
width: {type: int32, optional: true, featureGate: Frobber2D, default: 1}
width: {type: int32, optional: true, featureGate: Frobber2D, default: {value: 1, when: {gate: Frobber2D}}}
""",
    ),
    CodeInfo(
        "AG1319",
        "the name of a gate that is gone",
        """
Command lines and configurations outlive gates. One that switched the old gate would switch the new one unseen, so the
name of a gate that was released and has gone is not given to another one.
""",
        """
Frobber2D: {stages: [{release: "1.22", stage: alpha}]}     # another Frobber2D went in 1.19
""",
    ),
)
"""Told by `apigen explain`."""
