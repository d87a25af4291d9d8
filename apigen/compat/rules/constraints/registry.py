"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import added, altered, removed
from apigen.compat.rules.guards import has_gates
from apigen.compat.rules.listed import Listed, OnChange, OnState
from apigen.compat.surface.elements import ElementKind

CONSTRAINTS_RULES: tuple[Listed, ...] = (
    OnChange("constraints/constraint-without-effect", altered(Trait.CONSTRAINT)),
    OnChange("constraints/status-constraint-tightened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/bound-tightened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/bound-loosened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/pattern-added", altered(Trait.CONSTRAINT)),
    OnChange("constraints/pattern-removed", altered(Trait.CONSTRAINT)),
    OnChange("constraints/pattern-widened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/pattern-changed", altered(Trait.CONSTRAINT)),
    OnChange("constraints/format-tightened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/format-loosened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/uniqueness-added", altered(Trait.CONSTRAINT)),
    OnChange("constraints/uniqueness-removed", altered(Trait.CONSTRAINT)),
    OnChange("constraints/value-refused", altered(Trait.CONSTRAINT), added(ElementKind.FIELD)),
    OnChange("constraints/value-accepted", altered(Trait.CONSTRAINT), removed(ElementKind.FIELD)),
    OnChange("constraints/enforcement-by-hand-changed", altered(Trait.CONSTRAINT)),
    OnChange("constraints/update-restricted", altered(Trait.CONSTRAINT)),
    OnChange("constraints/update-freed", altered(Trait.CONSTRAINT)),
    OnChange("constraints/access-restricted", altered(Trait.CONSTRAINT)),
    OnChange("constraints/access-freed", altered(Trait.CONSTRAINT)),
    OnChange("constraints/dependents-tightened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/dependents-loosened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/conditional-constraint-tightened", altered(Trait.CONSTRAINT)),
    OnChange("constraints/conditional-constraint-loosened", altered(Trait.CONSTRAINT)),
    OnState("constraints/conditional-constraint-switched", has_gates),
    OnChange("constraints/rule-without-effect", added(ElementKind.RULE), removed(ElementKind.RULE)),
    OnChange("constraints/rule-on-new-fields", added(ElementKind.RULE)),
    OnChange("constraints/transition-rule-added", added(ElementKind.RULE)),
    OnChange("constraints/rule-changed", added(ElementKind.RULE), removed(ElementKind.RULE)),
    OnChange("constraints/rule-added", added(ElementKind.RULE)),
    OnChange("constraints/rule-removed", removed(ElementKind.RULE)),
    OnChange("constraints/schema-tightened", added(ElementKind.BRANCH), removed(ElementKind.BRANCH)),
    OnChange("constraints/schema-loosened", added(ElementKind.BRANCH), removed(ElementKind.BRANCH)),
)
