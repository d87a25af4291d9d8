"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import altered
from apigen.compat.rules.guards import has_constraints_of_what_is_written
from apigen.compat.rules.listed import Listed, OnChange, OnState
from apigen.compat.surface.elements import ElementKind

PRESENCE_RULES: tuple[Listed, ...] = (
    OnChange("presence/empty-collapse-changed", altered(Trait.PRESENCE, ElementKind.FIELD)),
    OnChange("presence/pointer-added", altered(Trait.PRESENCE, ElementKind.FIELD)),
    OnChange("presence/pointer-removed", altered(Trait.PRESENCE, ElementKind.FIELD)),
    OnChange("presence/omit-empty-added", altered(Trait.PRESENCE, ElementKind.FIELD)),
    OnChange("presence/omit-empty-removed", altered(Trait.PRESENCE, ElementKind.FIELD)),
    OnChange("presence/became-required", altered(Trait.REQUIRED, ElementKind.FIELD)),
    OnChange("presence/became-optional", altered(Trait.REQUIRED, ElementKind.FIELD)),
    OnState("presence/zero-value-invalid", has_constraints_of_what_is_written),
)
