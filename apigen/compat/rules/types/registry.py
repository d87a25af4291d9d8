"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import altered
from apigen.compat.rules.guards import has_types
from apigen.compat.rules.listed import Listed, OnChange, OnState

TYPES_RULES: tuple[Listed, ...] = (
    OnChange("types/type-renamed", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("types/type-extended", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("types/type-replaced", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("types/integer-widened", altered(Trait.TYPE)),
    OnChange("types/integer-narrowed", altered(Trait.TYPE)),
    OnChange("types/number-kind-changed", altered(Trait.TYPE)),
    OnChange("types/bytes-and-text-swapped", altered(Trait.TYPE)),
    OnChange("types/canonical-form-changed", altered(Trait.TYPE)),
    OnChange("types/text-format-changed", altered(Trait.TYPE)),
    OnChange("types/list-and-single-swapped", altered(Trait.TYPE)),
    OnChange("types/struct-and-map-swapped", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("types/type-generalised", altered(Trait.TYPE)),
    OnChange("types/type-restricted", altered(Trait.TYPE)),
    OnChange("types/type-changed", altered(Trait.TYPE), altered(Trait.FORM)),
    OnChange("types/nullable-added", altered(Trait.NULLABLE)),
    OnChange("types/nullable-removed", altered(Trait.NULLABLE)),
    OnState("types/recursion-introduced", has_types),
)
