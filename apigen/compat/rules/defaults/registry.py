"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.defaults.default_added import default_added
from apigen.compat.rules.defaults.default_changed import default_changed
from apigen.compat.rules.defaults.default_computed_changed import default_computed_changed
from apigen.compat.rules.defaults.default_depends_on_gate import default_depends_on_gate
from apigen.compat.rules.defaults.default_invalid import default_invalid
from apigen.compat.rules.defaults.default_on_required_field import default_on_required_field
from apigen.compat.rules.defaults.default_removed import default_removed
from apigen.compat.rules.defaults.default_switched import default_switched
from apigen.compat.rules.defaults.default_zero_changed import default_zero_changed
from apigen.compat.rules.rule import Rule

DEFAULTS_RULES: tuple[Rule, ...] = (
    default_depends_on_gate,
    default_added,
    default_removed,
    default_computed_changed,
    default_zero_changed,
    default_changed,
    default_switched,
    default_invalid,
    default_on_required_field,
)
