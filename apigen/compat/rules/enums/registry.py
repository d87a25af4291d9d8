"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.enums.default_enum_value_removed import default_enum_value_removed
from apigen.compat.rules.enums.discriminator_changed import discriminator_changed
from apigen.compat.rules.enums.enum_closed import enum_closed
from apigen.compat.rules.enums.enum_constraint_added import enum_constraint_added
from apigen.compat.rules.enums.enum_constraint_removed import enum_constraint_removed
from apigen.compat.rules.enums.enum_growth_changed import enum_growth_changed
from apigen.compat.rules.enums.enum_opened import enum_opened
from apigen.compat.rules.enums.enum_value_added import enum_value_added
from apigen.compat.rules.enums.enum_value_added_to_growing import enum_value_added_to_growing
from apigen.compat.rules.enums.enum_value_enabled_at_once import enum_value_enabled_at_once
from apigen.compat.rules.enums.enum_value_gate_changed import enum_value_gate_changed
from apigen.compat.rules.enums.enum_value_gate_switched import enum_value_gate_switched
from apigen.compat.rules.enums.enum_value_removed import enum_value_removed
from apigen.compat.rules.enums.enum_value_renamed import enum_value_renamed
from apigen.compat.rules.enums.enum_value_roll_out_changed import enum_value_roll_out_changed
from apigen.compat.rules.enums.enum_value_rolled_out import enum_value_rolled_out
from apigen.compat.rules.enums.union_added import union_added
from apigen.compat.rules.enums.union_empty_values_changed import union_empty_values_changed
from apigen.compat.rules.enums.union_loosened import union_loosened
from apigen.compat.rules.enums.union_member_added import union_member_added
from apigen.compat.rules.enums.union_member_moved import union_member_moved
from apigen.compat.rules.enums.union_member_removed import union_member_removed
from apigen.compat.rules.enums.union_removed import union_removed
from apigen.compat.rules.enums.union_tightened import union_tightened
from apigen.compat.rules.enums.unknown_value_changed import unknown_value_changed
from apigen.compat.rules.rule import Rule

ENUMS_RULES: tuple[Rule, ...] = (
    enum_constraint_added,
    enum_constraint_removed,
    enum_value_renamed,
    default_enum_value_removed,
    enum_value_removed,
    enum_value_rolled_out,
    enum_value_enabled_at_once,
    enum_value_added_to_growing,
    enum_value_added,
    enum_value_gate_changed,
    enum_value_gate_switched,
    enum_value_roll_out_changed,
    enum_opened,
    enum_closed,
    enum_growth_changed,
    unknown_value_changed,
    union_member_moved,
    union_member_added,
    union_member_removed,
    discriminator_changed,
    union_empty_values_changed,
    union_tightened,
    union_loosened,
    union_added,
    union_removed,
)
