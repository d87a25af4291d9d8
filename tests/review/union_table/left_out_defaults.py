"""Rows of §21.6 of the union table: defaults."""

from __future__ import annotations

ROWS = {
    "default-added to existing field": ("default-added",),
    "default-changed": ("default-changed",),
    "default-removed": ("default-removed",),
    "default zero↔non-zero": ("default-zero-changed",),
    "default not equivalent across served versions": ("default-differs-between-versions",),
    "default violates own constraints / enum": ("default-invalid",),
    "default on required field": ("default-on-required-field",),
    "default depends on gate": ("default-depends-on-gate", "default-switched"),
    "static default ↔ defaulter function": ("default-computed-changed",),
}

LEFT_OUT: dict[str, str] = {}
