"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.defaults.default_added import DefaultAdded
from apigen.compat.rules.defaults.default_changed import DefaultChanged
from apigen.compat.rules.defaults.default_computed_changed import DefaultComputedChanged
from apigen.compat.rules.defaults.default_gated import DefaultGated
from apigen.compat.rules.defaults.default_invalid import DefaultInvalid
from apigen.compat.rules.defaults.default_on_required_field import DefaultOnRequiredField
from apigen.compat.rules.defaults.default_removed import DefaultRemoved
from apigen.compat.rules.defaults.default_zero_changed import DefaultZeroChanged
from apigen.compat.rules.rule import Rule

DEFAULTS_RULES: tuple[Rule, ...] = (
    DefaultGated(),
    DefaultAdded(),
    DefaultRemoved(),
    DefaultComputedChanged(),
    DefaultZeroChanged(),
    DefaultChanged(),
    DefaultInvalid(),
    DefaultOnRequiredField(),
)
