"""Rows of §21.7 of the union table: enums and unions."""

from __future__ import annotations

ROWS = {
    "enum-value-added, closed": ("enum-value-added",),
    "enum-value-added, declared open since first release": ("enum-value-added-to-growing",),
    "enum-value-added, gated and tolerated on update (release 1)": ("enum-value-rolled-out",),
    "enum-value-enabled in same release it was introduced": (
        "enum-value-enabled-at-once",
        "enum-value-roll-out-changed",
        "enum-value-gate-switched",
        "introduction-reached",
    ),
    "enum-value-removed": ("enum-value-removed", "enum-value-gate-changed"),
    "enum-value-renamed / case changed": ("enum-value-renamed",),
    "enum constraint added to free string": ("enum-constraint-added",),
    "enum constraint removed (opened)": ("enum-constraint-removed",),
    "open→closed / closed→open flag": ("enum-closed", "enum-opened", "enum-growth-changed"),
    "unknown-value handling text/policy changed": ("unknown-value-changed",),
    "default enum value removed or reordered zero": ("default-enum-value-removed", "enum-zero-changed"),
    "union-member-added": ("union-member-added",),
    "union-member-removed / moved in or out": (
        "union-member-removed",
        "union-member-moved",
        "union-added",
        "union-removed",
    ),
    "discriminator added/changed/removed": ("discriminator-changed", "union-empty-values-changed"),
    "at-most-one ↔ exactly-one": ("union-tightened", "union-loosened"),
}
LEFT_OUT: dict[str, str] = {}
