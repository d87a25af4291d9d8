"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.guards import has_lifecycles, has_tombstones
from apigen.compat.rules.listed import Listed, OnChange, OnState
from apigen.compat.surface.elements import ElementKind

_LIVING_TYPES = (ElementKind.VERSION, ElementKind.KIND, ElementKind.STRUCT, ElementKind.FIELD)
_LIVING = (*_LIVING_TYPES, ElementKind.ENUM_VALUE)

TOMBSTONES_RULES: tuple[Listed, ...] = (
    OnChange(
        "tombstones/tombstone-returned", removed(ElementKind.TOMBSTONE), altered(Trait.NUMBERS, ElementKind.TOMBSTONE)
    ),
    OnChange(
        "tombstones/tombstone-reused", removed(ElementKind.TOMBSTONE), altered(Trait.NUMBERS, ElementKind.TOMBSTONE)
    ),
    OnChange(
        "tombstones/tombstone-removed", removed(ElementKind.TOMBSTONE), altered(Trait.NUMBERS, ElementKind.TOMBSTONE)
    ),
    OnChange(
        "tombstones/tombstone-added",
        added(ElementKind.TOMBSTONE),
        removed(ElementKind.TOMBSTONE),
        altered(Trait.NUMBERS, ElementKind.TOMBSTONE),
        altered(Trait.REMOVED, ElementKind.TOMBSTONE),
        altered(Trait.REASON, ElementKind.TOMBSTONE),
    ),
    OnChange("tombstones/migration-unsaid", altered(Trait.MIGRATED, ElementKind.TOMBSTONE)),
    OnChange("tombstones/deprecated", altered(Trait.DEPRECATED)),
    OnChange("tombstones/undeprecated", altered(Trait.DEPRECATED)),
    OnChange("tombstones/removal-moved-earlier", altered(Trait.REMOVED, *_LIVING)),
    OnChange("tombstones/removal-announced", altered(Trait.REMOVED, *_LIVING)),
    OnChange("tombstones/replacement-changed", altered(Trait.REPLACEMENT)),
    OnChange("tombstones/introduced-changed", altered(Trait.INTRODUCED, *_LIVING_TYPES)),
    OnState("tombstones/tombstone-incomplete", has_tombstones),
    OnState("tombstones/removal-before-window", has_lifecycles),
    OnState("tombstones/deprecated-without-end", has_lifecycles),
    OnState("tombstones/deprecated-and-required", has_lifecycles),
    OnState("tombstones/born-deprecated", has_lifecycles),
    OnState("tombstones/past-due", has_lifecycles),
    OnState("tombstones/introduction-reached", has_lifecycles),
)
