"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.listed import Listed, OnChange
from apigen.compat.surface.elements import ElementKind

FIELDS_RULES: tuple[Listed, ...] = (
    OnChange("fields/field-renamed", removed(ElementKind.FIELD), added(ElementKind.FIELD)),
    OnChange("fields/field-added-required-in-new-parent", added(ElementKind.FIELD)),
    OnChange("fields/field-added-required", added(ElementKind.FIELD)),
    OnChange("presence/required-with-default-added", added(ElementKind.FIELD)),
    OnChange("fields/field-added", added(ElementKind.FIELD)),
    OnChange("fields/field-removed-with-tombstone", removed(ElementKind.FIELD)),
    OnChange("fields/field-removed", removed(ElementKind.FIELD)),
    OnChange(
        "fields/embedding-changed",
        altered(Trait.INLINED, ElementKind.FIELD),
        altered(Trait.INLINES, ElementKind.STRUCT),
    ),
    OnChange("fields/unknown-fields-opened", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT)),
    OnChange("fields/unknown-fields-closed", altered(Trait.UNKNOWN_FIELDS, ElementKind.STRUCT)),
    OnChange("fields/field-order-changed", altered(Trait.ORDER, ElementKind.STRUCT)),
)
