"""Rows of §21.2 of the union table: field existence and place."""

from __future__ import annotations

ROWS = {
    "field-removed, no tombstone": ("field-removed",),
    "field-removed-with-tombstone, never on by default": ("field-removed-with-tombstone",),
    "field-removed-with-tombstone, was on by default": ("field-removed-with-tombstone",),
    "field-added-optional, ungated": ("field-added",),
    "field-added-optional, gated off": ("field-added",),
    "field-added-required": ("field-added-required",),
    "field-added-required under new optional parent": ("field-added-required-in-new-parent",),
    "field-added-in-some-served-versions-only": ("field-in-some-versions-only",),
    "field-name-reappears (tombstoned or removed earlier)": ("tombstone-reused", "tombstone-returned"),
    "field-renamed (JSON)": ("field-renamed", "field-removed"),
    "field-moved (path)": ("field-removed",),
    "field-moved spec↔status": ("field-removed",),
    "json-inline / embedding changed": ("embedding-changed",),
    "unknown-field policy (open/closed, preserve-unknown) opened": ("unknown-fields-opened",),
    "… closed": ("unknown-fields-closed",),
    "field became immutable": ("update-restricted",),
    "field became mutable": ("update-freed",),
    "field became read-only / write-only": ("access-restricted",),
    "member order changed (positional surface)": ("field-order-changed",),
}

LEFT_OUT: dict[str, str] = {}
