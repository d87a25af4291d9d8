"""The rules of this folder, in the order in which they are asked."""

from __future__ import annotations

from apigen.compat.rules.enums.default_enum_value_removed import DefaultEnumValueRemoved
from apigen.compat.rules.enums.discriminator_changed import DiscriminatorChanged
from apigen.compat.rules.enums.enum_closed import EnumClosed
from apigen.compat.rules.enums.enum_constraint_added import EnumConstraintAdded
from apigen.compat.rules.enums.enum_constraint_removed import EnumConstraintRemoved
from apigen.compat.rules.enums.enum_growth_changed import EnumGrowthChanged
from apigen.compat.rules.enums.enum_opened import EnumOpened
from apigen.compat.rules.enums.enum_value_added import EnumValueAdded
from apigen.compat.rules.enums.enum_value_added_to_growing import EnumValueAddedToGrowing
from apigen.compat.rules.enums.enum_value_enabled_at_once import EnumValueEnabledAtOnce
from apigen.compat.rules.enums.enum_value_gate_changed import EnumValueGateChanged
from apigen.compat.rules.enums.enum_value_gate_switched import EnumValueGateSwitched
from apigen.compat.rules.enums.enum_value_removed import EnumValueRemoved
from apigen.compat.rules.enums.enum_value_renamed import EnumValueRenamed
from apigen.compat.rules.enums.enum_value_roll_out_changed import EnumValueRollOutChanged
from apigen.compat.rules.enums.enum_value_rolled_out import EnumValueRolledOut
from apigen.compat.rules.enums.union_added import UnionAdded
from apigen.compat.rules.enums.union_empty_values_changed import UnionEmptyValuesChanged
from apigen.compat.rules.enums.union_loosened import UnionLoosened
from apigen.compat.rules.enums.union_member_added import UnionMemberAdded
from apigen.compat.rules.enums.union_member_moved import UnionMemberMoved
from apigen.compat.rules.enums.union_member_removed import UnionMemberRemoved
from apigen.compat.rules.enums.union_removed import UnionRemoved
from apigen.compat.rules.enums.union_tightened import UnionTightened
from apigen.compat.rules.enums.unknown_value_changed import UnknownValueChanged
from apigen.compat.rules.rule import Rule

ENUMS_RULES: tuple[Rule, ...] = (
    EnumConstraintAdded(),
    EnumConstraintRemoved(),
    EnumValueRenamed(),
    DefaultEnumValueRemoved(),
    EnumValueRemoved(),
    EnumValueRolledOut(),
    EnumValueEnabledAtOnce(),
    EnumValueAddedToGrowing(),
    EnumValueAdded(),
    EnumValueGateChanged(),
    EnumValueGateSwitched(),
    EnumValueRollOutChanged(),
    EnumOpened(),
    EnumClosed(),
    EnumGrowthChanged(),
    UnknownValueChanged(),
    UnionMemberMoved(),
    UnionMemberAdded(),
    UnionMemberRemoved(),
    DiscriminatorChanged(),
    UnionEmptyValuesChanged(),
    UnionTightened(),
    UnionLoosened(),
    UnionAdded(),
    UnionRemoved(),
)
