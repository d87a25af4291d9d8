"""Rows of §21.5 of the union table: presence and optionality."""

from __future__ import annotations

ROWS = {
    "optional→required": ("became-required",),
    "required→optional": ("became-optional",),
    "required-with-default added": ("required-with-default-added",),
    "pointer added (implicit→explicit presence)": ("pointer-added",),
    "pointer removed (explicit→implicit)": ("pointer-removed",),
    "omitempty removed (now emitted)": ("omit-empty-removed",),
    "omitempty/omitzero added (zero vanishes)": ("omit-empty-added",),
    "zero value becomes (in)valid under constraints": ("zero-value-invalid",),
    "empty-vs-missing collapse for lists/maps changed": ("empty-collapse-changed",),
}

LEFT_OUT: dict[str, str] = {}
