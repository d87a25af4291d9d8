"""§21.1: groups, kinds, versions."""

from __future__ import annotations

ROWS: dict[str, tuple[str, ...]] = {
    "group-removed / -renamed": ("group-removed",),
    "kind-removed (from a served version)": ("kind-removed",),
    "kind-renamed / plural, singular, list-kind changed": ("kind-names-changed", "kind-removed"),
    "scope-changed": ("scope-changed",),
    "version-added": ("version-added", "introduction-reached"),
    "version-removed or served→false before window": ("version-removed",),
    "version-removed while it may be stored (no migration record)": ("stored-version-removed", "migration-undeclared"),
    "storage-version-advanced in the release that introduces it": ("storage-advanced-too-early",),
    "storage-version-moved-to-less-stable": ("storage-moved-to-less-stable",),
    "preferred-version-advanced too early": ("preferred-advanced-too-early",),
    "deprecated-in-favour-of-less-stable": ("replacement-is-less-stable",),
    "stable-refers-to-unstable-type": ("stable-refers-to-unstable",),
    "subresource-removed (status, scale)": ("subresource-removed",),
    "subresource-added (status split)": ("subresource-added",),
    "selectable-field / printer-column removed": ("selectable-field-removed", "printer-column-removed"),
    "stability-decreased (label)": ("gate-regressed",),
}

LEFT_OUT: dict[str, str] = {
    "version-reference-inconsistent (uses a type not existing in that version)": (
        "an unknown name is an error of the input, so no surface is created"
    ),
    "stability-increased without all fields at that level": (
        "fields behind alpha gates are in stable versions by design, and rules check their gates:"
        " gated-field-always-present, gated-field-always-written, gate-enabled-too-early"
    ),
}
