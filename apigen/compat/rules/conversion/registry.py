"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import altered
from apigen.compat.rules.listed import Listed, OnChange
from apigen.compat.surface.elements import ElementKind

CONVERSION_RULES: tuple[Listed, ...] = (
    OnChange("conversion/lossy-conversion", altered(Trait.LOSSES, ElementKind.STRUCT)),
    OnChange("conversion/annotation-key-changed", altered(Trait.ANNOTATION_KEYS, ElementKind.STRUCT)),
    OnChange(
        "conversion/converter-removed",
        altered(Trait.CONVERSION, ElementKind.KIND),
        altered(Trait.LENSES, ElementKind.STRUCT),
    ),
    OnChange(
        "conversion/conversion-changed",
        altered(Trait.LENSES, ElementKind.STRUCT),
        altered(Trait.CONVERSION, ElementKind.KIND),
    ),
    OnChange("conversion/hub-type-changed", altered(Trait.HUB_NAME, ElementKind.STRUCT)),
)
