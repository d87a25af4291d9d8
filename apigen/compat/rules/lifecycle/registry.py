"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.guards import has_lifecycles, has_several_versions
from apigen.compat.rules.listed import Listed, OnChange, OnState
from apigen.compat.surface.elements import ElementKind

LIFECYCLE_RULES: tuple[Listed, ...] = (
    OnChange("lifecycle/group-removed", removed(ElementKind.GROUP)),
    OnChange("lifecycle/group-added", added(ElementKind.GROUP)),
    OnChange("lifecycle/stored-version-removed", removed(ElementKind.VERSION)),
    OnChange(
        "lifecycle/version-removed",
        removed(ElementKind.VERSION),
        altered(Trait.SERVED, ElementKind.VERSION),
        altered(Trait.SERVED, ElementKind.KIND),
    ),
    OnChange(
        "lifecycle/version-added",
        added(ElementKind.VERSION),
        altered(Trait.SERVED, ElementKind.VERSION),
        altered(Trait.SERVED, ElementKind.KIND),
    ),
    OnChange("lifecycle/kind-removed", removed(ElementKind.KIND)),
    OnChange("lifecycle/kind-added", added(ElementKind.KIND)),
    OnChange(
        "lifecycle/kind-names-changed",
        altered(Trait.PLURAL, ElementKind.KIND),
        altered(Trait.SINGULAR, ElementKind.KIND),
        altered(Trait.LIST_KIND, ElementKind.KIND),
    ),
    OnChange(
        "lifecycle/short-names-changed",
        altered(Trait.SHORT_NAMES, ElementKind.KIND),
        altered(Trait.CATEGORIES, ElementKind.KIND),
    ),
    OnChange("lifecycle/strategy-changed", altered(Trait.STRATEGY, ElementKind.KIND)),
    OnChange("lifecycle/type-meta-changed", altered(Trait.TYPE_META, ElementKind.KIND)),
    OnChange("lifecycle/scope-changed", altered(Trait.SCOPE, ElementKind.KIND)),
    OnChange(
        "lifecycle/storage-advanced-too-early",
        altered(Trait.STORAGE, ElementKind.VERSION),
        altered(Trait.STORAGE, ElementKind.KIND),
    ),
    OnChange(
        "lifecycle/storage-moved-to-less-stable",
        altered(Trait.STORAGE, ElementKind.VERSION),
        altered(Trait.STORAGE, ElementKind.KIND),
    ),
    OnChange(
        "lifecycle/storage-version-moved",
        altered(Trait.STORAGE, ElementKind.VERSION),
        altered(Trait.STORAGE, ElementKind.KIND),
    ),
    OnChange("lifecycle/preferred-advanced-too-early", altered(Trait.PREFERRED, ElementKind.VERSION)),
    OnChange("lifecycle/preferred-version-moved", altered(Trait.PREFERRED, ElementKind.VERSION)),
    OnChange(
        "lifecycle/subresource-removed",
        altered(Trait.SUBRESOURCES, ElementKind.KIND),
        altered(Trait.SCALE, ElementKind.KIND),
    ),
    OnChange(
        "lifecycle/subresource-added",
        altered(Trait.SUBRESOURCES, ElementKind.KIND),
        altered(Trait.SCALE, ElementKind.KIND),
    ),
    OnChange("lifecycle/selectable-field-removed", altered(Trait.SELECTABLE_FIELDS, ElementKind.KIND)),
    OnChange("lifecycle/printer-column-removed", altered(Trait.PRINTER_COLUMNS, ElementKind.KIND)),
    OnChange(
        "lifecycle/type-removed", removed(ElementKind.STRUCT), removed(ElementKind.ENUM), removed(ElementKind.ALIAS)
    ),
    OnChange("lifecycle/type-added", added(ElementKind.STRUCT), added(ElementKind.ENUM), added(ElementKind.ALIAS)),
    OnState("lifecycle/replacement-is-less-stable", has_lifecycles),
    OnState("lifecycle/stable-refers-to-unstable", has_several_versions),
    OnState("lifecycle/field-in-some-versions-only", has_several_versions),
    OnState("lifecycle/type-differs-between-versions", has_several_versions),
    OnState("lifecycle/default-differs-between-versions", has_several_versions),
    OnState("lifecycle/validation-differs-between-versions", has_several_versions),
)
