"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import altered
from apigen.compat.rules.listed import Listed, OnChange
from apigen.compat.surface.elements import ElementKind

MERGING_RULES: tuple[Listed, ...] = (
    OnChange(
        "merging/merge-key-presence-changed",
        altered(Trait.PRESENCE, ElementKind.FIELD),
        altered(Trait.REQUIRED, ElementKind.FIELD),
        altered(Trait.DEFAULT, ElementKind.FIELD),
    ),
    OnChange("merging/list-type-atomic", altered(Trait.LIST_TYPE)),
    OnChange("merging/list-type-associative", altered(Trait.LIST_TYPE), altered(Trait.LIST_MAP_KEYS)),
    OnChange("merging/merge-keys-changed", altered(Trait.LIST_MAP_KEYS)),
    OnChange("merging/patch-strategy-changed", altered(Trait.PATCH_STRATEGY), altered(Trait.PATCH_MERGE_KEY)),
    OnChange("merging/map-type-changed", altered(Trait.MAP_TYPE), altered(Trait.STRUCT_TYPE)),
)
