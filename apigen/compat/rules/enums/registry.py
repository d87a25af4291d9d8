"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.listed import Listed, OnChange, OnState
from apigen.compat.surface.elements import ElementKind

ENUMS_RULES: tuple[Listed, ...] = (
    OnChange("enums/enum-constraint-added", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("enums/enum-constraint-removed", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("enums/enum-value-renamed", removed(ElementKind.ENUM_VALUE), added(ElementKind.ENUM_VALUE)),
    OnChange("enums/default-enum-value-removed", removed(ElementKind.ENUM_VALUE)),
    OnChange("enums/enum-value-removed", removed(ElementKind.ENUM_VALUE)),
    OnChange("enums/enum-value-rolled-out", added(ElementKind.ENUM_VALUE)),
    OnChange("enums/enum-value-enabled-at-once", added(ElementKind.ENUM_VALUE)),
    OnChange("enums/enum-value-added-to-growing", added(ElementKind.ENUM_VALUE)),
    OnChange("enums/enum-value-added", added(ElementKind.ENUM_VALUE)),
    OnChange("enums/enum-value-gate-changed", altered(Trait.GATE, ElementKind.ENUM_VALUE)),
    OnState("enums/enum-value-gate-switched", has_gates),
    OnChange(
        "enums/enum-value-roll-out-changed",
        altered(Trait.TOLERATED, ElementKind.ENUM_VALUE),
        altered(Trait.INTRODUCED, ElementKind.ENUM_VALUE),
    ),
    OnChange("enums/enum-opened", altered(Trait.OPEN, ElementKind.ENUM)),
    OnChange("enums/enum-closed", altered(Trait.OPEN, ElementKind.ENUM)),
    OnChange("enums/enum-growth-changed", altered(Trait.CLOSED, ElementKind.ENUM)),
    OnChange("enums/unknown-value-changed", altered(Trait.UNKNOWN_VALUE, ElementKind.ENUM)),
    OnChange("enums/union-member-moved", altered(Trait.MEMBERS, ElementKind.UNION)),
    OnChange("enums/union-member-added", altered(Trait.MEMBERS, ElementKind.UNION)),
    OnChange("enums/union-member-removed", altered(Trait.MEMBERS, ElementKind.UNION)),
    OnChange(
        "enums/discriminator-changed",
        altered(Trait.DISCRIMINATOR, ElementKind.UNION),
        altered(Trait.MEMBERS, ElementKind.UNION),
        added(ElementKind.UNION),
    ),
    OnChange("enums/union-empty-values-changed", altered(Trait.EMPTY, ElementKind.UNION)),
    OnChange("enums/union-tightened", altered(Trait.OPTIONAL, ElementKind.UNION)),
    OnChange("enums/union-loosened", altered(Trait.OPTIONAL, ElementKind.UNION)),
    OnChange("enums/union-added", added(ElementKind.UNION)),
    OnChange("enums/union-removed", removed(ElementKind.UNION)),
)
