"""The expected findings of the four steps, and the reason of each error."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """A known change of the shared cases, with its expected findings."""

    release: str
    change: str
    expected: str
    findings: tuple[tuple[str, str, str], ...]
    """Element, rule and severity of each."""


ROWS: tuple[Row, ...] = (
    Row(
        "v0.34.0",
        "networking v1alpha1 removed, resource v1alpha3 loses all kinds but one",
        "allowed at alpha, with a warning for old clients and stored objects",
        (
            ("networking.k8s.io/v1alpha1", "version-removed", "warning"),
            ("resource.k8s.io/v1alpha3.ResourceSlice", "kind-removed", "warning"),
            ("resource.k8s.io/v1alpha3.ResourceClaim", "kind-removed", "warning"),
        ),
    ),
    Row(
        "v0.34.0",
        "DeviceRequestAllocationResult.adminAccess is omitted instead of null",
        "equal to readers",
        (
            ("resource.k8s.io/v1beta1.DeviceRequestAllocationResult.adminAccess", "omit-empty-added", "info"),
            ("resource.k8s.io/v1beta2.DeviceRequestAllocationResult.adminAccess", "omit-empty-added", "info"),
        ),
    ),
    Row(
        "v0.34.0",
        "ResourceClaimStatus.devices: merge key shareID added (beta)",
        "server-side apply of older clients identifies elements by other keys",
        (
            ("resource.k8s.io/v1beta1.ResourceClaimStatus.devices", "merge-keys-changed", "error"),
            ("resource.k8s.io/v1beta2.ResourceClaimStatus.devices", "merge-keys-changed", "error"),
        ),
    ),
    Row(
        "v0.34.0",
        "ObjectMeta.creationTimestamp is omitted instead of null",
        "equal to readers",
        (("meta.k8s.io/v1.ObjectMeta.creationTimestamp", "omit-empty-added", "info"),),
    ),
    Row(
        "v0.35.0",
        "DeviceTaintSelector: two fields removed with tombstones (v1alpha3)",
        "allowed; numbers and names are reserved",
        (
            (
                "resource.k8s.io/v1alpha3.DeviceTaintSelector.deviceClassName",
                "field-removed-with-tombstone",
                "warning",
            ),
            ("resource.k8s.io/v1alpha3.DeviceTaintSelector.selectors", "field-removed-with-tombstone", "warning"),
        ),
    ),
    Row(
        "v0.35.0",
        "TolerationOperator gains Lt and Gt in core/v1, and no marker names a gate",
        "an error: a closed enum grows in a stable version",
        (
            ("v1.TolerationOperator.Lt", "enum-value-added", "error"),
            ("v1.TolerationOperator.Gt", "enum-value-added", "error"),
        ),
    ),
    Row(
        "v0.35.0",
        "AllocationConfigSource became an enum; its values were always written",
        "no change: the values were always written. Reported as a warning: hand-written validation, which rejected other values, is not part of the specs",
        (("resource.k8s.io/v1.AllocationConfigSource", "enum-constraint-added", "warning"),),
    ),
    Row(
        "v0.35.0",
        "AdmissionResponse.warnings: list type absent to atomic",
        "no change of behavior",
        (("admission.k8s.io/v1.AdmissionResponse.warnings", "list-type-atomic", "silent"),),
    ),
    Row(
        "v0.36.6",
        "PodSpec.workloadRef removed with a tombstone; its gate never left alpha",
        "allowed, by the history of the gate",
        (("v1.PodSpec.workloadRef", "field-removed-with-tombstone", "warning"),),
    ),
    Row(
        "v0.36.6",
        "autoscaling v2beta1, v2beta2 and scheduling v1alpha1 removed",
        "allowed: the deprecation window is over, or alpha",
        (
            ("autoscaling/v2beta1", "version-removed", "warning"),
            ("autoscaling/v2beta2", "version-removed", "warning"),
            ("scheduling.k8s.io/v1alpha1", "version-removed", "warning"),
        ),
    ),
    Row(
        "v0.37.2",
        "ControllerRevision.data: omitempty removed from a struct",
        "no change of the encoding; the marker `required` is reported",
        (("apps/v1.ControllerRevision.data", "became-required", "warning"),),
    ),
    Row(
        "v0.37.2",
        "PodStatus.nodeAllocatableResourceClaimStatuses: atomic to map by key, and a patch strategy",
        "an error in a stable version; severity lowered because its gate is alpha",
        (
            ("v1.PodStatus.nodeAllocatableResourceClaimStatuses", "list-type-associative", "info"),
            ("v1.PodStatus.nodeAllocatableResourceClaimStatuses", "patch-strategy-changed", "warning"),
        ),
    ),
    Row(
        "v0.37.2",
        "CSINode.status added without a pointer (storage/v1)",
        "a warning: stored objects are written again with it",
        (("storage.k8s.io/v1.CSINode.status", "field-added", "warning"),),
    ),
    Row(
        "v0.37.2",
        "NodeAllocatableResourceClaimStatus.resources removed, two fields without a gate added",
        "allowed, only because the field that holds it is in alpha",
        (
            ("v1.NodeAllocatableResourceClaimStatus.resources", "field-removed-with-tombstone", "warning"),
            ("v1.NodeAllocatableResourceClaimStatus.mapping", "field-added", "warning"),
        ),
    ),
    Row(
        "v0.37.2",
        "core/v1 PodStatusResult removed",
        "no change: no server ever served it. Reported as an error: the sources register it in the scheme like a served kind",
        (("v1.PodStatusResult", "kind-removed", "error"),),
    ),
)


@dataclass(frozen=True)
class Reason:
    """Reason why a rule reports errors in a step, at exactly these elements."""

    release: str
    rule: str
    elements: frozenset[str]
    why: str

    def covers(self, release: str, rule: str, element: str) -> bool:
        """Whether an error is one of them."""
        return (release, rule) == (self.release, self.rule) and element in self.elements


ERRORS: tuple[Reason, ...] = (
    Reason(
        "v0.34.0",
        "merge-keys-changed",
        frozenset(f"resource.k8s.io/{version}.ResourceClaimStatus.devices" for version in ("v1beta1", "v1beta2")),
        "expected in beta: see the next table",
    ),
    Reason(
        "v0.35.0",
        "enum-value-added",
        frozenset({"v1.TolerationOperator.Lt", "v1.TolerationOperator.Gt"}),
        "expected in a stable version: see the next table",
    ),
    Reason(
        "v0.35.0",
        "gate-enabled-too-early",
        frozenset(
            f"storage.k8s.io/{version}.CSIDriverSpec.serviceAccountTokenInSecrets" for version in ("v1", "v1beta1")
        ),
        "its gate, CSIServiceAccountTokenSecrets, was introduced in beta, enabled by default: one of two such gates of fields in 1.36",
    ),
    Reason(
        "v0.36.6",
        "gate-enabled-too-early",
        frozenset({"v1.ResourceHealth.message"}),
        "its gate, ResourceHealthStatusMessage, was introduced in beta, enabled by default: the other such gate",
    ),
    Reason(
        "v0.36.6",
        "field-added-required",
        frozenset({"certificates.k8s.io/v1beta1.PodCertificateRequestSpec.stubPKCS10Request"}),
        "expected in beta: PodCertificateRequestSpec.stubPKCS10Request is a new required field",
    ),
    Reason(
        "v0.37.2",
        "enum-value-added",
        frozenset({"apps/v1.StatefulSetUpdateStrategyType.Recreate"}),
        "its gate, StatefulSetRecreateStrategy, is newer than the feature gates of the built-in API types, and an unknown gate is not treated as disabled",
    ),
    Reason("v0.37.2", "kind-removed", frozenset({"v1.PodStatusResult"}), "see the next table"),
)
"""Reasons of all errors. The test fails for an error without a reason, and for a reason without an error."""


def reason_for(release: str, rule: str, element: str) -> str:
    """Return the reason of an error; empty if none is listed."""
    return next((each.why for each in ERRORS if each.covers(release, rule, element)), "")
