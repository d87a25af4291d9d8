"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.claims import added, removed
from apigen.compat.rules.listed import Listed, OnChange
from apigen.compat.surface.elements import ElementKind

BRANCHES_RULES: tuple[Listed, ...] = (
    OnChange("branches/schema-annotation-changed", added(ElementKind.BRANCH), removed(ElementKind.BRANCH)),
)
