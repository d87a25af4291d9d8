"""§21.11: tombstones and deprecation windows."""

from __future__ import annotations

ROWS: dict[str, tuple[str, ...]] = {
    "tombstone-removed": ("tombstone-removed",),
    "tombstone-name / number reused": ("tombstone-reused",),
    "tombstone lacks version/reason/number": ("tombstone-incomplete",),
    "tombstone-resurrected with identical definition": ("tombstone-returned",),
    "removed without prior deprecation": ("version-removed", "kind-removed", "removal-before-window"),
    "removed-before-window (date or release count)": ("removal-before-window", "version-removed", "kind-removed"),
    "deprecated without removal target / replacement": ("deprecated-without-end",),
    "removal target moved earlier / deleted": ("removal-moved-earlier",),
    "undeprecated": ("undeprecated",),
    "deprecated field made required, or new field born deprecated": ("deprecated-and-required", "born-deprecated"),
    "past-due deprecation still present (nagging)": ("past-due",),
    "deprecation marker itself": ("deprecated",),
}

LEFT_OUT: dict[str, str] = {}
