"""§21.10: feature gates."""

from __future__ import annotations

ROWS: dict[str, tuple[str, ...]] = {
    "gate added to an ungated field": ("gate-added-to-field",),
    "gate removed while not GA/locked": ("gate-mark-removed", "gate-removed"),
    "gate default flipped on, field introduced < 1 release ago": ("gate-enabled-too-early",),
    "gate stage regressed (beta→alpha) or default on→off with stored data": ("gate-regressed",),
    "gated field is required / has unconditional default": ("gated-field-always-present",),
    "gated field in a non-pointer, non-omitempty position": ("gated-field-always-written",),
    "field references unknown or deleted gate": ("removed-gate-still-referenced",),
    "same gate guards field in only some versions": ("gate-differs-between-versions",),
    "incompatible reshape of an alpha gated field under the same name": ("gated-field-reshaped",),
}

LEFT_OUT: dict[str, str] = {
    "strategy does not drop-disabled / does not preserve-if-set": (
        "strategies are generated from the marks, and the tests that are generated with them try both states of every gate"
    ),
}
