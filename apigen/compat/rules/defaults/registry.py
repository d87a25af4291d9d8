"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.changes.change import Trait
from apigen.compat.rules.claims import altered
from apigen.compat.rules.guards import has_defaults, has_gates
from apigen.compat.rules.listed import Listed, OnChange, OnState

DEFAULTS_RULES: tuple[Listed, ...] = (
    OnChange("defaults/default-depends-on-gate", altered(Trait.DEFAULT)),
    OnChange("defaults/default-added", altered(Trait.DEFAULT)),
    OnChange("defaults/default-removed", altered(Trait.DEFAULT)),
    OnChange("defaults/default-computed-changed", altered(Trait.DEFAULT)),
    OnChange("defaults/default-zero-changed", altered(Trait.DEFAULT)),
    OnChange("defaults/default-changed", altered(Trait.DEFAULT)),
    OnState("defaults/default-switched", has_gates),
    OnState("defaults/default-invalid", has_defaults),
    OnState("defaults/default-on-required-field", has_defaults),
)
