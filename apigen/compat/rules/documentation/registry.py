"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import altered
from apigen.compat.rules.listed import Listed, OnChange

DOCUMENTATION_RULES: tuple[Listed, ...] = (
    OnChange("documentation/promise-changed", altered(Trait.DOC)),
    OnChange("documentation/description-changed", altered(Trait.DOC)),
)
