"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.guards import has_gates, has_several_versions
from apigen.compat.rules.listed import Listed, OnChange, OnState
from apigen.compat.surface.elements import ElementKind

GATES_RULES: tuple[Listed, ...] = (
    OnChange("gates/gate-added-to-field", altered(Trait.GATE, ElementKind.FIELD)),
    OnChange("gates/gate-mark-removed", altered(Trait.GATE, ElementKind.FIELD)),
    OnChange("gates/gate-mark-changed", altered(Trait.GATE, ElementKind.FIELD)),
    OnChange("gates/gate-removed", removed(ElementKind.GATE), altered(Trait.REMOVED, ElementKind.GATE)),
    OnChange("gates/gate-regressed", altered(Trait.STAGES, ElementKind.GATE)),
    OnChange("gates/gate-on-too-early", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE)),
    OnChange("gates/gate-history-changed", altered(Trait.STAGES, ElementKind.GATE)),
    OnChange("gates/gate-graduated", added(ElementKind.GATE), altered(Trait.STAGES, ElementKind.GATE)),
    OnChange("gates/gate-dependencies-changed", altered(Trait.DEPENDS_ON, ElementKind.GATE)),
    OnState("gates/gate-step-reached", has_gates),
    OnChange(
        "gates/gated-field-reshaped",
        altered(Trait.TYPE, ElementKind.FIELD),
        altered(Trait.TYPE, ElementKind.ITEM),
        altered(Trait.TYPE, ElementKind.VALUE),
    ),
    OnState("gates/gated-field-always-there", has_gates),
    OnState("gates/gated-field-always-written", has_gates),
    OnState("gates/gate-gone-still-marks", has_gates),
    OnState("gates/gate-differs-between-versions", has_several_versions),
)
