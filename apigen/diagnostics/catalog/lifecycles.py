"""AG054x and AG055x: lifecycles, feature gates and release series."""

from __future__ import annotations

from apigen.diagnostics.catalog.code_info import CodeInfo

CODES: tuple[CodeInfo, ...] = (
    CodeInfo(
        "AG0541",
        "a lifecycle in the wrong order",
        """
A thing is introduced, then deprecated, then removed; not removed in the release that brings it. What a kind's type
does not say is taken from its version. Releases order as numbers: 1.9 is before 1.10.
""",
        """
v1beta1: {introduced: "1.9", removed: "1.8"}
""",
    ),
    CodeInfo(
        "AG0542",
        "a replacement that is not there",
        """
What replaces a version is a version of the same group (`v1`), what replaces a kind is that or a kind in full
(`apps/v1.Deployment`), what replaces a field or value stands in the same type. A group outside the specs can be
named, as long as its name does not look like a misspelt one.
""",
        """
v1beta1: {deprecated: "1.23", replacement: v2}            # there is no v2
""",
    ),
    CodeInfo(
        "AG0543",
        "only kinds and fields have a lifecycle",
        """
Versions, kinds, fields and values of enums come and go by release. Other types do so with the fields that use them.
""",
        """
FrobberSpec:                      # no kind
  deprecated: "1.9"
""",
    ),
    CodeInfo(
        "AG0550",
        "no such gate",
        """
A `featureGate:`, a `dependsOn:` or a condition names a gate that no `features.yaml` declares.
""",
        """
width: {type: int32, optional: true, featureGate: Frober2D}
""",
    ),
    CodeInfo(
        "AG0551",
        "stages of a gate in the wrong order",
        """
Stages go from release to release, from alpha to beta to ga; deprecated is the end, and is not the beginning. A gate
that is locked stays locked, at the same default. Each stage changes something, and `removed:` comes after all of them.

Two stages of one release differ by their default only, and the second names a `minCompatibility:`, not later than its
release: it counts where no server of the control plane is older than that, and so do the stages after it.
""",
        """
Frobber2D:
  stages:
    - {release: "1.13", stage: beta}
    - {release: "1.11", stage: alpha}
""",
    ),
    CodeInfo(
        "AG0552",
        "gates that depend on each other",
        """
A gate is on only where those are on that it depends on. In a circle none of them could be the first.
""",
        """
A: {stages: [{release: "1.9", stage: alpha}], dependsOn: [B]}
B: {stages: [{release: "1.9", stage: alpha}], dependsOn: [A]}
""",
    ),
    CodeInfo(
        "AG0553",
        "a gate depends on a less stable one",
        """
In every release, what a gate depends on is there, at least as stable as the gate, on by default where the gate is,
and locked where the gate is. Only a gate that is alpha may be older than what it depends on: it is off until then. What
is deprecated is on its way out, and only what is deprecated itself may depend on it.
""",
        """
Fast: {stages: [{release: "1.9", stage: beta, default: true}], dependsOn: [Slow]}
Slow: {stages: [{release: "1.9", stage: alpha}]}
""",
    ),
    CodeInfo(
        "AG0554",
        "releases of two series",
        """
A group or gate belongs to a release series: the one that `series:` names in its group.yaml or features.yaml, or the project's
own. Releases of two series are not comparable: release 1.3 of a project is neither before nor after release 1.36 of
Kubernetes. A field of one series therefore cannot depend on a gate of another one, a gate cannot depend on a gate of another
series, and the specs of a series declare one release.

A type of another series that a field holds is a value: its gates do not apply there, so they need no gate of your own.
""",
        """
# features.yaml                              # the project's own series
Frobber2D:
  dependsOn: [HPAConfigurableTolerance]      # a gate of the series kubernetes
  stages: [{release: "1.3", stage: alpha}]
""",
    ),
    CodeInfo(
        "AG0555",
        "a gated field that is always there",
        """
With the gate off, the field is cleared. So it has to be able to be absent (`optional`, `omitEmpty`, `nullable`), or
the mark says what it becomes instead: `{gate: Name, to: value}`.
""",
        """
width: {type: int32, featureGate: Frobber2D}         # optional: true
""",
    ),
)
